#!/usr/bin/env bash
# Measures accuracy from raw text and a base model, and writes tables in Markdown. For
# each seed: a corpus, a trained model, all linkers, the ranking without each of its
# components, concepts held out, and whether the context decides. With the first seed also: an untrained model, and
# shares of the corpus and of the dictionary. A stopped run continues with the step it
# was at.
#
#   CTXNORM_DATA=folder make accuracy [SEEDS="1 2 3"] [CORPORA="1 3"] [FRACTIONS=".25 .5 1"] [TRAIN="flags"]
#
# CORPORA lists numbers of text files that contexts are taken from, each less than all.
# CTXNORM_DATA holds dict/ and gold/, and raw/ unless CTXNORM_PUBMED names a folder of
# PubMed XML (.xml.gz). RECORDS limits the records of the raw text (default: all).
# CTXNORM_ACCURACY is the folder of all output (default: build/accuracy); its README.md
# has the tables.
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

data=${CTXNORM_DATA:-}
out=${CTXNORM_ACCURACY:-build/accuracy}
program=${CTXNORM_PROGRAM:-$root/bin/ctxnorm}
base=${CTXNORM_BASE_MODEL:-$minilm}
read -ra seeds <<<"${SEEDS:-1 2 3}"
read -ra corpora <<<"${CORPORA-1 3}"
read -ra fractions <<<"${FRACTIONS-.25 .5 1}"
read -ra train <<<"${TRAIN:-}"
sets=(NCBI_Disease BC5CDR_disease MedMentions)

[[ -n $data ]] || fail "CTXNORM_DATA is not set" "set it to the folder with dict/, gold/ and raw/"
[[ -d $data/dict && -d $data/gold ]] || fail "$data has no dict/ or no gold/" "set CTXNORM_DATA to the folder that has both"
half=$data/dict/biocom_half.jsonl.gz
whole=$data/dict/medic_union.json.gz
ids=$data/dict/biocom_concept_map.json.gz
dictionary=(--ids "$ids" --parents "$data/dict/mesh_descriptors_c_f_tree.tsv.gz")
run=()
[[ -z ${WORKERS:-} ]] || run=(--workers "$WORKERS")

# gold SET prints the flags that read a set.
gold() {
	case $1 in
	NCBI_Disease) echo --gold "$data/gold/ncbi_dev.pubtator.gz" ;;
	BC5CDR_disease) echo --gold "$data/gold/bc5cdr_dev.pubtator.gz" --gold-types Disease ;;
	MedMentions) echo --gold "$data/gold/medmentions_dev.jsonl.gz" ;;
	esac
}

# A run with other settings is not continued.
mkdir -p "$out"
settings="base $(basename "$base"), text ${CTXNORM_PUBMED:-raw}, records ${RECORDS:-all}, training flags ${train[*]:-none}"
if [[ -e $out/settings.txt && $(<"$out/settings.txt") != "$settings" ]]; then
	fail "$out was made with: $(<"$out/settings.txt"); now it is: $settings" "remove it, or set CTXNORM_ACCURACY to another folder"
fi
echo "$settings" >"$out/settings.txt"

go build -C bench -buildvcs=false -o "$(realpath -m "$out")/" ./accuracy ./shortforms
version=$("$program" --version | awk '{ print $NF }')

# step FOLDER NAME TARGET COMMAND... runs a command of ctxnorm, or shortforms, that makes TARGET unless TARGET
# exists, and records the minutes. If TARGET is in eval/, it is the command's standard output.
step() {
	local folder=$1 name=$2 target=$3 start=$EPOCHREALTIME
	shift 3
	local run=("$program" "$@") command="ctxnorm $*"
	[[ $1 != shortforms ]] || run=("$out/$1" "${@:2}") command=$*
	command=${command//"$data"/\$CTXNORM_DATA}
	command=${command//"$out"/\$CTXNORM_ACCURACY}
	command=${command//"$base"/\$CTXNORM_BASE_MODEL}
	[[ ! -e $target ]] || return 0
	say "$name: $command"
	case $target in
	*/eval/*)
		"${run[@]}" >"$target.part"
		mv "$target.part" "$target"
		;;
	*) "${run[@]}" ;;
	esac
	awk -v name="$name" -v start="$start" -v end="$EPOCHREALTIME" -v version="$version" -v command="$command" \
		'BEGIN { printf "%s\t%.2f\t%s\t%s\n", name, (end - start) / 60, version, command }' >>"$folder/minutes.tsv"
}

if [[ -z ${CTXNORM_PUBMED:-} && ! -e $out/pubmed/done ]]; then
	say "making PubMed XML of the raw text"
	python3 bench/peers/make_pubmed_xml.py --raw "$data/raw/raw_text.jsonl.gz" --docs "${RECORDS:-0}" --files 8 --out "$out/pubmed" >&2
	touch "$out/pubmed/done"
fi
shopt -s nullglob
pubmed=("${CTXNORM_PUBMED:-$out/pubmed}"/*.xml.gz)
[[ ${#pubmed[@]} -gt 0 ]] || fail "${CTXNORM_PUBMED:-$out/pubmed} has no .xml.gz files" "CTXNORM_PUBMED names a folder of PubMed XML"

# The corpus has no document of the dev sets or of a test set.
{
	cat "$data/dict/test_pmids.txt"
	gzip -dc "$data"/gold/*_dev.pubtator.gz | sed -n 's/|t|.*//p'
	gzip -dc "$data"/gold/*_dev.jsonl.gz | python3 -c 'import json, sys; [print(json.loads(line)["id"]) for line in sys.stdin]'
} >"$out/exclude.txt"

# tables writes the tables of what was measured so far.
tables() {
	{
		"$out/accuracy" "$out"
		printf '\nMade with: %s.\n' "$settings"
	} >"$out/README.md.part"
	mv "$out/README.md.part" "$out/README.md"
}

# Sets of components, for --baselines.
mined=document_abbreviations+corpus_abbreviations+corpus_synonyms
sets_of_components=strings+document_abbreviations,strings+$mined,names+document_abbreviations,names+strings+$mined+composites
# Rankings beside the whole one where the context decides.
context_baselines=most-frequent-sense,strings,all-contexts-document_context
for seed in "${seeds[@]}"; do
	to=$out/seed$seed
	mkdir -p "$to/eval" "$to/context"
	made=(--seed "$seed" "${run[@]}")

	step "$to" "corpus" "$to/corpus/manifest.json" \
		build-corpus --dict "$half" "${dictionary[@]}" --corpus "$to/corpus" --exclude-pmids "$out/exclude.txt" "${made[@]}" "${pubmed[@]}"
	step "$to" "train" "$to/model/manifest.json" \
		train --dict "$half" "${dictionary[@]}" --corpus "$to/corpus" --model "$to/model" --base-model "$base" "${made[@]}" "${train[@]}"
	for set in "${sets[@]}"; do
		read -ra asked <<<"$(gold "$set") --ids $ids ${run[*]}"
		step "$to" "eval of $set, with ablation" "$to/eval/model.$set.json" \
			eval --model "$to/model" "${asked[@]}" --method ranked --baselines "exact,tfidf,lexical,count,weighted,$sets_of_components,all-contexts-document_context" \
			--ablate --errors "$to/eval/errors.$set.txt" --json
		step "$to" "eval of $set, concepts held out" "$to/eval/nil.$set.json" \
			eval --model "$to/model" "${asked[@]}" --method ranked --hold-out .1 --seed "$seed" --json
	done
	tables

	# Whether the context decides: gold of short forms from records that the corpus lacks. The
	# encoder is the one trained above, which has seen these records.
	context=$to/context
	hide=(shortforms --dict "$whole" --ids "$ids" --exclude-pmids "$out/exclude.txt" --seed "$seed" --share .3 --held-out "$context/heldout.txt")
	step "$to" "short forms" "$context/gold.jsonl" "${hide[@]}" --mentions-per-sense 25 --output "$context/gold.jsonl" "${pubmed[@]}"
	step "$to" "short forms, as frequent as they are" "$context/frequent.jsonl" "${hide[@]}" --mentions-per-sense 0 --output "$context/frequent.jsonl" "${pubmed[@]}"
	step "$to" "corpus without the short forms" "$context/corpus/manifest.json" \
		build-corpus --dict "$half" "${dictionary[@]}" --corpus "$context/corpus" --exclude-pmids "$context/heldout.txt" "${made[@]}" "${pubmed[@]}"
	step "$to" "train without the short forms, untrained" "$context/model/manifest.json" \
		train --untrained --dict "$half" "${dictionary[@]}" --corpus "$context/corpus" --model "$context/model" --base-model "$to/model/encoder" "${made[@]}"
	asked=(--model "$context/model" --ids "$ids" "${run[@]}" --method ranked --policy strict --min-probability auto --baselines "$context_baselines" --json)
	step "$to" "eval of short forms" "$to/eval/context.short_forms.json" \
		eval --gold "$context/gold.jsonl" "${asked[@]}" --errors "$to/eval/errors.short_forms.txt"
	step "$to" "eval of short forms, as frequent as they are" "$to/eval/context.short_forms_as_frequent.json" eval --gold "$context/frequent.jsonl" "${asked[@]}"
	asked[1]=$to/model
	step "$to" "eval of sentence pairs" "$to/eval/context.sentence_pairs.json" eval --gold "$root/eval/testdata/sentence_pairs.jsonl" "${asked[@]}"
	tables
done

# The rest is measured with the first seed alone.
to=$out/seed${seeds[0]}
made=(--seed "${seeds[0]}" "${run[@]}")

step "$to" "train, untrained" "$to/untrained/manifest.json" \
	train --untrained --dict "$half" "${dictionary[@]}" --corpus "$to/corpus" --model "$to/untrained" --base-model "$base" "${made[@]}"
for set in "${sets[@]}"; do
	read -ra asked <<<"$(gold "$set") --ids $ids ${run[*]}"
	step "$to" "eval of $set, untrained" "$to/eval/untrained.$set.json" \
		eval --model "$to/untrained" "${asked[@]}" --method weighted --baselines count,names+document_abbreviations --json
done
tables

# Contexts of the first files, with the encoder that was trained on all.
for files in "${corpora[@]}"; do
	[[ $files -lt ${#pubmed[@]} ]] || fail "CORPORA has $files, want less than ${#pubmed[@]}, the number of files"
	step "$to" "corpus of $files files" "$to/corpus$files/manifest.json" \
		build-corpus --dict "$half" "${dictionary[@]}" --corpus "$to/corpus$files" --exclude-pmids "$out/exclude.txt" "${made[@]}" "${pubmed[@]:0:files}"
	step "$to" "train of $files files, untrained" "$to/model$files/manifest.json" \
		train --untrained --dict "$half" "${dictionary[@]}" --corpus "$to/corpus$files" --model "$to/model$files" --base-model "$to/model/encoder" "${made[@]}"
	records=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["totals"]["records"])' "$to/corpus$files/manifest.json")
	for set in "${sets[@]}"; do
		read -ra asked <<<"$(gold "$set") --ids $ids ${run[*]}"
		step "$to" "eval of $set, $files files" "$to/eval/records$records.$set.json" \
			eval --model "$to/model$files" "${asked[@]}" --method ranked --baselines count,all-contexts,all-document_context,all-contexts-document_context --json
	done
	tables
done

[[ ${#fractions[@]} -eq 0 ]] || step "$to" "corpus of the whole dictionary" "$to/whole-corpus/manifest.json" \
	build-corpus --dict "$whole" "${dictionary[@]}" --corpus "$to/whole-corpus" --exclude-pmids "$out/exclude.txt" "${made[@]}" "${pubmed[@]}"
for fraction in "${fractions[@]}"; do
	step "$to" "train on $fraction" "$to/fraction$fraction/manifest.json" \
		train --dict "$whole" "${dictionary[@]}" --dict-fraction "$fraction" --corpus "$to/whole-corpus" \
		--model "$to/fraction$fraction" --base-model "$base" "${made[@]}" "${train[@]}"
	for set in "${sets[@]}"; do
		read -ra asked <<<"$(gold "$set") --ids $ids ${run[*]}"
		step "$to" "eval of $set on $fraction" "$to/eval/fraction$fraction.$set.json" \
			eval --model "$to/fraction$fraction" "${asked[@]}" --method ranked --baselines lexical --json
	done
	tables
done
cat "$out/README.md"
