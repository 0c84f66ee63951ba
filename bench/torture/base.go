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

// hostileSettings are values of config.json that harm.
var hostileSettings = map[string][]any{
	"num_hidden_layers": {10_000_000, 0, -1, 1 << 40}, "hidden_size": {1 << 30, 0, -32, 33}, "num_attention_heads": {0, 3, -4, 1 << 30},
	"vocab_size": {1 << 40, 0, -1, 1}, "max_position_embeddings": {1 << 40, 0, 1}, "intermediate_size": {1 << 40, 0, -1},
	"layer_norm_eps": {-1, 0, 1e300}, "hidden_act": {"none", 1}, "model_type": {"gpt2", nil}, "type_vocab_size": {0, 1 << 40},
}

// hostileTokenizers are a normalizer and a pre-tokenizer of tokenizer.json each, that are broken or harm.
var hostileTokenizers = [][2]string{
	{`{"type": "Precompiled", "precompiled_charsmap": "AAAA"}`, `{"type": "BertPreTokenizer"}`},
	{`{"type": "Precompiled", "precompiled_charsmap": ""}`, `{"type": "BertPreTokenizer"}`},
	{`{"type": "Precompiled", "precompiled_charsmap": "/////w=="}`, `{"type": "BertPreTokenizer"}`},
	{`null`, `{"type": "Split", "pattern": {"Regex": "(([a-z])+.)+[A-Z]([a-z])+$|(x+x+)+y"}, "behavior": "Isolated", "invert": false}`},
	{`null`, `{"type": "Split", "pattern": {"Regex": "(("}, "behavior": "Isolated", "invert": false}`},
}

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
	file := func(name, what, text string) {
		add("hostile base model", name+what, func(base string, _ *rand.Rand) error {
			if name == "pytorch_model.bin" {
				if err := os.Remove(filepath.Join(base, "model.safetensors")); err != nil {
					return err
				}
			}
			return os.WriteFile(filepath.Join(base, name), []byte(text), 0o644)
		})
	}
	for _, name := range []string{"model.safetensors", "pytorch_model.bin", "config.json", "vocab.txt", "tokenizer.json"} {
		file(name, ", empty", "")
	}
	file("pytorch_model.bin", " of random bytes", string(randomBytes(rand.New(rand.NewPCG(1, 1)), 10_000)))
	file("vocab.txt", " of NUL", strings.Repeat("\x00\n", 125))
	file("tokenizer.json", " of nothing", "{}")
	file("model.safetensors", " with a header of 2^62 bytes", string(binary.LittleEndian.AppendUint64(nil, 1<<62)))
	for i, t := range hostileTokenizers {
		add("hostile base model", fmt.Sprintf("tokenizer.json, %d", i+1), func(base string, _ *rand.Rand) error { return writeTokenizer(base, t[0], t[1]) })
	}
	for field, values := range hostileSettings {
		for _, value := range values {
			add("hostile base model", fmt.Sprintf("%s is %v", field, value), func(base string, _ *rand.Rand) error {
				path, fields := filepath.Join(base, "config.json"), map[string]any{}
				data, err := os.ReadFile(path)
				if err == nil {
					err = json.Unmarshal(data, &fields)
				}
				fields[field] = value
				data, marshalErr := json.Marshal(fields)
				return errors.Join(err, marshalErr, os.WriteFile(path, data, 0o644))
			})
		}
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

// writeTokenizer writes a tokenizer.json over the vocabulary of the base model.
func writeTokenizer(base, normalizer, preTokenizer string) error {
	data, err := os.ReadFile(filepath.Join(base, "vocab.txt"))
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
	return os.WriteFile(filepath.Join(base, "tokenizer.json"), []byte(text), 0o644)
}
