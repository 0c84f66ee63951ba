#!/usr/bin/env bash
# Checks on a machine with a GPU of NVIDIA that training, encoding and linking give there what they give on the CPU, and
# prints how fast both are. Without a GPU it says so and ends with status 0; status 1 means that a difference is too large.
#
#   scripts/gpu-check.sh [FLAG…]     flags of bench/devices
#   scripts/gpu-check.sh -b cpu      compares the CPU with itself, which needs no GPU
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# second prints the device that the flags compare with the CPU.
second() {
	local device=cuda
	while [[ $# -gt 0 ]]; do
		case $1 in
		-b | --b) device=${2:-} ;;
		-b=* | --b=*) device=${1#*=} ;;
		esac
		shift
	done
	echo "$device"
}

program=$root/bin/ctxnorm
if [[ $(second "$@") == cuda ]]; then
	gpus=$(nvidia-smi --list-gpus 2>/dev/null) || gpus=
	if [[ -z $gpus ]]; then
		say "no GPU here (nvidia-smi lists none): nothing was checked"
		say "hint: make gpu-check ARGS='-b cpu' compares the CPU with itself"
		exit 0
	fi
	say "${gpus//$'\n'/, }"
	export CUDA=1
	cuda=1
	program=$root/build/gpu-check/ctxnorm
fi
scripts/deps.sh
mkdir -p build/gpu-check
eval "$(scripts/native-env.sh)"
go build -buildvcs=false -tags torch -o "$program" ./cmd/ctxnorm
CGO_ENABLED=0 go build -C bench -buildvcs=false -o "$root/build/gpu-check/devices" ./devices
build/gpu-check/devices -program "$program" -examples examples -base-model "$minilm" -work build/gpu-check/work "$@"
