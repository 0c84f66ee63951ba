package tokenizer

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// save writes the files of the folder, with the markers among the special tokens.
func (f *folder) save(dir string) error {
	definition, err := f.definition.json()
	if err != nil {
		return err
	}
	files := map[string][]byte{definitionFile: definition}
	if files[specialFile], err = f.savedSpecial(); err != nil {
		return err
	}
	if files[configFile], err = f.savedConfig(); err != nil {
		return err
	}
	if f.vocabulary != nil {
		files[vocabularyFile] = f.vocabulary
	}
	if err := artifact.MkdirAll(dir); err != nil {
		return err
	}
	for name, data := range files {
		if err := artifact.WriteFile(filepath.Join(dir, name), data); err != nil {
			return err
		}
	}
	return nil
}

// savedSpecial returns special_tokens_map.json, with a name for every role and the
// markers.
func (f *folder) savedSpecial() ([]byte, error) {
	out := make(map[string]any)
	for key, value := range f.special {
		out[key] = value
	}
	for _, role := range f.names.roles() {
		if _, ok := out[role.key]; !ok {
			out[role.key] = *role.value
		}
	}
	var err error
	if out[additionalKey], err = withMarkers(f.special); err != nil {
		return nil, fmt.Errorf("%s: %w", specialFile, err)
	}
	return encodeJSON(out)
}

// savedConfig returns tokenizer_config.json: what the folder had, every added token by
// its id, and the markers.
func (f *folder) savedConfig() ([]byte, error) {
	out := map[string]any{"tokenizer_class": "BertTokenizer"}
	for key, value := range f.config {
		out[key] = value
	}
	for _, role := range f.names.roles() {
		out[role.key] = *role.value
	}
	type decoded struct {
		Content    string `json:"content"`
		LStrip     bool   `json:"lstrip"`
		Normalized bool   `json:"normalized"`
		RStrip     bool   `json:"rstrip"`
		SingleWord bool   `json:"single_word"`
		Special    bool   `json:"special"`
	}
	decoder := make(map[string]decoded)
	for _, t := range f.definition.AddedTokens {
		decoder[strconv.Itoa(int(t.ID))] = decoded{t.Content, t.LStrip, t.Normalized, t.RStrip, t.SingleWord, t.Special}
	}
	out["added_tokens_decoder"] = decoder
	var err error
	if out[additionalKey], err = withMarkers(f.config); err != nil {
		return nil, fmt.Errorf("%s: %w", configFile, err)
	}
	return encodeJSON(out)
}

const additionalKey = "additional_special_tokens"

// withMarkers returns the additional special tokens of a file and the markers.
func withMarkers(c config) ([]any, error) {
	var tokens []any // strings, or objects with "content"
	if raw, ok := c[additionalKey]; ok {
		if err := json.Unmarshal(raw, &tokens); err != nil {
			return nil, fmt.Errorf("%s: %w", additionalKey, err)
		}
	}
	for _, marker := range []string{startMarker, endMarker} {
		if !slices.ContainsFunc(tokens, func(t any) bool {
			object, _ := t.(map[string]any)
			return t == marker || object["content"] == marker
		}) {
			tokens = append(tokens, marker)
		}
	}
	return tokens, nil
}
