#!/usr/bin/env bash
# Checks the API of "ctxnorm serve": openapi.json by a validator that is not ours, a client that is
# generated from it, which has to compile, and the answers of a server to requests that Schemathesis makes
# up from it. What no network has is skipped with a word.
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

validator=openapi-spec-validator==0.9.0
schemathesis=schemathesis==4.32.5
generator=github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2

need_go
need python3 "get Python 3 with its venv module" || :
fail_if_missing

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# skip WHAT ends the script if WHAT cannot be fetched.
skip() {
	say "skipped: $1 cannot be fetched; is there a network?"
	exit 0
}

go build -o "$work/ctxnorm" ./cmd/ctxnorm
mkdir "$work/notes"
echo "She had gout." >"$work/notes/1.txt"
"$work/ctxnorm" serve --dict examples/dictionary.tsv --documents "$work/notes" --addr 127.0.0.1:0 2>"$work/serve.log" &
server=$!
trap 'kill "$server"; rm -rf "$work"' EXIT
until url=$(grep -o 'http://127[.0-9]*:[0-9]*' "$work/serve.log"); do
	kill -0 "$server" || fail "the server ended: $(cat "$work/serve.log")"
	sleep .1
done
curl -sSf "$url/openapi.json" >"$work/openapi.json"
curl -sSf "$url/openapi-3.0.json" >"$work/openapi-3.0.json" # what the generator reads

python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet "$validator" 2>"$work/pip.log" || skip "$validator"
"$work/venv/bin/openapi-spec-validator" "$work/openapi.json" "$work/openapi-3.0.json"

mkdir "$work/client"
GOBIN=$work go install "$generator" 2>"$work/install.log" || skip "$generator"
"$work/oapi-codegen" -generate types,client -package client -o "$work/client/client.go" "$work/openapi-3.0.json"
cd "$work/client"
go mod init client 2>/dev/null
go mod tidy 2>"$work/tidy.log" || skip "a module of the client"
go vet ./...
say "openapi.json is valid, and a client that is generated from it compiles"

cd "$root"
"$work/venv/bin/pip" install --quiet "$schemathesis" 2>"$work/pip.log" || skip "$schemathesis"
# A schema cannot say all that the server asks of a request, and the server takes null for what is absent.
# Making up a request may be slow where the processor does other work.
"$work/venv/bin/schemathesis" run "$work/openapi.json" --url "$url" --seed 1 --max-examples 20 \
	--exclude-checks positive_data_acceptance,negative_data_rejection --suppress-health-check too_slow
