#!/usr/bin/env bash
# Simulates a curator who corrects the first wrong link of each of 50, 100 and 200 documents of NCBI Disease and of BC5CDR
# (train), and measures on the dev sets what the memory does for other documents, also with the ranking learned again.
# The model, which is copied and not changed, is to be made from half of MEDIC, as by scripts/accuracy.sh.
#
#   CTXNORM_DATA=folder scripts/curator.sh MODEL [FLAG…]    flags of bench/curator; tables and plots go to build/curator
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

model=${1:-model}
shift || :
data=${CTXNORM_DATA:-}
out=$root/build/curator

need_go
fail_if_missing
[[ -d $data/gold ]] || fail "CTXNORM_DATA names no folder with annotated documents" "docs/data.md shows its layout"
[[ -e $model/manifest.json ]] || fail "$model is not a model" "scripts/curator.sh MODEL"

mkdir -p "$out"
tags=()
if [[ -d $model/encoder ]]; then
	eval "$(scripts/native-env.sh)"
	tags=(-tags torch)
else
	export CGO_ENABLED=0
fi
go build -C bench -buildvcs=false "${tags[@]}" -o "$root/build/bench/curator" ./curator
for set in ncbi bc5cdr; do
	say "$set"
	build/bench/curator -model "$model" -ids "$data/dict/biocom_concept_map.json.gz" -types "$([[ $set == bc5cdr ]] && echo Disease)" \
		-train "$data/gold/${set}_train.pubtator.gz" -dev "$data/gold/${set}_dev.pubtator.gz" \
		-recalibrate -plot "$out/$set.png" "$@" | tee "$out/$set.md"
done
