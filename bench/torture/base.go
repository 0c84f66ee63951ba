package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// baseModelCases index by base models that are damaged or made to harm: these come from the internet.
func (l *lab) baseModelCases() []hostileCase {
	var all []hostileCase
	add := func(class, name string, change func(base string, r *rand.Rand) error) {
		all = append(all, hostileCase{class, name, func(dir string, r *rand.Rand) error {
			base := filepath.Join(dir, "base")
			if err := errors.Join(l.copyFixture("base", base), change(base, r)); err != nil {
				return err
			}
			_, err := l.behaved(command{args: l.args(strings.Replace(trainGraph, "{base}", "{to}", 1)+" --model {dir}/model", dir, base), dir: dir})
			return err
		}})
	}
	for i, row := range rows("base.txt") {
		name := fmt.Sprintf("%d, %.60s", i+1, strings.Join(row, " "))
		add("hostile base model", name, func(base string, _ *rand.Rand) error { return makeHostile(base, row) })
	}
	for i := range l.settings.Mutations / 50 {
		name := []string{"config.json", "model.safetensors", "vocab.txt", "tokenizer_config.json"}[i%4]
		add("mutated base model", fmt.Sprintf("%s, %d", name, i/4+1), func(base string, r *rand.Rand) error {
			_, err := mutateFile(r, filepath.Join(base, name))
			return err
		})
	}
	return all
}

// makeHostile changes a base model as a row of base.txt says.
func makeHostile(base string, row []string) error {
	path := filepath.Join(base, row[0])
	if len(row) == 3 {
		fields := map[string]json.RawMessage{}
		data, err := os.ReadFile(path)
		if err == nil {
			err = json.Unmarshal(data, &fields)
		}
		fields[row[1]] = json.RawMessage(row[2])
		data, marshalErr := json.Marshal(fields)
		return errors.Join(err, marshalErr, os.WriteFile(path, data, 0o644))
	}
	if row[0] == "pytorch_model.bin" { // is read where there is no model.safetensors
		if err := os.Remove(filepath.Join(base, "model.safetensors")); err != nil {
			return err
		}
	}
	text, err := strconv.Unquote(row[1])
	return errors.Join(err, os.WriteFile(path, []byte(text), 0o644))
}
