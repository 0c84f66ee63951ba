#!/usr/bin/env bash
# Fetches and builds into the user's cache what it does not have: libtorch, the Hugging
# Face tokenizers and a small base model.
#
#   LIBTORCH=dir       uses the libtorch in this folder
#   CUDA=1             adds the CUDA libraries (2 GB)
#   CTXNORM_CACHE=dir  uses this cache instead of ~/.cache/ctxnorm
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# All missing tools are named before the long download.
need_go
need_compiler
[[ -e $tokenizers/libtokenizers.a ]] || need_cargo
[[ -e $libtorch/lib/libtorch_cpu.so && -e $minilm/config.json ]] || need_pip
fail_if_missing
mkdir -p "$cache"
exec 9>"$cache/.lock"
flock 9 # one set-up at a time; the lock ends with this process

for part in libtorch cuda stubs tokenizers minilm; do
	"scripts/deps-$part.sh"
done
rm -rf "$cache/downloads" "$cache/build" # left by an interrupted run
