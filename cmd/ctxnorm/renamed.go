package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// renamedFlags holds the flags of before version 0.1.0 that have a new name, by command.
var renamedFlags = map[string]map[string]string{
	"build-corpus": {"per-name": "sentences-per-name"},
	"train": {
		"pairs": "concepts-per-batch", "name-share": "name-batch-ratio", "warmup-share": "warmup-ratio",
		"reword-mention": "synonym-replace-prob", "base-share": "weight-interpolation",
		"context-base": "context-lambda", "names-base": "names-lambda", "mined": "corpus-synonyms",
		"method": "recipe",
	},
	"link":       {"name-share": "name-vote-share"},
	"eval":       {"name-share": "name-vote-share", "beside": "baselines", "against": "compare", "types": "gold-types"},
	"calibrate":  {"types": "gold-types"},
	"similarity": {"encoder": "encoder-folder"},
	"synonyms":   {"encoder": "encoder-folder", "k": "neighbors"},
	"serve":      {"batch": "batch-size"},
	"inspect":    {"mined": "list synonyms", "corpus-synonyms": "list synonyms", "abbreviations": "list abbreviations"},
}

// renamedFlag returns an error that names the new flag when err is about an old one, and
// nil otherwise.
func renamedFlag(cmd *cobra.Command, err error) error {
	name, ok := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !ok {
		return nil
	}
	current, ok := renamedFlags[cmd.Name()][name]
	if !ok {
		return nil
	}
	return fmt.Errorf("--%s is now called --%s", name, current)
}
