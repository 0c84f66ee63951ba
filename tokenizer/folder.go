package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// The files of a tokenizer in a Hugging Face folder.
const (
	definitionFile = "tokenizer.json"
	vocabularyFile = "vocab.txt"
	configFile     = "tokenizer_config.json"
	specialFile    = "special_tokens_map.json"
)

// folder holds the tokenizer files of a folder.
type folder struct {
	definition *definition
	config     config // empty if there is no file
	special    config // empty if there is no file
	vocabulary []byte // content of vocab.txt, nil if there is none

	names specialTokens[string]
	ids   specialTokens[int32]
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
		return nil, fmt.Errorf("no tokenizer in %s: it has neither %s nor %s", dir, definitionFile, vocabularyFile)
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
	for _, marker := range []string{startMarker, endMarker} {
		if err := f.definition.addSpecial(marker); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return f, nil
}

// readNames reads the names of the special tokens from tokenizer_config.json, else from
// special_tokens_map.json. Tokens that neither names have the names of BERT.
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

// readOptional returns the content of a file, or nil if it does not exist.
func readOptional(path string) ([]byte, error) {
	data, err := artifact.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && data == nil {
		data = []byte{}
	}
	return data, err
}
