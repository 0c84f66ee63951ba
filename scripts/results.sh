#!/usr/bin/env bash
# Trains and measures the systems of the papers beside ctxnorm, and writes bench/results/systems.md. What was
# finished is not run again, and a training that was stopped goes on from its checkpoint.
#
#   CTXNORM_DATA=folder make results [QUICK=1] [ONLY=regexp] [TRAIN="flags"] [FLAGS="flags"] [CORPUS=folder] [WORD_VECTORS=folder] [MODEL=folder]
#
# QUICK=1 runs every system with next to nothing, in minutes on an idle machine, and leaves that page as it
# is. ONLY chooses rows, as ncbi/biosyn; TRAIN has flags of all training of encoders, such as
# "--epochs 10", in place of the few steps that bench/systems/systems.go gives each system, and FLAGS those of every
# command, such as "--device cuda". CORPUS is a corpus of the half
# dictionary, for the rows that learn from text (make accuracy makes one); WORD_VECTORS are what ctxnorm
# word-vectors train makes of it, for the row of BNE; MODEL is a model of it with an encoder, for the analyses. All is in
# CTXNORM_RESULTS (default: build/results); its README.md has the tables.
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[[ -n ${CTXNORM_DATA:-} ]] || fail "CTXNORM_DATA is not set" "set it to the folder with dict/ and gold/"
out=${CTXNORM_RESULTS:-build/results}
mkdir -p "$out"
go build -C bench -buildvcs=false -o "$(realpath -m "$out")/systems" ./systems
arguments=(-data "$CTXNORM_DATA" -out "$out" -program "${CTXNORM_PROGRAM:-$root/bin/ctxnorm}" -base-model "${CTXNORM_BASE_MODEL:-$minilm}")
[[ -z ${QUICK:-} ]] || arguments+=(-quick)
"$out/systems" "${arguments[@]}" -only "${ONLY:-}" -corpus "${CORPUS:-}" -word-vectors "${WORD_VECTORS:-}" -model "${MODEL:-}" -train "${TRAIN:-}" -flags "${FLAGS:-}"
if [[ -n ${QUICK:-} ]]; then
	say "$out/README.md has the tables"
	exit
fi
for plot in "$out"/results_*.png; do
	[[ ! -e $plot ]] || cp "$plot" bench/results/
done
cp "$out/README.md" bench/results/systems.md.part
mv bench/results/systems.md.part bench/results/systems.md
