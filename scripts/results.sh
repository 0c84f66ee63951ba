#!/usr/bin/env bash
# Trains and measures the systems of the papers beside ctxnorm, and writes bench/results/systems.md. What was
# finished is not run again, and a training that was stopped goes on from its checkpoint.
#
#   CTXNORM_DATA=folder make results [QUICK=1] [ONLY=regexp] [TRAIN="flags"] [FLAGS="flags"] [CORPUS=folder] [WORD_VECTORS=folder] [MODEL=folder]
#
# QUICK=1 runs every system with next to nothing, in minutes on an idle machine, and leaves that page as it
# is. ONLY chooses rows, as ncbi/biosyn; TRAIN has flags of all training of encoders, such as
# "--set epochs=10", in place of the few steps that bench/systems/systems.json gives each system, and FLAGS those of every
# command, such as "--device cuda". CORPUS is a corpus of the half
# dictionary, for the rows that learn from text (make accuracy makes one); WORD_VECTORS are what ctxnorm
# word-vectors train makes of it, for the row of BNE; MODEL is a model of it with an encoder, for the analyses. All is in
# CTXNORM_RESULTS (default: build/results); its README.md has the tables.
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

[[ -n ${CTXNORM_DATA:-} ]] || fail "CTXNORM_DATA is not set" "set it to the folder with dict/ and gold/"
out=${CTXNORM_RESULTS:-build/results}
mkdir -p "$out"
eval "$(scripts/native-env.sh)"
go build -C bench -buildvcs=false -tags torch -o "$(realpath -m "$out")/" ./systems ./terms
arguments=(-data "$CTXNORM_DATA" -out "$out" -program "${CTXNORM_PROGRAM:-$root/bin/ctxnorm}" -base-model "${CTXNORM_BASE_MODEL:-$minilm}")
[[ -z ${QUICK:-} ]] || arguments+=(-quick)
"$out/systems" "${arguments[@]}" -only "${ONLY:-}" -corpus "${CORPUS:-}" -word-vectors "${WORD_VECTORS:-}" -model "${MODEL:-}" -train "${TRAIN:-}" -flags "${FLAGS:-}"

# What the BNE paper measures, for its vectors.
pairs=("$CTXNORM_DATA"/sim/*.txt.gz)
[[ -e ${pairs[0]} ]] || pairs=()
bne() { # TITLE DICTIONARY GOLD [FLAG…]
	local vectors title=$1 dict=$2 gold=$3
	shift 3
	printf '\n## Vectors of BNE: %s\n' "$title"
	for vectors in "word-vectors ${WORD_VECTORS:-}" "encoder $out/$experiment/bne/model/encoder"; do
		[[ -d ${vectors#* } ]] || continue
		echo
		"$out/terms" "-${vectors%% *}" "${vectors#* }" -dict "$CTXNORM_DATA/dict/$dict" -gold "$CTXNORM_DATA/gold/$gold" "$@" "${pairs[@]}"
	done
}
if [[ -n ${WORD_VECTORS:-} ]]; then
	{
		experiment=ncbi bne "NCBI Disease" medic_2012.txt.gz ncbi_dev.pubtator.gz
		experiment=ncbi bne "BC5CDR disease" medic_2012.txt.gz bc5cdr_dev.pubtator.gz -gold-types Disease
		experiment=cdr-chemical bne "BC5CDR chemical" chemicals_mesh.tsv.gz bc5cdr_dev.pubtator.gz -gold-types Chemical
	} >>"$out/README.md"
fi
if [[ -n ${QUICK:-} ]]; then
	say "$out/README.md has the tables"
	exit
fi
cp "$out/README.md" bench/results/systems.md.part
mv bench/results/systems.md.part bench/results/systems.md
