#!/usr/bin/env bash
# gofmt, go vet and staticcheck over both builds, go vet for other systems, and shellcheck where it is
# installed. go vet compiles what it checks, the tests too.
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

staticcheck=honnef.co/go/tools/cmd/staticcheck@v0.8.2

unformatted=$(gofmt -l .)
[[ -z $unformatted ]] || fail "gofmt would change: $unformatted" "gofmt -w ."

CGO_ENABLED=0 go vet ./...
GOOS=windows CGO_ENABLED=0 go vet ./...
GOOS=darwin GOARCH=arm64 CGO_ENABLED=0 go vet ./...
CGO_ENABLED=0 go run $staticcheck ./...
for module in "${modules[@]}"; do
	(cd "$module" && CGO_ENABLED=0 go vet ./... && CGO_ENABLED=0 go run $staticcheck ./...)
done

eval "$(scripts/native-env.sh)"
go vet -tags torch ./...
go -C bench vet -tags torch ./...
mapfile -t packages < <(changed_by_tag) # the others are checked above
go run $staticcheck -tags torch "${packages[@]}"

if command -v shellcheck >/dev/null; then
	shellcheck -S warning -x -P scripts scripts/*.sh .ci/run
fi
