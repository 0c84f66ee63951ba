#!/usr/bin/env bash
# Measures time and memory of every command at one, three and ten times the data, and
# projects them. bench/README.md says how to read the report.
#
#   CTXNORM_DATA=folder scripts/scaling.sh [FLAG…]    flags of bench/scaling: build/bench/run scaling -help
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

eval "$(scripts/native-env.sh)"
mkdir -p build/bench
CGO_ENABLED=0 go build -C bench -buildvcs=false -o "$root/build/bench/subject" ./subject
CGO_ENABLED=0 go build -C bench -buildvcs=false -o "$root/build/bench/run" ./run
build/bench/run scaling "$@"
