#!/usr/bin/env bash
# Runs the three commands on examples/: builds a corpus, trains a model, and links
# mentions with the sentences that voted. Then counts how many links are right.
# The corpus and the model stay in build/demo. In a terminal it then serves the model, until Ctrl-C.
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

demo=$root/build/demo
examples=$root/examples

# step ARGUMENTS... shows a command as the user would type it, runs it and prints
# how long it took.
step() {
	local start=$EPOCHREALTIME
	echo
	echo "$ ctxnorm $*"
	"$root/bin/ctxnorm" "$@"
	awk -v start="$start" -v end="$EPOCHREALTIME" 'BEGIN { printf "(%.1f s)\n", end - start }'
}

rm -rf "$demo"
mkdir -p "$demo"
cp "$examples"/dictionary.* "$demo"
ln -s "$examples/pubmed" "$examples/sentences.jsonl" "$examples/gold.jsonl" "$demo"
cd "$demo"

start=$SECONDS
step build-corpus pubmed/*.xml
step train --dict-fraction 0.5 --base-model "$minilm"
step link --input sentences.jsonl --output linked.jsonl --explain
seconds=$((SECONDS - start))

echo
echo "Half of the dictionary's names were left out (--dict-fraction 0.5); no mention below is worded as a name of the other half."
echo
python3 "$root/scripts/show_links.py" linked.jsonl gold.jsonl
echo
echo "The three commands took $seconds s. The corpus and the model are in $demo. For all figures: ctxnorm eval --gold gold.jsonl --policy strict --full"

# Nothing is left running where nobody can stop it.
[[ -t 0 ]] || exit 0
echo
echo "The page of the model follows; Ctrl-C stops it."
echo
echo "$ ctxnorm serve --addr 127.0.0.1:0"
# exec: the signal of Ctrl-C goes to the server, which stops.
exec "$root/bin/ctxnorm" serve --addr 127.0.0.1:0
