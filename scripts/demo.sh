#!/usr/bin/env bash
# The three commands on examples/: a corpus, a model, and mentions linked with
# the sentences that voted for each. What they make stays in build/demo.
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

demo=$root/build/demo
examples=$root/examples

# step ARGUMENTS... shows a command as the user would type it, runs it and says
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
ln -s "$examples/pubmed" "$examples/sentences.jsonl" "$demo"
cd "$demo"

start=$SECONDS
step build-corpus pubmed/*.xml
step train --dict-fraction 0.5 --base-model "$minilm"
step link --input sentences.jsonl --output linked.jsonl --explain
python3 "$root/scripts/show_links.py" linked.jsonl
echo
echo "The three commands took $((SECONDS - start)) s. The corpus and the model are in $demo."
