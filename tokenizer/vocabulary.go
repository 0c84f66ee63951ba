package tokenizer

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// bertDefinition is the tokenizer.json that transformers creates from a vocab.txt. Its arguments are unk_token, vocab,
// cls_token, sep_token, and an object that describes the latter two by name.
const bertDefinition = `{
"version": "1.0",
"normalizer": {"clean_text": true, "handle_chinese_chars": true, "lowercase": true, "strip_accents": null,
  "type": "BertNormalizer"},
"pre_tokenizer": {"type": "BertPreTokenizer"},
"post_processor": {
  "pair": [{"SpecialToken": {"id": %[3]s, "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
    {"SpecialToken": {"id": %[4]s, "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}},
    {"SpecialToken": {"id": %[4]s, "type_id": 1}}],
  "single": [{"SpecialToken": {"id": %[3]s, "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
    {"SpecialToken": {"id": %[4]s, "type_id": 0}}],
  "special_tokens": %[5]s,
  "type": "TemplateProcessing"},
"decoder": {"cleanup": true, "prefix": "##", "type": "WordPiece"},
"model": {"continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "type": "WordPiece", "unk_token": %[1]s,
  "vocab": %[2]s}}`

// fromVocabulary returns the tokenizer.json that transformers creates from a vocab.txt. The file has one token per
// line; the id of a token is its line number, counted from 0.
func fromVocabulary(data []byte, names map[string]string, c config) (*definition, error) {
	if err := checkClass(c); err != nil {
		return nil, err
	}
	vocabulary, err := parseVocabulary(data)
	if err != nil {
		return nil, err
	}
	var special []addedToken
	for _, role := range roles {
		name := names[role.key]
		id, ok := vocabulary[name]
		if !ok {
			return nil, fmt.Errorf("no token %s, the %s of this folder", name, role.key)
		}
		special = append(special, addedToken{ID: id, Content: name, Special: true})
	}
	sortByID(special)
	cls, sep := names["cls_token"], names["sep_token"]
	around := make(map[string]any)
	for _, name := range []string{cls, sep} {
		around[name] = map[string]any{"id": name, "ids": []int32{vocabulary[name]}, "tokens": []string{name}}
	}
	var arguments []any
	for _, value := range []any{names["unk_token"], vocabulary, cls, sep, around} {
		argument, err := encodeJSON(value)
		if err != nil {
			return nil, err
		}
		arguments = append(arguments, argument)
	}
	d, err := parseDefinition(fmt.Appendf(nil, bertDefinition, arguments...))
	if err != nil {
		return nil, err
	}
	d.AddedTokens = special
	return d, nil
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

// wordPieceClasses lists the classes of tokenizers in transformers that read a vocab.txt like BERT. Their fast variants
// have the same names with "Fast".
var wordPieceClasses = []string{"BertTokenizer", "ConvBertTokenizer", "DistilBertTokenizer", "ElectraTokenizer",
	"LayoutLMTokenizer", "LxmertTokenizer", "MobileBertTokenizer", "PreTrainedTokenizer", "RetriBertTokenizer",
	"SqueezeBertTokenizer"}

// checkClass returns an error if tokenizer_config.json names a tokenizer that does not read its vocab.txt like BERT,
// such as BertJapaneseTokenizer.
func checkClass(c config) error {
	raw, ok := c["tokenizer_class"]
	if !ok || string(raw) == "null" {
		return nil
	}
	var class string
	_ = json.Unmarshal(raw, &class) // a value that is not a string is not a class
	if !slices.Contains(wordPieceClasses, strings.TrimSuffix(class, "Fast")) {
		return fmt.Errorf("tokenizer_class in %s is %.60q, want a tokenizer.json, or one of %s", configFile, class,
			strings.Join(wordPieceClasses, ", "))
	}
	return nil
}
