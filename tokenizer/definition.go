package tokenizer

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	jsonv2 "github.com/go-json-experiment/json"
)

// definition is a tokenizer.json. Raw fields are written unchanged.
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

	// The fields of Model, parsed.
	vocabulary    map[string]int32           // token -> id
	modelSettings map[string]json.RawMessage // the other settings of Model
}

// addedToken is a token that is matched in the text before normalization.
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
		return nil, errors.New("no model")
	}
	if err := d.parseModel(); err != nil {
		return nil, err
	}
	for token, id := range d.vocabulary {
		if id < 0 {
			return nil, fmt.Errorf("model: token %.40q has id %d, want 0 or more", token, id)
		}
	}
	for _, added := range d.AddedTokens {
		if added.ID < 0 {
			return nil, fmt.Errorf("added token %.40q has id %d, want 0 or more", added.Content, added.ID)
		}
	}
	// Encode cuts sentences around mentions, and the encoder pads batches.
	d.Truncation, d.Padding = nil, nil
	return d, nil
}

// parseModel parses the field Model.
func (d *definition) parseModel() error {
	if err := json.Unmarshal(d.Model, &d.modelSettings); err != nil {
		return fmt.Errorf("model: %w", err)
	}
	var kind string
	if raw, ok := d.modelSettings["type"]; ok { // files of 2020 lack it
		if err := json.Unmarshal(raw, &kind); err != nil {
			return fmt.Errorf("model: type: %w", err)
		}
	}
	if kind != "" && kind != "WordPiece" { // other models have other types of vocab
		return fmt.Errorf("model is %q, want WordPiece", kind)
	}
	raw := d.modelSettings["vocab"]
	delete(d.modelSettings, "vocab")
	if raw != nil {
		if err := jsonv2.Unmarshal(raw, &d.vocabulary); err != nil {
			return fmt.Errorf("model: vocab: %w", err)
		}
	}
	if d.vocabulary == nil {
		return errors.New("model has no vocab")
	}
	return nil
}

// id returns the id of a token in the added tokens or the vocabulary.
func (d *definition) id(token string) (int32, bool) {
	for _, added := range d.AddedTokens {
		if added.Content == token {
			return added.ID, true
		}
	}
	id, ok := d.vocabulary[token]
	return id, ok
}

// size returns the highest id plus 1.
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

// addSpecial makes token a special token, like add_special_tokens of the Python library. The token keeps its id if it
// has one, and otherwise gets the next free id.
func (d *definition) addSpecial(token string) error {
	id, ok := d.id(token)
	d.AddedTokens = slices.DeleteFunc(d.AddedTokens, func(a addedToken) bool { return a.Content == token })
	ids := make(map[int32]string)
	for other, id := range d.vocabulary {
		ids[id] = other
	}
	for _, added := range d.AddedTokens {
		ids[added.ID] = added.Content
	}
	if !ok {
		// The library takes the number of tokens as the next id, so in a vocabulary with a gap in its ids it would
		// assign an id that is in use.
		id = int32(d.size())
		if len(ids) != int(id) {
			return fmt.Errorf("cannot add %s: %d tokens have ids up to %d, want consecutive ids from 0", token, len(ids), id-1)
		}
	}
	if other, ok := ids[id]; ok && other != token {
		return fmt.Errorf("id %d is the token %q, want %s", id, other, token)
	}
	d.AddedTokens = append(d.AddedTokens, addedToken{ID: id, Content: token, Special: true})
	sortByID(d.AddedTokens)
	return nil
}

func sortByID(tokens []addedToken) {
	slices.SortFunc(tokens, func(a, b addedToken) int { return cmp.Compare(a.ID, b.ID) })
}

// setNormalizer overrides the settings of a BertNormalizer with those of tokenizer_config.json, like transformers.
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
		nullable           bool // null is allowed: accents are stripped if lowercase is set
	}{
		{"do_lower_case", "lowercase", false},
		{"strip_accents", "strip_accents", true},
		{"tokenize_chinese_chars", "handle_chinese_chars", false},
	} {
		value, ok := c[setting.config]
		if !ok || string(value) == "null" && !setting.nullable {
			continue
		}
		var flag *bool
		if err := json.Unmarshal(value, &flag); err != nil {
			return fmt.Errorf("%s in %s is %s, want true or false", setting.config, configFile, value)
		}
		normalizer[setting.normalizer] = value
	}
	var err error
	d.Normalizer, err = encodeJSON(normalizer)
	return err
}

// hash returns the hexadecimal SHA-256 of the content, regardless of white space and the order of keys. It does not
// parse the vocabulary again, which would take .3 s.
func (d *definition) hash() (string, error) {
	rest := *d
	rest.Model = nil
	content, err := jsonObject(rest)
	if err != nil {
		return "", err
	}
	model := map[string]any{"vocab": d.vocabulary}
	for key, value := range d.modelSettings {
		model[key] = value
	}
	content["model"] = model
	canonical, err := json.Marshal(content) // sorts keys
	return fmt.Sprintf("%x", sha256.Sum256(canonical)), err
}

// jsonObject returns a value as a decoded JSON object.
func jsonObject(v any) (content map[string]any, err error) {
	data, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(data, &content)
	}
	return content, err
}

// encodeJSON returns indented JSON without escapes for HTML.
func encodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}
