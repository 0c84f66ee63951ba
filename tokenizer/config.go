package tokenizer

import (
	"encoding/json"
	"fmt"
)

// config is a tokenizer_config.json or special_tokens_map.json, with the keys that this
// package does not use too.
type config map[string]json.RawMessage

// token returns the special token under a key, and whether there is one. Its value is a
// string, or an object with the token as "content".
func (c config) token(key string) (token string, ok bool, err error) {
	raw, ok := c[key]
	if !ok || string(raw) == "null" {
		return "", false, nil
	}
	if err := json.Unmarshal(raw, &token); err == nil {
		return token, true, nil
	}
	var object struct {
		Content *string `json:"content"`
	}
	if err := json.Unmarshal(raw, &object); err != nil || object.Content == nil {
		return "", false, fmt.Errorf("%s is %s, want a token", key, raw)
	}
	return *object.Content, true, nil
}

// flag returns the boolean under a key, or defaultValue if there is none.
func (c config) flag(key string, defaultValue bool) (bool, error) {
	raw, ok := c[key]
	if !ok || string(raw) == "null" {
		return defaultValue, nil
	}
	var value bool
	if err := json.Unmarshal(raw, &value); err != nil {
		return false, fmt.Errorf("%s is %s, want true or false", key, raw)
	}
	return value, nil
}

// specialTokens holds a value for each role of a special token.
type specialTokens[T any] struct{ Unk, Sep, Pad, Cls, Mask T }

// roles lists the fields of s with their keys in the files.
func (s *specialTokens[T]) roles() []role[T] {
	return []role[T]{
		{"unk_token", "[UNK]", &s.Unk}, {"sep_token", "[SEP]", &s.Sep}, {"pad_token", "[PAD]", &s.Pad},
		{"cls_token", "[CLS]", &s.Cls}, {"mask_token", "[MASK]", &s.Mask},
	}
}

type role[T any] struct {
	key      string
	standard string // the token of BERT
	value    *T
}
