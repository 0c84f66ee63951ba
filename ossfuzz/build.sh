#!/usr/bin/env bash
# Compiles the fuzz targets for libFuzzer, in a container that is thrown away. Not those of package main, which nothing
# can import, nor those that need libtorch.
set -euo pipefail

# The testing.F of go-118-fuzz-build lacks what testing.TB has had since Go 1.25.
if ! grep -q 'F) ArtifactDir' "$(command -v go-118-fuzz-build_v2)"; then
	cat >"$(go env GOROOT)/src/testing/ossfuzz.go" <<-'EOF'
		package testing

		import "io"

		func (f *F) ArtifactDir() string    { return f.TempDir() }
		func (f *F) Attr(key, value string) {}
		func (f *F) Output() io.Writer      { return io.Discard }
	EOF
fi

scripts/fuzz.sh -l | while read -r package target flags; do
	[[ -z $flags && $(go list -f '{{.Name}}' "./$package") != main ]] || continue
	# The tests become files of the package, so that those of another package in its folder cannot stay.
	{ grep -lZ '^package .*_test$' "$package"/*_test.go || :; } | xargs -0r rm
	# In its folder, from which a package that is internal to another can be imported.
	(cd "$package" && compile_native_go_fuzzer_v2 "$(go list .)" "$target" "${package//\//_}_$target")
done
