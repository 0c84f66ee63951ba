#!/usr/bin/env bash
# Takes the pictures of the page of ctxnorm serve for the documentation, docs/images/*.png, with a model of examples/
# without an encoder.
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

need_go
folder=$root/build/pictures
rm -rf "$folder"
mkdir -p "$folder" "$root/docs/images"
export CGO_ENABLED=0
go build -buildvcs=false -o "$folder/ctxnorm" ./cmd/ctxnorm
cp "$root"/examples/dictionary.tsv "$folder"
cd "$folder"
./ctxnorm build-corpus "$root"/examples/pubmed/*.xml
./ctxnorm train --encoder none
cd "$root"
CTXNORM_BROWSER=1 CTXNORM_DEMO_MODEL=$folder/model CTXNORM_SCREENSHOTS=$root/docs/images \
	go test -count 1 -run TestPictures ./internal/server
