#!/usr/bin/env bash
# With CUDA=1, the CUDA libraries that libtorch_cuda.so loads, next to each
# other in nvidia/, where its run path looks. A libtorch of the user's own
# (LIBTORCH) brings its own.
#
# Verified on a machine without a GPU: the wheels come, a program linked with the
# flags of native-env.sh finds every library, starts, and reports that there is no
# device. Not verified: a run of this version on a GPU (another was, see docs/install.md).
# shellcheck source=wheel.sh
source "$(dirname "${BASH_SOURCE[0]}")/wheel.sh"

main() {
	[[ $cuda == 1 ]] || return 0
	[[ -e $libtorch/lib/libtorch_cuda.so ]] ||
		fail "libtorch: there is no $libtorch/lib/libtorch_cuda.so" "LIBTORCH with CUDA=1 names a libtorch built for CUDA"
	[[ -z ${LIBTORCH:-} ]] || return 0
	install cublas nvidia-cublas-cu12
	install cudnn nvidia-cudnn-cu12
	install cufft nvidia-cufft-cu12
	install curand nvidia-curand-cu12
	install cusolver nvidia-cusolver-cu12
	install cusparse nvidia-cusparse-cu12
	install nccl nvidia-nccl-cu12
	install nvtx nvidia-nvtx-cu12
	install cuda_nvrtc nvidia-cuda-nvrtc-cu12
	install nvjitlink nvidia-nvjitlink-cu12
}

# install FOLDER WHEEL unpacks nvidia/FOLDER/lib of the wheel.
install() {
	local target=$cache/libtorch-$torch_version/nvidia/$1
	[[ -e $target ]] && return
	rm -rf "$target.part"
	fetch_wheel "$2"
	unpack "nvidia/$1/lib/" "$target.part/lib"
	publish "$target.part" "$target"
}

main
