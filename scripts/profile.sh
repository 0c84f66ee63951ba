#!/usr/bin/env bash
# Writes CPU and memory profiles of each command to build/profiles: NAME.cpu and NAME.mem
# for go tool pprof, and NAME.txt with the top functions of both.
#
# The texts are those of examples/ or, if CTXNORM_DATA names the folder of real data,
# 5,000 records made from it. All of libtorch is one line,
# runtime.cgocall; perf record shows inside it.
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

steps=20 # training steps
profiles=$root/build/profiles
work=$profiles/work
rm -rf "$profiles"
mkdir -p "$work"
(eval "$(scripts/native-env.sh)" && go test -tags torch -c -o "$work/ctxnorm.test" ./cmd/ctxnorm)
cd "$profiles/work"

# profile NAME ARGUMENTS... runs a command of ctxnorm.
profile() {
	local name=$1
	shift
	say "profiling $name"
	CTXNORM_COMMAND="$*" "$work/ctxnorm.test" -test.run '^TestCommand$' -test.timeout 0 -test.count 1 \
		-test.cpuprofile "$profiles/$name.cpu" -test.memprofile "$profiles/$name.mem"
	{
		echo "ctxnorm $*"
		go tool pprof -top -nodecount 40 "$work/ctxnorm.test" "$profiles/$name.cpu"
		go tool pprof -top -nodecount 25 -sample_index alloc_space "$work/ctxnorm.test" "$profiles/$name.mem"
	} >"$profiles/$name.txt" 2>/dev/null
}

if [[ -n ${CTXNORM_DATA:-} ]]; then
	python3 "$root/bench/peers/make_pubmed_xml.py" --docs 5000 --files 4 --out pubmed
	ln -s "$CTXNORM_DATA/dict/biocom_half.jsonl.gz" dictionary.jsonl.gz
	rm pubmed/truth.jsonl.gz
else
	ln -s "$root/examples/pubmed" pubmed
	ln -s "$root/examples/dictionary.tsv" dictionary.tsv
fi

profile build-corpus build-corpus pubmed/*
"$root/bin/ctxnorm" corpus show --limit 2000 | cut -f 4 >marked.txt
sed 's/ \?\[\/\?ENT\] \?/ /g' marked.txt >bare.txt
profile tag tag --input bare.txt >tagged.jsonl
profile untrained train --untrained --base-model "$minilm" --dict-fraction 0.1 --model untrained
profile train train --base-model "$minilm" --dict-fraction 0.1 --set steps="$steps"
profile link link --input marked.txt --output linked.jsonl
cd "$root"
rm -rf "$profiles/work"
say "profiles are in $profiles; go tool pprof -http : $profiles/train.cpu shows one"
