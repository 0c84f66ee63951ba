package tokenizer

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// The files of a tokenizer in a Hugging Face folder.
const (
	definitionFile = "tokenizer.json"
	vocabularyFile = "vocab.txt"
	configFile     = "tokenizer_config.json"
	specialFile    = "special_tokens_map.json"
)

// roles lists the keys of the special tokens in the files, each with BERT's token.
var roles = []struct{ key, standard string }{
	{"unk_token", "[UNK]"}, {"sep_token", "[SEP]"}, {"pad_token", "[PAD]"}, {"cls_token", "[CLS]"},
	{"mask_token", "[MASK]"},
}

// folder holds the tokenizer files of a folder.
type folder struct {
	definition *definition
	config     config            // empty if there is no file
	special    config            // empty if there is no file
	vocabulary []byte            // content of vocab.txt, nil if there is none
	names      map[string]string // role -> special token
}

// config is a tokenizer_config.json or special_tokens_map.json, including keys that this package does not use.
type config map[string]json.RawMessage

func readFolder(dir string) (*folder, error) {
	f := &folder{names: make(map[string]string)}
	for _, role := range roles {
		f.names[role.key] = role.standard
	}
	// Names in tokenizer_config.json override those in special_tokens_map.json.
	if err := cmp.Or(
		readConfig(filepath.Join(dir, specialFile), &f.special, f.names),
		readConfig(filepath.Join(dir, configFile), &f.config, f.names),
	); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, vocabularyFile)
	vocabulary, err := readOptional(path)
	if err != nil {
		return nil, err
	}
	f.vocabulary = vocabulary
	data, err := readOptional(filepath.Join(dir, definitionFile))
	switch {
	case err != nil:
		return nil, err
	case data != nil:
		path = filepath.Join(dir, definitionFile)
		f.definition, err = parseDefinition(data)
	case vocabulary != nil:
		f.definition, err = fromVocabulary(vocabulary, f.names, f.config)
	default:
		return nil, fmt.Errorf("no tokenizer in %s: it has neither %s nor %s", dir, definitionFile, vocabularyFile)
	}
	if err == nil {
		err = f.complete()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// complete applies the settings of the configuration to the definition and adds the markers.
func (f *folder) complete() error {
	if err := f.definition.setNormalizer(f.config); err != nil {
		return err
	}
	for _, role := range roles {
		if _, ok := f.definition.id(f.names[role.key]); !ok {
			return fmt.Errorf("no token %s, the %s of this folder", f.names[role.key], role.key)
		}
	}
	return cmp.Or(f.definition.addSpecial(startMarker), f.definition.addSpecial(endMarker))
}

// readConfig reads a file if it exists, and the names of its special tokens. A token is a string, or an object with the
// token as "content".
func readConfig(path string, c *config, names map[string]string) error {
	data, err := readOptional(path)
	if err != nil || data == nil {
		return err
	}
	if err := json.Unmarshal(data, c); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for _, role := range roles {
		raw, ok := (*c)[role.key]
		if !ok || string(raw) == "null" {
			continue
		}
		var name string
		var object struct{ Content *string }
		if json.Unmarshal(raw, &name) == nil {
			names[role.key] = name
		} else if err := json.Unmarshal(raw, &object); err == nil && object.Content != nil {
			names[role.key] = *object.Content
		} else {
			return fmt.Errorf("%s: %s is %s, want a token", path, role.key, raw)
		}
	}
	return nil
}

// readOptional returns the content of a file, or nil if it does not exist.
func readOptional(path string) ([]byte, error) {
	data, err := artifact.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// save writes the files of the folder, with the markers among the special tokens.
func (f *folder) save(dir string) error {
	config := map[string]any{"tokenizer_class": "BertTokenizer"}
	special := make(map[string]any)
	for _, role := range roles {
		special[role.key] = f.names[role.key]
	}
	for key, value := range f.special {
		special[key] = value
	}
	for key, value := range f.config {
		config[key] = value
	}
	for _, role := range roles {
		config[role.key] = f.names[role.key]
	}
	decoder := make(map[string]any)
	for _, token := range f.definition.AddedTokens {
		object, err := jsonObject(token)
		if err != nil {
			return err
		}
		delete(object, "id")
		decoder[strconv.Itoa(int(token.ID))] = object
	}
	config["added_tokens_decoder"] = decoder
	files := map[string]any{definitionFile: f.definition, specialFile: special, configFile: config}
	for name, c := range map[string]map[string]any{specialFile: special, configFile: config} {
		if err := addMarkers(c); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if err := artifact.MkdirAll(dir); err != nil {
		return err
	}
	for name, content := range files {
		data, err := encodeJSON(content)
		if err == nil {
			err = artifact.WriteFile(filepath.Join(dir, name), data)
		}
		if err != nil {
			return err
		}
	}
	if f.vocabulary == nil {
		return nil
	}
	return artifact.WriteFile(filepath.Join(dir, vocabularyFile), f.vocabulary)
}

// addMarkers adds the markers to the additional special tokens of a file.
func addMarkers(c map[string]any) error {
	const key = "additional_special_tokens"
	var tokens []any // strings, or objects with "content"
	if raw, ok := c[key]; ok {
		if err := json.Unmarshal(raw.(json.RawMessage), &tokens); err != nil {
			return fmt.Errorf("%s: %w", key, err)
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
	c[key] = tokens
	return nil
}
