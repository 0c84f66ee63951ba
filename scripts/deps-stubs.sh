#!/usr/bin/env bash
# gotch asks the linker for a dozen CUDA libraries by name, whether or not they
# are used. An empty archive of that name, found first, satisfies it.
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# Nothing in the program refers to these: libtorch loads those that it needs by
# its own run path, or (nvrtc, the driver) at the first use of a GPU.
names=(cuda cudart cublas cudnn caffe2_nvrtc nvrtc-builtins nvrtc nvToolsExt)
# A CPU build does not need the CUDA half of libtorch. libtorch.so is an empty
# library that would load it.
[[ $cuda == 1 ]] || names+=(c10_cuda torch_cuda torch)

[[ -e $stubs ]] && exit 0
rm -rf "$stubs.part"
mkdir -p "$stubs.part"
for name in "${names[@]}"; do
	ar rcs "$stubs.part/lib$name.a"
done
mv -T "$stubs.part" "$stubs"
