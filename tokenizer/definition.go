//go:build torch

package tokenizer

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// definition is a tokenizer.json: the parts that are read or changed here, and
// the others as they are.
type definition struct {
	Version       string          `json:"version"`
	Truncation    json.RawMessage `json:"truncation"`
	Padding       json.RawMessage `json:"padding"`
	AddedTokens   []addedToken    `json:"added_tokens"`
	Normalizer    json.RawMessage `json:"normalizer"`
	PreTokenizer  json.RawMessage `json:"pre_tokenizer"`
	PostProcessor json.RawMessage `json:"post_processor"`
	Decoder       json.RawMessage `json:"decoder"`
	Model         json.RawMessage `json:"model"`

	vocabulary map[string]int32 // of the model
}

// addedToken is a token that is found in the text before anything else is done
// to it.
type addedToken struct {
	ID         int32  `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"`
	LStrip     bool   `json:"lstrip"`
	RStrip     bool   `json:"rstrip"`
	Normalized bool   `json:"normalized"`
	Special    bool   `json:"special"`
}

func parseDefinition(data []byte) (*definition, error) {
	d := &definition{Version: "1.0"}
	if err := json.Unmarshal(data, d); err != nil {
		return nil, err
	}
	if d.Model == nil {
		return nil, errors.New("no model in it")
	}
	var model struct {
		Type  string           `json:"type"`
		Vocab map[string]int32 `json:"vocab"`
	}
	err := json.Unmarshal(d.Model, &model)
	if model.Type != "" && model.Type != "WordPiece" { // files of 2020 have no type
		return nil, fmt.Errorf("model is %q, want WordPiece", model.Type) // whose vocab may be another thing
	}
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	if model.Vocab == nil {
		return nil, errors.New("model has no vocab")
	}
	d.vocabulary = model.Vocab
	// The window is ours to cut, and batches are padded by the encoder.
	d.Truncation, d.Padding = nil, nil
	return d, nil
}

// id finds a token among the added tokens and in the vocabulary.
func (d *definition) id(token string) (int32, bool) {
	for _, added := range d.AddedTokens {
		if added.Content == token {
			return added.ID, true
		}
	}
	id, ok := d.vocabulary[token]
	return id, ok
}

// size is the highest id and one more.
func (d *definition) size() int {
	highest := int32(-1)
	for _, id := range d.vocabulary {
		highest = max(highest, id)
	}
	for _, added := range d.AddedTokens {
		highest = max(highest, added.ID)
	}
	return int(highest) + 1
}

// addSpecial makes token a special token, as add_special_tokens of the Python
// library does: under the id that it has, or under the next one free.
func (d *definition) addSpecial(token string) error {
	added := addedToken{Content: token, Special: true}
	if i := slices.IndexFunc(d.AddedTokens, func(a addedToken) bool { return a.Content == token }); i >= 0 {
		added.ID = d.AddedTokens[i].ID
		d.AddedTokens[i] = added
		return nil
	}
	id, ok := d.id(token)
	if !ok {
		// The library gives the next id after the number of tokens, so a
		// vocabulary whose ids have a gap would see one of them given twice.
		id = int32(d.size())
		if tokens := d.tokens(); tokens != int(id) {
			return fmt.Errorf("cannot add %s: %d tokens have ids up to %d, want every id from 0 to be of one token", token, tokens, id-1)
		}
	}
	added.ID = id
	d.AddedTokens = append(d.AddedTokens, added)
	sortByID(d.AddedTokens)
	return nil
}

func sortByID(tokens []addedToken) {
	slices.SortFunc(tokens, func(a, b addedToken) int { return cmp.Compare(a.ID, b.ID) })
}

// tokens is the number of distinct tokens.
func (d *definition) tokens() int {
	n := len(d.vocabulary)
	for _, added := range d.AddedTokens {
		if _, ok := d.vocabulary[added.Content]; !ok {
			n++
		}
	}
	return n
}

// setNormalizer overrules the settings of a BertNormalizer that
// tokenizer_config.json states, as transformers does.
func (d *definition) setNormalizer(c config) error {
	if d.Normalizer == nil {
		return nil
	}
	var normalizer map[string]json.RawMessage
	if err := json.Unmarshal(d.Normalizer, &normalizer); err != nil {
		return fmt.Errorf("normalizer: %w", err)
	}
	if string(normalizer["type"]) != `"BertNormalizer"` {
		return nil
	}
	for _, setting := range []struct {
		config, normalizer string
		nullable           bool // null is a value: accents go where capitals go
	}{
		{"do_lower_case", "lowercase", false},
		{"strip_accents", "strip_accents", true},
		{"tokenize_chinese_chars", "handle_chinese_chars", false},
	} {
		value, ok := c[setting.config]
		if ok && (setting.nullable || string(value) != "null") {
			normalizer[setting.normalizer] = value
		}
	}
	var err error
	d.Normalizer, err = json.Marshal(normalizer)
	return err
}

// json is the file's content, to be read by people: without the escapes for HTML that
// Go's JSON would put in.
func (d *definition) json() ([]byte, error) { return encodeJSON(d) }

// hash identifies the content, however it is spaced and ordered. The vocabulary, of
// which nearly all is, is not parsed again.
func (d *definition) hash() (string, error) {
	rest := *d
	rest.Model = nil
	content, err := parsed(rest)
	if err != nil {
		return "", err
	}
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(d.Model, &parts); err != nil {
		return "", err
	}
	delete(parts, "vocab")
	model, err := parsed(parts)
	if err != nil {
		return "", err
	}
	model["vocab"] = d.vocabulary
	content["model"] = model
	canonical, err := json.Marshal(content) // sorts keys
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(canonical)
	return hex.EncodeToString(sum[:]), nil
}

// parsed is a value as its JSON is read.
func parsed(v any) (content map[string]any, err error) {
	data, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(data, &content)
	}
	return content, err
}

func encodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}
