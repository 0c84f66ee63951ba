//go:build torch

package tokenizer

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// lastRune is the end of the blocks of characters. After it there are only tags and private use.
const lastRune = 0x323af

// everyRune returns a vocabulary in which every character begins and ends words.
func everyRune() string {
	var b strings.Builder
	for r := rune('!'); r <= lastRune; r++ {
		if !unicode.IsSpace(r) && (r < 0xd800 || r > 0xdfff) {
			fmt.Fprintf(&b, "%c ##%c ", r, r)
		}
	}
	return b.String()
}

// both returns the tokenizer of [wordPieceOf] and the library's.
func both(t *testing.T, settings, vocabulary string) (ours *wordPiece, reference segmenter) {
	t.Helper()
	ours = wordPieceOf(t, settings, vocabulary)
	dir := t.TempDir()
	words := strings.Fields("[PAD] [UNK] [CLS] [SEP] [MASK] " + vocabulary)
	writeFile(t, filepath.Join(dir, vocabularyFile), strings.Join(words, "\n"))
	writeFile(t, filepath.Join(dir, configFile), strings.NewReplacer("lowercase", "do_lower_case", "handle_chinese_chars",
		"tokenize_chinese_chars").Replace(settings))
	f := must.Get(readFolder(dir))
	reference = must.Get(openLibrary(f.definition))
	t.Cleanup(func() { reference.Close() })
	return ours, reference
}

// normalizerSettings are the settings of the normalizer that occur in folders.
var normalizerSettings = []string{`{}`, `{"strip_accents": false}`, `{"lowercase": false}`,
	`{"lowercase": false, "strip_accents": true, "handle_chinese_chars": false}`}

// knownDifference lists the capital letters of Unicode 16 and 17.
func knownDifference(r rune) bool {
	return strings.ContainsRune("\u1c89\ua7cb\ua7cc\ua7ce\ua7d2\ua7d4\ua7da\ua7dc", r) ||
		0x10d50 <= r && r <= 0x10d65 || 0x16ea0 <= r && r <= 0x16eb8
}

// TestEveryCodePoint compares with the library on every character, within a word and at its end.
func TestEveryCodePoint(t *testing.T) {
	vocabulary := everyRune()
	for _, settings := range normalizerSettings {
		ours, reference := both(t, settings, vocabulary)
		failed := 0
		for r := rune(1); r <= unicode.MaxRune && failed < 10; r++ {
			if r == lastRune {
				r = 0xe0000
			}
			if 0xd800 <= r && r <= 0xdfff {
				continue
			}
			s := cleanText("ab" + string(r) + "cd" + string(r))
			got, want := ours.segment(s), reference.segment(s)
			if !slices.Equal(got, want) && !knownDifference(r) {
				failed++
				t.Errorf("%s, %U: %v, want %v", settings, r, got, want)
			}
			if r == 0xe0fff {
				r = 0xfffff
			}
		}
	}
}

// TestRandomTexts compares with the library on texts of random characters that the tokenizer treats specially.
func TestRandomTexts(t *testing.T) {
	const seed = 3
	alphabet := []rune("abeABE .,-#[]()'ßİıΣσςÉéñÅ\u0301\u0327\u0308\u00ad\u200b\u200d\ufeff\ufffd\u0085\u00a0\u3000\u2028\t\n\x01" +
		"病名がガｶﾞ한글\u1112\u1161\u11abไทยำ\u0e48हिन्दी\u093eع\u0651\u064bω\u03b1\u0345①½ﬁⅣ℃Ǆ\ue000\U000f0000\u0378😀\u2e43\u111c9\u166d\u1734")
	var vocabulary strings.Builder
	for _, r := range alphabet {
		if !unicode.IsSpace(r) {
			fmt.Fprintf(&vocabulary, "%c ##%c ", r, r)
		}
	}
	const longer = "ab ##ab be ##bea aa i\u0307 ##i\u0307 i ##i e\u0301 한글 ##글 \u1112\u1161 ##\u11ab がb #"
	words := strings.Join(uniqueFields(vocabulary.String()+longer), " ")
	for _, settings := range normalizerSettings {
		ours, reference := both(t, settings, words)
		random := rand.New(rand.NewPCG(seed, 0))
		for range 20_000 {
			s := make([]rune, random.IntN(24))
			for i := range s {
				s[i] = alphabet[random.IntN(len(alphabet))]
			}
			text := cleanText(string(s))
			got, want := ours.segment(text), reference.segment(text)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, %s, %q:\n%v, want\n%v", seed, settings, text, got, want)
			}
		}
	}
}

func uniqueFields(s string) []string {
	fields := strings.Fields(s)
	slices.Sort(fields)
	return slices.Compact(fields)
}

// TestLibraryReadsOthers: tokenizers that [wordPiece] does not compute are computed by the library, whose errors name
// the folder.
func TestLibraryReadsOthers(t *testing.T) {
	const definition = `{"version": "1.0", "normalizer": {"type": "Lowercase"}, "pre_tokenizer": %s, "added_tokens": [],
"model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
"vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "[MASK]": 4, "renal": 5}}}`
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, definitionFile), fmt.Sprintf(definition, `{"type": "WhitespaceSplit"}`))
	tok := openTokenizer(t, dir)
	if tokens, unknown := tok.CountTokens("Renal renal."); tokens != 2 || unknown != 1 {
		t.Errorf("%d tokens, %d unknown; want 2 and 1, as the full stop is not split off", tokens, unknown)
	}
	writeFile(t, filepath.Join(dir, definitionFile), fmt.Sprintf(definition, `{"type": "CharDelimiterSplit"}`))
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "did not match") {
		t.Errorf("error %v, want that of the library with the folder", err)
	}
}

// TestCheckComponents: components that make the library panic are rejected.
func TestCheckComponents(t *testing.T) {
	for _, test := range []struct{ raw, want string }{
		{`{"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "Lowercase"}, {"type": "StripAccents"}]}`, ""},
		{`{"type": "Replace", "pattern": {"String": "ß"}, "content": "ss"}`, ""},
		{`{"type": "Replace", "pattern": {"Regex": "\\s+"}}`, ""},
		{`{"type": "Replace", "pattern": {"Regex": "[^a-z]"}}`, ""},
		{`{"type": "Replace", "pattern": {"Regex": " {2,}"}}`, ""},
		{`{"type": "Sequence", "normalizers": [{"type": "Precompiled"}]}`, "Precompiled"},
		{`{"type": "Replace", "pattern": {"Regex": "(a+)+$"}}`, "of which the last may be repeated"},
		{`{"type": "Replace", "pattern": {"Regex": "a*a*b"}}`, "Replace"},
		{`{"type": "Replace", "pattern": {"Regex": "("}}`, "Replace"},
		{`[{"type": "Split", "pattern": {"Regex": "^(([a-z])+.)+[A-Z]([a-z])+$"}}]`, "Split"},
		{`{"type": "Split", "pattern": {"Regex": "(a|aa)+"}}`, "Split"},
		{`{"type": "Split", "pattern": {"String": ""}}`, "Split"},
		{`{"type": "Split", "pattern": {}}`, "Split"},
	} {
		var components any
		must.Succeed(t, json.Unmarshal([]byte(test.raw), &components))
		err := checkComponents(components)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: error %v, want %q", test.raw, err, test.want)
		}
	}
}
