#!/usr/bin/env bash
# libtokenizers.a, the Rust half of daulet/tokenizers, built from the source in
# Go's module cache.
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

module=github.com/daulet/tokenizers

main() {
	[[ -e $tokenizers/libtokenizers.a ]] && return
	local want work
	want=$(go list -m -f '{{.Version}}' $module)
	[[ $want == "v$tokenizers_version" ]] ||
		fail "go.mod names $module $want and scripts/common.sh v$tokenizers_version" "let both name one version"
	go mod download "$module"

	# Kept when the build is interrupted, so that the next one resumes.
	work=$cache/build/tokenizers-$tokenizers_version
	mkdir -p "$work"
	cp -R --no-preserve=mode --preserve=timestamps "$(go list -m -f '{{.Dir}}' $module)/." "$work"
	say "building libtokenizers.a (some minutes)"
	(cd "$work" && cargo build --release --locked >&2)

	mkdir -p "$tokenizers"
	cp "$work/target/release/libtokenizers.a" "$tokenizers/libtokenizers.a.part"
	mv "$tokenizers/libtokenizers.a.part" "$tokenizers/libtokenizers.a"
	say "libtokenizers $tokenizers_version is in $tokenizers"
}

main
