package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
)

// The types of the components of a tokenizer.json that Hugging Face's library gets. The library
// panics, which ends the process, on a Precompiled normalizer that is damaged and on a
// regular expression that backtracks too often. So components are checked before: the
// others, which no WordPiece tokenizer needs, are refused by name.
var componentTypes = map[string][]string{
	"normalizer": {"BertNormalizer", "Lowercase", "NFC", "NFD", "NFKC", "NFKD", "Nmt", "Prepend", "Replace", "Sequence",
		"Strip", "StripAccents"},
	"pre_tokenizer": {"BertPreTokenizer", "ByteLevel", "CharDelimiterSplit", "Digits", "Metaspace", "Punctuation",
		"Sequence",
		"Split", "UnicodeScripts", "Whitespace", "WhitespaceSplit"},
	"post_processor": {"BertProcessing", "ByteLevel", "RobertaProcessing", "Sequence", "TemplateProcessing"},
	"decoder": {"BPEDecoder", "ByteFallback", "ByteLevel", "CTC", "Fuse", "Metaspace", "Replace", "Sequence", "Strip",
		"WordPiece"},
}

// component is the part of a component that checkComponent reads. The other fields are for
// the native library.
type component struct {
	Type    string   `json:"type"`
	Pattern *pattern `json:"pattern"` // of Replace and Split

	// The items of a Sequence: the field has the name of its kind.
	Normalizers   []json.RawMessage `json:"normalizers"`
	PreTokenizers []json.RawMessage `json:"pretokenizers"`
	Processors    []json.RawMessage `json:"processors"`
	Decoders      []json.RawMessage `json:"decoders"`
}

// pattern is what a component looks for: a string or a regular expression.
type pattern struct {
	String *string
	Regex  *string
}

// maxDepth is the largest number of sequences within sequences.
const maxDepth = 8

// checkComponents checks the components of a tokenizer.json.
func (d *definition) checkComponents() error {
	for _, c := range []struct {
		kind string
		raw  json.RawMessage
	}{
		{"normalizer", d.Normalizer}, {"pre_tokenizer", d.PreTokenizer},
		{"post_processor", d.PostProcessor}, {"decoder", d.Decoder},
	} {
		if err := checkComponent(c.kind, c.raw, maxDepth); err != nil {
			return err
		}
	}
	return nil
}

func checkComponent(kind string, raw json.RawMessage, depth int) error {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	var c component
	if err := json.Unmarshal(raw, &c); err != nil {
		return fmt.Errorf("%s: %w", kind, err)
	}
	switch {
	case !slices.Contains(componentTypes[kind], c.Type):
		return fmt.Errorf("%s is %.40q, want one of %s", kind, c.Type, strings.Join(componentTypes[kind], ", "))
	case depth == 0:
		return fmt.Errorf("%s: sequences are nested deeper than %d", kind, maxDepth)
	case c.Pattern != nil:
		if err := c.Pattern.check(); err != nil {
			return fmt.Errorf("%s %s: %w", kind, c.Type, err)
		}
	}
	for _, items := range [][]json.RawMessage{c.Normalizers, c.PreTokenizers, c.Processors, c.Decoders} {
		for _, item := range items {
			if err := checkComponent(kind, item, depth-1); err != nil {
				return err
			}
		}
	}
	return nil
}

// check returns an error unless the pattern is a string, or a regular expression that takes
// linear time in any engine.
func (p *pattern) check() error {
	switch {
	case p.String != nil && p.Regex == nil:
		if *p.String == "" {
			return errors.New("the pattern is empty")
		}
		return nil
	case p.Regex == nil || p.String != nil:
		return errors.New(`want a pattern with a "String" or a "Regex"`)
	}
	const want = `want characters, or classes of characters such as [^a-z], with at most one repetition (\s+)`
	parsed, err := syntax.Parse(*p.Regex, syntax.Perl)
	if err != nil || !isSimple(parsed) {
		return fmt.Errorf("the regular expression is %.60q, %s", *p.Regex, want)
	}
	return nil
}

// isSimple reports whether a regular expression is a sequence of characters and classes of
// characters, at most one of which is repeated. No match of it takes more than linear time
// from a position.
func isSimple(re *syntax.Regexp) bool {
	parts := []*syntax.Regexp{re}
	if re.Op == syntax.OpConcat {
		parts = re.Sub
	}
	repeated := 0
	for _, part := range parts {
		switch part.Op {
		case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
			repeated++
			part = part.Sub[0]
		}
		switch part.Op {
		case syntax.OpLiteral, syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		default:
			return false
		}
	}
	return repeated <= 1
}

// wordPieceClasses are the classes of tokenizers in transformers that read a vocab.txt as
// BERT does. Their fast variants have the same names with "Fast".
var wordPieceClasses = []string{"BertTokenizer", "ConvBertTokenizer", "DistilBertTokenizer", "ElectraTokenizer",
	"LayoutLMTokenizer", "LxmertTokenizer", "MobileBertTokenizer", "PreTrainedTokenizer", "RetriBertTokenizer",
	"SqueezeBertTokenizer"}

// checkClass returns an error if tokenizer_config.json names a tokenizer that does not read
// its vocab.txt as BERT does, such as BertJapaneseTokenizer.
func checkClass(c config) error {
	class, ok, err := c.token("tokenizer_class")
	if err != nil || !ok {
		return err
	}
	if !slices.Contains(wordPieceClasses, strings.TrimSuffix(class, "Fast")) {
		return fmt.Errorf("tokenizer_class in %s is %.60q, want a tokenizer.json, or one of %s", configFile, class,
			strings.Join(wordPieceClasses, ", "))
	}
	return nil
}
