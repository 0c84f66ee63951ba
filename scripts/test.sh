#!/usr/bin/env bash
# Tests the build in pure Go, and with libtorch the packages that differ in it.
#
#   scripts/test.sh          both builds, and the other modules
#   scripts/test.sh pure     the build in pure Go alone: needs no C compiler and no download
#   scripts/test.sh torch    the build with libtorch alone: needs make deps
#   scripts/test.sh arm64    the assembly for arm64 and what uses it, by an emulator on another processor
#   scripts/test.sh race [PACKAGE…]    the build in pure Go under the race detector
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# list_files FLAGS... prints each package with the files that the build uses.
list_files() {
	go list "$@" -f '{{.ImportPath}} {{.GoFiles}} {{.CgoFiles}} {{.SFiles}} {{.TestGoFiles}} {{.XTestGoFiles}}' ./... | sort
}

# changed_by_tag prints the packages whose test program contains a package that the tag
# torch changes.
changed_by_tag() {
	local changed
	changed=$(comm -13 <(list_files) <(list_files -tags torch) | cut -d' ' -f1)
	go list -tags torch -test -f '{{.ImportPath}} {{join .Deps " "}}' ./... |
		awk -v changed="$changed" '
			BEGIN { split(changed, names); for (i in names) want[names[i]] = 1 }
			sub(/\.test$/, "", $1) { for (i = 1; i <= NF; i++) if ($i in want) { print $1; next } }'
}

test_pure() {
	say "testing the build in pure Go"
	CGO_ENABLED=0 go build -buildvcs=false ./...
	GOOS=windows CGO_ENABLED=0 go build -buildvcs=false ./...
	GOOS=darwin GOARCH=arm64 CGO_ENABLED=0 go build -buildvcs=false ./...
	CGO_ENABLED=0 go vet ./...
	GOOS=windows CGO_ENABLED=0 go vet ./... # the tests too
	CGO_ENABLED=0 go test ./...
}

test_modules() {
	local module
	for module in "${modules[@]}"; do
		say "testing the module $module"
		CGO_ENABLED=0 go -C "$module" vet ./...
		CGO_ENABLED=0 go -C "$module" test ./...
	done
}

test_torch() {
	say "testing the build with libtorch"
	eval "$(scripts/native-env.sh)"
	mapfile -t packages < <(changed_by_tag)
	[[ ${#packages[@]} -gt 0 ]] || fail "no package changes under -tags torch"
	go vet -tags torch ./...
	go test -tags torch "${packages[@]}"
	go -C bench vet -tags torch ./...
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
	[[ ! $emulator ]] || go test -exec "$emulator -cpu cortex-a53" ./internal/bert/kernels ./knnindex/internal/sq4
}

# test_race PACKAGE... runs tests under the race detector. The detector also checks unsafe
# pointers, and ends the process where it finds a bad one. parquet-go makes them of damaged
# files; its panic, which is an error in internal/parquetfile, has to stay one. The test that kills the program at each
# write starts it a hundred times: most of the detector's time, and no race.
test_race() {
	go test -race -timeout 30m -skip '^TestKillPoints$' -gcflags='github.com/parquet-go/parquet-go/...=-d=checkptr=0' "$@"
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
	test_race "${@:-./...}"
	;;
*) fail "scripts/test.sh: unknown argument '$1'" "want pure, torch, arm64, race or nothing" ;;
esac
