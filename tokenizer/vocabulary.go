package tokenizer

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// fromVocabulary returns the tokenizer.json that transformers makes of a vocab.txt. The
// file has one token a line; the id of a token is its line number, counted from 0.
func fromVocabulary(data []byte, names map[string]string, c config) (*definition, error) {
	if err := checkClass(c); err != nil {
		return nil, err
	}
	vocabulary, err := parseVocabulary(data)
	if err != nil {
		return nil, err
	}
	d := &definition{Version: "1.0"}
	for _, role := range roles {
		name := names[role.key]
		id, ok := vocabulary[name]
		if !ok {
			return nil, fmt.Errorf("no token %s, the %s of this folder", name, role.key)
		}
		d.AddedTokens = append(d.AddedTokens, addedToken{ID: id, Content: name, Special: true})
	}
	sortByID(d.AddedTokens)

	for _, field := range []struct {
		to    *json.RawMessage
		value object
	}{
		{&d.Normalizer, object{
			"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true,
		}},
		{&d.PreTokenizer, object{"type": "BertPreTokenizer"}},
		{&d.PostProcessor, postProcessor(names["cls_token"], names["sep_token"], vocabulary)},
		{&d.Decoder, object{"type": "WordPiece", "prefix": "##", "cleanup": true}},
		{&d.Model, object{
			"type": "WordPiece", "unk_token": names["unk_token"], "continuing_subword_prefix": "##",
			"max_input_chars_per_word": 100, "vocab": vocabulary,
		}},
	} {
		if *field.to, err = encodeJSON(field.value); err != nil {
			return nil, err
		}
	}
	return d, d.parseModel()
}

// object is an object of JSON.
type object = map[string]any

// postProcessor returns the component that puts the special tokens cls and sep around a text, or around two.
func postProcessor(cls, sep string, vocabulary map[string]int32) object {
	token := func(name string, segment int) object {
		return object{"SpecialToken": object{"id": name, "type_id": segment}}
	}
	sequence := func(name string, segment int) object {
		return object{"Sequence": object{"id": name, "type_id": segment}}
	}
	definitionOf := func(name string) object {
		return object{"id": name, "ids": []int32{vocabulary[name]}, "tokens": []string{name}}
	}
	return object{
		"type":           "TemplateProcessing",
		"single":         []object{token(cls, 0), sequence("A", 0), token(sep, 0)},
		"pair":           []object{token(cls, 0), sequence("A", 0), token(sep, 0), sequence("B", 1), token(sep, 1)},
		"special_tokens": object{cls: definitionOf(cls), sep: definitionOf(sep)},
	}
}

func parseVocabulary(data []byte) (map[string]int32, error) {
	text := strings.TrimSuffix(string(data), "\n")
	vocabulary := make(map[string]int32)
	for line := range strings.SplitSeq(text, "\n") {
		token := strings.TrimSuffix(line, "\r")
		id := int32(len(vocabulary))
		if first, ok := vocabulary[token]; ok {
			return nil, fmt.Errorf("line %d: token %q is on line %d too", id+1, token, first+1)
		}
		vocabulary[token] = id
	}
	return vocabulary, nil
}

// wordPieceClasses are the classes of tokenizers in transformers that read a vocab.txt as
// BERT does. Their fast variants have the same names with "Fast".
var wordPieceClasses = []string{"BertTokenizer", "ConvBertTokenizer", "DistilBertTokenizer", "ElectraTokenizer",
	"LayoutLMTokenizer", "LxmertTokenizer", "MobileBertTokenizer", "PreTrainedTokenizer", "RetriBertTokenizer",
	"SqueezeBertTokenizer"}

// checkClass returns an error if tokenizer_config.json names a tokenizer that does not read
// its vocab.txt as BERT does, such as BertJapaneseTokenizer.
func checkClass(c config) error {
	raw, ok := c["tokenizer_class"]
	if !ok || string(raw) == "null" {
		return nil
	}
	var class string
	_ = json.Unmarshal(raw, &class) // what is no string is no class either
	if !slices.Contains(wordPieceClasses, strings.TrimSuffix(class, "Fast")) {
		return fmt.Errorf("tokenizer_class in %s is %.60q, want a tokenizer.json, or one of %s", configFile, class,
			strings.Join(wordPieceClasses, ", "))
	}
	return nil
}
