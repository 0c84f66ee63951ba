#!/usr/bin/env bash
# Tests the build in pure Go, and with libtorch the packages that differ in it.
#
#   scripts/test.sh          both builds, and the other modules
#   scripts/test.sh pure     the build in pure Go alone: needs no C compiler and no download
#   scripts/test.sh torch    the build with libtorch alone: needs make deps
#   scripts/test.sh arm64    the assembly for arm64 and what uses it, by an emulator on another processor
#   scripts/test.sh race [PACKAGE…]    the packages that can race, or these, under the race detector
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# torch_packages prints the packages whose tests differ with libtorch: those with files of their own for it, and those whose
# tests ask whether the build trains. Others compute the same code in both builds.
torch_packages() {
	{
		changed_by_tag
		grep -rlF --include='*_test.go' ctxnorm.CanTrain . | xargs -n1 dirname | sed "s#^\.#$(go list -m)#"
	} | sort -u
}

test_pure() {
	say "testing the build in pure Go"
	GOGC=${GOGC:-400} CGO_ENABLED=0 go test ./... # a quarter of the time is the garbage collector's otherwise
}

test_modules() {
	local module
	for module in "${modules[@]}"; do
		say "testing the module $module"
		CGO_ENABLED=0 go -C "$module" test ./...
	done
}

test_torch() {
	say "testing the build with libtorch"
	eval "$(scripts/native-env.sh)"
	mapfile -t packages < <(torch_packages)
	[[ ${#packages[@]} -gt 0 ]] || fail "no package changes under -tags torch"
	go test -vet=off -tags torch -short "${packages[@]}" # without what does not use libtorch; make lint vets
}

# test_arm64 tests the packages with assembly for arm64, and the encoder; the kernels also on a processor
# without its products of 8-bit integers.
test_arm64() {
	local emulator=
	if [[ $(go env GOHOSTARCH) != arm64 ]]; then
		emulator=qemu-aarch64
		need $emulator "on Debian or Ubuntu: apt-get install qemu-user" || :
		fail_if_missing
	fi
	export CGO_ENABLED=0 GOARCH=arm64
	go vet ./...
	go test -timeout 30m -exec "$emulator" ./internal/dot ./internal/bert/... ./encoder ./knnindex/...
	[[ ! $emulator ]] || go test -exec "$emulator -cpu cortex-a53" ./internal/bert/kernels ./internal/dot
}

# race_packages prints the packages that can race: those whose code or tests start goroutines.
race_packages() {
	local concurrent='(^|\s)go (func|[a-zA-Z_.]+\()|\.Go\(|time\.AfterFunc|internal/parallel"'
	grep -rlE --include='*.go' "$concurrent" . | grep -vE '^\./(build|bench|distributed|internal/asmgen)/' | xargs -n1 dirname | sort -u
}

# test_race PACKAGE... runs tests under the race detector. -short leaves out what takes long and starts no goroutine that
# another test does not start; what calls such a package is tested without the detector. The detector also checks unsafe
# pointers, and ends the process at a bad one. parquet-go makes them of damaged files; its panic, which is an error in
# internal/parquetfile, has to stay one. make lint vets the packages.
test_race() {
	go test -vet=off -race -short -timeout 30m -gcflags='github.com/parquet-go/parquet-go/...=-d=checkptr=0' "$@"
}

case ${1:-all} in
all)
	test_pure
	test_modules
	test_torch
	;;
pure) test_pure ;;
torch) test_torch ;;
arm64)
	say "testing the assembly for arm64"
	test_arm64
	;;
race)
	say "testing the build in pure Go under the race detector"
	shift
	packages=("$@")
	[[ $# -gt 0 ]] || mapfile -t packages < <(race_packages)
	test_race "${packages[@]}"
	;;
*) fail "scripts/test.sh: unknown argument '$1'" "want pure, torch, arm64, race or nothing" ;;
esac
