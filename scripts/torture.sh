#!/usr/bin/env bash
# Runs bin/ctxnorm against hostile cases: kills, full disks, damaged files, floods.
# docs/reliability.md says how to read the report.
#
#   scripts/torture.sh [FLAG…]    flags of bench/torture: build/bench/torture -help
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

mkdir -p build/bench
CGO_ENABLED=0 go build -C bench -buildvcs=false -o "$root/build/bench/torture" ./torture
build/bench/torture "$@"
