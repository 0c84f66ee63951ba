package tokenizer

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// pieces returns the tokens of a text.
func pieces(t *wordPiece, text string) string {
	names := make(map[int32]string)
	for name, id := range t.first {
		names[id] = name
	}
	var pieces []string
	for _, id := range t.segment(cleanText(text)) {
		pieces = append(pieces, names[id])
	}
	return strings.Join(pieces, " ")
}

// wordPieceOf returns the tokenizer of a vocabulary, with changed fields of the normalizer.
func wordPieceOf(t testing.TB, settings, vocabulary string) *wordPiece {
	t.Helper()
	dir := t.TempDir()
	words := strings.Join(strings.Fields("[PAD] [UNK] [CLS] [SEP] [MASK] "+vocabulary), "\n")
	writeFile(t, filepath.Join(dir, vocabularyFile), words)
	f := must.Get(readFolder(dir))
	var normalizer map[string]any
	for _, fields := range []string{string(f.definition.Normalizer), settings} {
		must.Succeed(t, json.Unmarshal([]byte(fields), &normalizer))
	}
	f.definition.Normalizer = must.Get(json.Marshal(normalizer))
	return must.Get(newWordPiece(f.definition))
}

// TestWordPiece checks the settings of the normalizer. The expected tokens follow from the steps listed at [wordPiece].
func TestWordPiece(t *testing.T) {
	const vocabulary = "re ##na ##nal renal Renal i i\u0307 ##\u0307 İ e ##e é Σ σ ##ς ##σ 病 名 病名 . \ue000 a ##\u00ad"
	for _, test := range []struct{ name, settings, text, want string }{
		{"the longest piece first", `{}`, "renal rena", "renal re ##na"},
		{"a word with an unknown end is unknown", `{}`, "renalx re", "[UNK] re"},
		{"lower case", `{}`, "RENAL Renal", "renal renal"},
		{"as written", `{"lowercase": false}`, "RENAL Renal", "[UNK] Renal"},
		{"composed and combining accents", `{}`, "é e\u0301e", "e e ##e"},
		{"accents kept, since letters are", `{"lowercase": false}`, "é", "é"},
		{"accents kept", `{"strip_accents": false}`, "É e\u0301", "é [UNK]"},
		{"accents stripped, capitals kept", `{"strip_accents": true, "lowercase": false}`, "é", "e"},
		{"a letter that is two in lower case", `{"strip_accents": false}`, "İ", "i\u0307"},
		{"the same without its dot", `{}`, "İ", "i"},
		{"no final sigma", `{}`, "ΣΣ", "σ ##σ"},
		{"a Chinese character is a word", `{}`, "病名re", "病 名 re"},
		{"or not", `{"handle_chinese_chars": false}`, "病名", "病名"},
		{"punctuation is a word", `{}`, "re.re", "re . re"},
		{"removed characters", `{}`, "r\ue000e\u00ad\u200b\x01nal\x00 \ufffd", "renal"},
		{"or not", `{"clean_text": false}`, "\ue000 a\u00ad", "\ue000 a ##\u00ad"},
		{"U+0085 is removed before it is a space", `{}`, "re\u0085nal", "renal"},
		{"spaces", `{}`, "re\u00a0re\u3000re\u2028re\t\r\nre", "re re re re re"},
		{"100 characters", `{}`, strings.Repeat("e", 100), "e" + strings.Repeat(" ##e", 99)},
		{"101 characters", `{}`, strings.Repeat("e", 101), "[UNK]"},
		{"nothing", `{}`, " \x01 ", ""},
	} {
		must.Equal(t, pieces(wordPieceOf(t, test.settings, vocabulary), test.text), test.want, test.name, test.text)
	}
}

func TestOtherThanBERT(t *testing.T) {
	const bert = `"normalizer": {"type": "BertNormalizer"}, "pre_tokenizer": {"type": "BertPreTokenizer"}`
	for _, test := range []struct{ fields, want string }{
		{bert, ""},
		{`"normalizer": {"type": "Lowercase"}, "pre_tokenizer": {"type": "BertPreTokenizer"}`,
			"normalizer is Lowercase, want BertNormalizer"},
		{`"pre_tokenizer": {"type": "BertPreTokenizer"}`, "normalizer is missing, want BertNormalizer"},
		{`"normalizer": [], "pre_tokenizer": {"type": "BertPreTokenizer"}`, "normalizer is missing, want BertNormalizer"},
		{`"normalizer": {"type": "BertNormalizer"}, "pre_tokenizer": {"type": "Whitespace"}`,
			"pre_tokenizer is Whitespace, want BertPreTokenizer"},
		{bert + `, "added_tokens": [{"id": 0, "content": "p53"}]`, `added token "p53" is not special, want special tokens only`},
	} {
		d := must.Get(parseDefinition([]byte(`{` + test.fields + `, "model": {"type": "WordPiece", "vocab": {"[UNK]": 0}}}`)))
		must.Equal(t, d.otherThanBERT(), test.want, test.fields)
	}
}
