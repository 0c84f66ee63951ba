#!/usr/bin/env bash
# Compares ctxnorm with its peers, then runs the micro-benchmarks of all packages and
# saves them next to the table. bench/README.md says what is measured.
#
#   scripts/bench.sh [FLAG…]    flags of bench/run: build/bench/run -help
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

eval "$(scripts/native-env.sh)"
export CTXNORM_BENCH_PYTHON=${CTXNORM_BENCH_PYTHON:-$cache/peers/bin/python}
mkdir -p build/bench
CGO_ENABLED=0 go build -C bench -buildvcs=false -o "$root/build/bench/subject" ./subject
go build -C bench -buildvcs=false -tags torch -o "$root/build/bench/subject-torch" ./subject
CGO_ENABLED=0 go build -C bench -buildvcs=false -o "$root/build/bench/run" ./run

# Exit code 1 means that a target was missed or that counts differ: see the table.
build/bench/run -saved build/bench/saved "$@" || [[ $? == 1 ]]

for flag in "$@"; do
	case $flag in
	-quick | --quick | -quick=* | --quick=* | -only | --only | -only=* | --only=*) exit ;; # not a full run
	esac
done
out=$(<build/bench/saved).txt
say "micro-benchmarks, to $out"
go test -tags torch -run '^$' -bench . -benchmem ./... | tee "$out"
