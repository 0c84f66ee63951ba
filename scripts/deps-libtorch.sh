#!/usr/bin/env bash
# Unpacks libtorch from the Python wheels, side by side like pip: the run
# path of torch/lib finds the two NVIDIA libraries that even its CPU half is
# linked to.
# shellcheck source=wheel.sh
source "$(dirname "${BASH_SOURCE[0]}")/wheel.sh"

main() {
	if [[ -n ${LIBTORCH:-} ]]; then
		check_libtorch "$LIBTORCH"
		return
	fi
	local target=$cache/libtorch-$torch_version
	local part=$target.part
	[[ -e $target/torch/lib/libtorch_cpu.so && -e $target/nvidia/cuda_runtime/lib/libcudart.so.12 ]] && return
	[[ $(uname -sm) == "Linux x86_64" ]] ||
		fail "libtorch is fetched for Linux on x86_64 only, and this is $(uname -sm)" \
			"unpack a libtorch $torch_version for this machine and set LIBTORCH to its folder"

	rm -rf "$part"
	fetch_wheel torch
	unpack torch/include/ "$part/torch/include"
	unpack torch/lib/ "$part/torch/lib"
	unpack_licenses "$part/torch/licenses/torch" # which an archive of "make dist" needs
	fetch_wheel nvidia-cuda-cupti-cu12
	unpack nvidia/cuda_cupti/lib/ "$part/nvidia/cuda_cupti/lib"
	unpack_licenses "$part/torch/licenses/nvidia-cuda-cupti-cu12"
	fetch_wheel nvidia-cuda-runtime-cu12
	unpack nvidia/cuda_runtime/lib/ "$part/nvidia/cuda_runtime/lib"
	unpack_licenses "$part/torch/licenses/nvidia-cuda-runtime-cu12"
	check_libtorch "$part/torch"
	publish "$part" "$target"
	say "libtorch $torch_version is in $target"
}

# check_libtorch FOLDER fails if a libtorch is incomplete or of another version.
check_libtorch() {
	local header=$1/include/torch/csrc/api/include/torch/version.h have
	for path in "$header" "$1/lib/libtorch_cpu.so" "$1/lib/libc10.so"; do
		[[ -e $path ]] || fail "libtorch: there is no $path" \
			"LIBTORCH names a folder with the include/ and lib/ of libtorch $torch_version"
	done
	have=$(awk '/define TORCH_VERSION_(MAJOR|MINOR|PATCH) / { v = v "." $3 } END { print substr(v, 2) }' "$header")
	[[ $have == "$torch_version" ]] || fail "libtorch in $1 is version $have, want $torch_version" \
		"unset LIBTORCH to fetch that version"
}

main
