#!/usr/bin/env bash
# Time and memory of every command at one, three and ten times the data, with plots
# and what they come to for all of PubMed. bench/README.md says how to read it.
#
#   CTXNORM_DATA=folder scripts/growth.sh [FLAG…]    flags of bench/growth: build/bench/growth -help
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

eval "$(scripts/native-env.sh)"
mkdir -p build/bench
CGO_ENABLED=0 go build -buildvcs=false -o build/bench/ours ./bench/ours
CGO_ENABLED=0 go build -buildvcs=false -o build/bench/growth ./bench/growth
build/bench/growth "$@"
