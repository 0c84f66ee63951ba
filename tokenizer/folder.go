//go:build torch

package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/google/renameio/v2"
)

// The files of a tokenizer in a Hugging Face folder.
const (
	definitionFile = "tokenizer.json"
	vocabularyFile = "vocab.txt"
	configFile     = "tokenizer_config.json"
	specialFile    = "special_tokens_map.json"
)

// folder is what a folder holds of a tokenizer.
type folder struct {
	definition *definition
	config     config // empty where there is no file
	special    config // empty where there is no file
	vocabulary []byte // of vocab.txt; nil where there is none

	names special[string]
	ids   special[int32]
}

func readFolder(dir string) (*folder, error) {
	f := new(folder)
	if err := readConfig(filepath.Join(dir, configFile), &f.config); err != nil {
		return nil, err
	}
	if err := readConfig(filepath.Join(dir, specialFile), &f.special); err != nil {
		return nil, err
	}
	if err := f.readNames(dir); err != nil {
		return nil, err
	}
	vocabularyPath := filepath.Join(dir, vocabularyFile)
	vocabulary, err := readOptional(vocabularyPath)
	if err != nil {
		return nil, err
	}
	f.vocabulary = vocabulary

	path := filepath.Join(dir, definitionFile)
	data, err := readOptional(path)
	switch {
	case err != nil:
		return nil, err
	case data != nil:
		if f.definition, err = parseDefinition(data); err == nil {
			err = f.definition.setNormalizer(f.config)
		}
	case vocabulary != nil:
		path = vocabularyPath
		f.definition, err = fromVocabulary(vocabulary, f.names, f.config)
	default:
		return nil, fmt.Errorf("no tokenizer in %s: neither %s nor %s is there", dir, definitionFile, vocabularyFile)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	ids := f.ids.roles()
	for i, role := range f.names.roles() {
		id, ok := f.definition.id(*role.value)
		if !ok {
			return nil, fmt.Errorf("%s: no token %s, the %s of this folder", path, *role.value, role.key)
		}
		*ids[i].value = id
	}
	for _, marker := range []string{EntStart, EntEnd} {
		if err := f.definition.addSpecial(marker); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return f, nil
}

// readNames finds what the special tokens are called: as
// tokenizer_config.json says, or else special_tokens_map.json, or else as BERT
// calls them.
func (f *folder) readNames(dir string) error {
	for _, role := range f.names.roles() {
		*role.value = role.standard
		for _, source := range []struct {
			file   string
			config config
		}{{specialFile, f.special}, {configFile, f.config}} {
			token, ok, err := source.config.token(role.key)
			if err != nil {
				return fmt.Errorf("%s: %w", filepath.Join(dir, source.file), err)
			}
			if ok {
				*role.value = token
			}
		}
	}
	return nil
}

// save writes the folder's files, the markers among the special tokens.
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
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, data := range files {
		if err := renameio.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// savedSpecial is special_tokens_map.json: a name for every role, and the
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

// savedConfig is tokenizer_config.json: what was there, every added token by
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

// withMarkers lists the additional special tokens of a file and the markers.
func withMarkers(c config) ([]any, error) {
	var tokens []any // strings, or objects with "content"
	if raw, ok := c[additionalKey]; ok {
		if err := json.Unmarshal(raw, &tokens); err != nil {
			return nil, fmt.Errorf("%s: %w", additionalKey, err)
		}
	}
	for _, marker := range []string{EntStart, EntEnd} {
		if !slices.ContainsFunc(tokens, func(t any) bool {
			object, _ := t.(map[string]any)
			return t == marker || object["content"] == marker
		}) {
			tokens = append(tokens, marker)
		}
	}
	return tokens, nil
}

func readConfig(path string, c *config) error {
	data, err := readOptional(path)
	if err != nil || data == nil {
		return err
	}
	if err := json.Unmarshal(data, c); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// readOptional is nil for a file that is not there.
func readOptional(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && data == nil {
		data = []byte{}
	}
	return data, err
}
