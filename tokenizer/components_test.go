package tokenizer

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestComponents checks which components of a tokenizer.json are accepted. Those of the first
// group are of the usual BERT tokenizers; the native library panics on some of the others.
func TestComponents(t *testing.T) {
	const (
		normalizer    = "normalizer"
		preTokenizer  = "pre_tokenizer"
		postProcessor = "post_processor"
		decoder       = "decoder"
	)
	regex := func(kind, pattern string) string {
		quoted, _ := json.Marshal(pattern)
		return fmt.Sprintf(`{"type": %q, "pattern": {"Regex": %s}, "content": " ", "behavior": "Isolated", "invert": false}`, kind, quoted)
	}
	tests := []struct{ kind, raw, want string }{
		{normalizer, `{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": true}`, ""},
		{normalizer, `{"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "Lowercase"}, {"type": "StripAccents"}]}`, ""},
		{normalizer, `{"type": "Replace", "pattern": {"String": "ß"}, "content": "ss"}`, ""},
		{normalizer, regex("Replace", `\s+`), ""},
		{normalizer, regex("Replace", `[^a-z]`), ""},
		{normalizer, regex("Replace", ` {2,}`), ""},
		{normalizer, `null`, ""},
		{preTokenizer, `{"type": "BertPreTokenizer"}`, ""},
		{preTokenizer, `{"type": "Sequence", "pretokenizers": [{"type": "Whitespace"}, {"type": "Digits", "individual_digits": true}]}`, ""},
		{postProcessor, `{"type": "TemplateProcessing", "single": [], "pair": [], "special_tokens": {}}`, ""},
		{postProcessor, `{"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]}`, ""},
		{decoder, `{"type": "WordPiece", "prefix": "##", "cleanup": true}`, ""},

		{normalizer, `{"type": "Precompiled", "precompiled_charsmap": "AAAA"}`, `normalizer is "Precompiled", want one of`},
		{normalizer, `{"type": "Sequence", "normalizers": [{"type": "Precompiled"}]}`, `normalizer is "Precompiled", want one of`},
		{normalizer, `{"type": "Nope"}`, `normalizer is "Nope", want one of BertNormalizer`},
		{normalizer, `{}`, `normalizer is "", want one of`},
		{normalizer, `[]`, "normalizer: json: cannot unmarshal"},
		{preTokenizer, `{"type": "Nope"}`, `pre_tokenizer is "Nope"`},
		{postProcessor, `{"type": "Nope"}`, `post_processor is "Nope"`},
		{decoder, `{"type": "Nope"}`, `decoder is "Nope"`},
		{normalizer, regex("Replace", `(a+)+$`), "the regular expression is"},
		{normalizer, regex("Replace", `a*a*b`), "with at most one repetition"},
		{normalizer, regex("Replace", `(`), "the regular expression is"},
		{normalizer, regex("Replace", `(?=a)b`), "the regular expression is"},
		{preTokenizer, regex("Split", `^(([a-z])+.)+[A-Z]([a-z])+$`), "pre_tokenizer Split: the regular expression is"},
		{preTokenizer, `{"type": "Sequence", "pretokenizers": [` + regex("Split", `(a|aa)+`) + `]}`, "the regular expression is"},
		{preTokenizer, `{"type": "Split", "pattern": {"String": ""}}`, "the pattern is empty"},
		{preTokenizer, `{"type": "Split", "pattern": {}}`, `want a pattern with a "String" or a "Regex"`},
		{decoder, `{"type": "Replace", "pattern": {"Regex": "(a+)+"}}`, "the regular expression is"},
		{normalizer, strings.Repeat(`{"type": "Sequence", "normalizers": [`, 20) + strings.Repeat("]}", 20), "sequences are nested deeper than 8"},
	}
	for _, test := range tests {
		err := checkComponent(test.kind, json.RawMessage(test.raw), maxDepth)
		if test.want == "" && err != nil {
			t.Errorf("%s %s: %v", test.kind, test.raw, err)
		}
		if test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s %s: error %v, want one that contains %q", test.kind, test.raw, err, test.want)
		}
	}
}

// TestOpenRefusesComponents opens folders on which the native library panics.
func TestOpenRefusesComponents(t *testing.T) {
	const definition = `{"version": "1.0", "added_tokens": [], "normalizer": %s, "pre_tokenizer": {"type": "BertPreTokenizer"},
"post_processor": null, "decoder": null, "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
"max_input_chars_per_word": 100, "vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "[MASK]": 4, "a": 5}}}`
	open := func(normalizer string) error {
		dir := t.TempDir()
		path := filepath.Join(dir, definitionFile)
		if err := os.WriteFile(path, []byte(fmt.Sprintf(definition, normalizer)), 0o600); err != nil {
			t.Fatal(err)
		}
		tok, err := Open(dir)
		if err == nil {
			tok.Close()
		}
		return err
	}
	if err := open(`{"type": "BertNormalizer", "lowercase": true}`); err != nil {
		t.Error(err)
	}
	for _, normalizer := range []string{
		`{"type": "Precompiled", "precompiled_charsmap": "////AAAAQUJDQUJD"}`,
		`{"type": "Replace", "pattern": {"Regex": "(a+)+$"}, "content": ""}`,
	} {
		if err := open(normalizer); err == nil || !strings.Contains(err.Error(), definitionFile+": normalizer") {
			t.Errorf("%s: error %v, want one that names the file and the normalizer", normalizer, err)
		}
	}
}

func TestClassOfVocabulary(t *testing.T) {
	for class, want := range map[string]string{
		`"BertTokenizer"`:         "",
		`"BertTokenizerFast"`:     "",
		`null`:                    "",
		`"BertJapaneseTokenizer"`: `tokenizer_class in tokenizer_config.json is "BertJapaneseTokenizer"`,
		`"XLMRobertaTokenizer"`:   `is "XLMRobertaTokenizer"`,
	} {
		err := checkClass(config{"tokenizer_class": json.RawMessage(class)})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: error %v, want %q", class, err, want)
		}
	}
}
