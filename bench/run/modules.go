package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
)

// peerModules are what the peers' scripts import.
var peerModules = []string{"ahocorasick", "faiss", "flashtext", "hnswlib", "lxml", "numpy", "pubmed_parser",
	"pytorch_metric_learning", "spacy", "torch", "transformers"}

// findModules says which of the peers' modules a Python has, without loading them.
// No Python at all is no module.
func findModules(ctx context.Context, python string) (map[string]bool, error) {
	const script = `import importlib.util, json, sys
print(json.dumps({name: importlib.util.find_spec(name) is not None for name in sys.argv[1:]}))`
	installed := map[string]bool{}
	if _, err := exec.LookPath(python); err != nil {
		say("there is no %s: bench/peers/README.md says how to install the peers", python)
		return installed, nil
	}
	out, err := exec.CommandContext(ctx, python, append([]string{"-c", script}, peerModules...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", python, err)
	}
	if err := json.Unmarshal(out, &installed); err != nil {
		return nil, fmt.Errorf("%s: %w", python, err)
	}
	return installed, nil
}
