#!/usr/bin/env bash
# Tests both builds: the one in pure Go, and with libtorch the packages that
# differ in it.
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# A package with the files that a build takes of it, one to a line.
list_files() {
	go list "$@" -f '{{.ImportPath}} {{.GoFiles}} {{.CgoFiles}} {{.SFiles}} {{.TestGoFiles}} {{.XTestGoFiles}}' ./... | sort
}

# Packages whose test program holds a package that has other files with the tag.
changed_by_tag() {
	local changed
	changed=$(comm -13 <(list_files) <(list_files -tags torch) | cut -d' ' -f1)
	go list -tags torch -test -f '{{.ImportPath}} {{join .Deps " "}}' ./... |
		awk -v changed="$changed" '
			BEGIN { split(changed, names); for (i in names) want[names[i]] = 1 }
			sub(/\.test$/, "", $1) { for (i = 1; i <= NF; i++) if ($i in want) { print $1; next } }'
}

say "testing the build in pure Go"
CGO_ENABLED=0 go build -buildvcs=false ./...
CGO_ENABLED=0 go vet ./...
CGO_ENABLED=0 go test ./...

say "testing the build with libtorch"
eval "$(scripts/native-env.sh)"
mapfile -t packages < <(changed_by_tag)
[[ ${#packages[@]} -gt 0 ]] || fail "no package changes under -tags torch"
go vet -tags torch ./...
go test -tags torch "${packages[@]}"
