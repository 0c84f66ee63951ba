#!/usr/bin/env bash
# Ours beside the peers, then the micro-benchmarks of both builds' packages, which
# are saved beside the table. bench/README.md says what is measured.
#
#   scripts/bench.sh [FLAG…]    flags of bench/run: build/bench/run -help
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

eval "$(scripts/native-env.sh)"
export CTXNORM_BENCH_PYTHON=${CTXNORM_BENCH_PYTHON:-$cache/peers/bin/python}
mkdir -p build/bench
CGO_ENABLED=0 go build -buildvcs=false -o build/bench/ours ./bench/ours
go build -buildvcs=false -tags torch -o build/bench/ours-torch ./bench/ours
CGO_ENABLED=0 go build -buildvcs=false -o build/bench/run ./bench/run

# 1 says that a target was missed or that counts differ: the table tells.
build/bench/run -saved build/bench/saved "$@" || [[ $? == 1 ]]

for flag in "$@"; do
	case $flag in
	-quick | --quick | -quick=* | --quick=* | -only | --only | -only=* | --only=*) exit ;; # a look at some of it
	esac
done
out=$(<build/bench/saved).txt
say "micro-benchmarks, to $out"
go test -tags torch -run '^$' -bench . -benchmem ./... | tee "$out"
