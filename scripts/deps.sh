#!/usr/bin/env bash
# Fetches and builds the native parts into the user's cache: libtorch, the Hugging
# Face tokenizers and a small base model. Does nothing for a part that is there.
#
#   LIBTORCH=dir       takes the libtorch that lies there
#   CUDA=1             adds the CUDA libraries (2 GB)
#   CTXNORM_CACHE=dir  is the cache; ~/.cache/ctxnorm otherwise
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# What is missing is named before a long download, not after it.
need_go
need_compiler
[[ -e $tokenizers/libtokenizers.a ]] || need_cargo
[[ -e $libtorch/lib/libtorch_cpu.so && -e $minilm/config.json ]] || need_pip
mkdir -p "$cache"
exec 9>"$cache/.lock"
flock 9 # one set-up at a time; it goes when this process does

for part in libtorch cuda stubs tokenizers minilm; do
	"scripts/deps-$part.sh"
done
rm -rf "$cache/downloads" "$cache/build" # what an interrupted run may have left
