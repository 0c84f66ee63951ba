package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// baseModelCases train on base models that are damaged or made to harm: these come from
// the internet.
func baseModelCases(l *lab) []hostileCase {
	config := func(field string, value any) func(dir string, r *rand.Rand) error {
		return func(dir string, _ *rand.Rand) error { return setConfig(dir, field, value) }
	}
	file := func(name, text string) func(dir string, r *rand.Rand) error {
		return func(dir string, _ *rand.Rand) error {
			return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)
		}
	}
	hostile := map[string]func(dir string, r *rand.Rand) error{
		"an empty model.safetensors": file("model.safetensors", ""),
		"an empty pytorch_model.bin": func(dir string, _ *rand.Rand) error {
			return errors.Join(os.Remove(filepath.Join(dir, "model.safetensors")), os.WriteFile(filepath.Join(dir, "pytorch_model.bin"), nil, 0o644))
		},
		"a pytorch_model.bin of random bytes": func(dir string, r *rand.Rand) error {
			return errors.Join(os.Remove(filepath.Join(dir, "model.safetensors")), os.WriteFile(filepath.Join(dir, "pytorch_model.bin"), randomBytes(r, 10_000), 0o644))
		},
		"an empty config.json":                    file("config.json", ""),
		"an empty vocab.txt":                      file("vocab.txt", ""),
		"a vocabulary of NUL":                     file("vocab.txt", strings.Repeat("\x00\n", 125)),
		"an empty tokenizer":                      file("tokenizer.json", ""),
		"a tokenizer of nothing":                  file("tokenizer.json", "{}"),
		"a Precompiled normalizer that is broken": tokenizer(`{"type": "Precompiled", "precompiled_charsmap": "AAAA"}`, `{"type": "BertPreTokenizer"}`),
		"a Precompiled normalizer that is empty":  tokenizer(`{"type": "Precompiled", "precompiled_charsmap": ""}`, `{"type": "BertPreTokenizer"}`),
		"a Precompiled normalizer of a huge trie": tokenizer(`{"type": "Precompiled", "precompiled_charsmap": "/////w=="}`, `{"type": "BertPreTokenizer"}`),
		"a regular expression that backtracks":    tokenizer(`null`, `{"type": "Split", "pattern": {"Regex": "(([a-z])+.)+[A-Z]([a-z])+$|(x+x+)+y"}, "behavior": "Isolated", "invert": false}`),
		"a regular expression that is broken":     tokenizer(`null`, `{"type": "Split", "pattern": {"Regex": "(("}, "behavior": "Isolated", "invert": false}`),
		"a safetensors header of 2^62 bytes": func(dir string, _ *rand.Rand) error {
			return os.WriteFile(filepath.Join(dir, "model.safetensors"), binary.LittleEndian.AppendUint64(nil, 1<<62), 0o644)
		},
	}
	for field, values := range map[string][]any{
		"num_hidden_layers": {10_000_000, 0, -1, 1 << 40}, "hidden_size": {1 << 30, 0, -32, 33}, "num_attention_heads": {0, 3, -4, 1 << 30},
		"vocab_size": {1 << 40, 0, -1, 1}, "max_position_embeddings": {1 << 40, 0, 1}, "intermediate_size": {1 << 40, 0, -1},
		"layer_norm_eps": {-1, 0, 1e300}, "hidden_act": {"none", 1}, "model_type": {"gpt2", nil}, "type_vocab_size": {0, 1 << 40},
	} {
		for _, value := range values {
			hostile[fmt.Sprintf("%s is %v", field, value)] = config(field, value)
		}
	}
	var all []hostileCase
	for name, change := range hostile {
		all = append(all, baseModelCase("hostile base model", name, change))
	}
	sortCases(all)
	for i := range l.settings.Mutations / 50 {
		file := []string{"config.json", "model.safetensors", "vocab.txt", "tokenizer_config.json"}[i%4]
		all = append(all, baseModelCase("mutated base model", fmt.Sprintf("%s, %d", file, i/4+1), func(dir string, r *rand.Rand) error {
			_, err := mutateFile(r, filepath.Join(dir, file))
			return err
		}))
	}
	return all
}

func baseModelCase(class, name string, change func(dir string, r *rand.Rand) error) hostileCase {
	return hostileCase{class: class, name: name, run: func(l *lab, dir string) error {
		if err := l.needEncoder(); err != nil {
			return err
		}
		base := filepath.Join(dir, "base")
		if err := errors.Join(os.CopyFS(base, os.DirFS(l.settings.BaseModel)), change(base, l.settings.random(class+name))); err != nil {
			return err
		}
		args := l.indexGraph(filepath.Join(dir, "model"))
		for i := range args {
			if args[i] == l.settings.BaseModel {
				args[i] = base
			}
		}
		o, err := l.run(command{args: args})
		if err == nil {
			err = o.fault()
		}
		return err
	}}
}

// setConfig sets a field of config.json.
func setConfig(dir, field string, value any) error {
	path := filepath.Join(dir, "config.json")
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	fields := map[string]any{}
	if err := json.Unmarshal(data, &fields); err != nil {
		return err
	}
	fields[field] = value
	if data, err = json.Marshal(fields); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// tokenizer returns a change that writes a tokenizer.json with a normalizer and a
// pre-tokenizer over the vocabulary of the base model.
func tokenizer(normalizer, preTokenizer string) func(dir string, r *rand.Rand) error {
	return func(dir string, _ *rand.Rand) error {
		data, err := os.ReadFile(filepath.Join(dir, "vocab.txt"))
		if err != nil {
			return err
		}
		vocabulary := map[string]int{}
		for i, word := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
			vocabulary[word] = i
		}
		ids, err := json.Marshal(vocabulary)
		if err != nil {
			return err
		}
		text := fmt.Sprintf(`{"version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": %s, "pre_tokenizer": %s,
"post_processor": {"type": "BertProcessing", "sep": ["[SEP]", %d], "cls": ["[CLS]", %d]}, "decoder": null,
"model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": %s}}`,
			normalizer, preTokenizer, vocabulary["[SEP]"], vocabulary["[CLS]"], ids)
		return os.WriteFile(filepath.Join(dir, "tokenizer.json"), []byte(text), 0o644)
	}
}
