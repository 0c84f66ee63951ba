package tokenizer

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// wordPiece is BERT's tokenizer: BertNormalizer, BertPreTokenizer and WordPiece of Hugging Face's library, without
// special tokens.
//
//	text ─ control characters removed ─ accents stripped ─ lower case ─┐
//	      ┌────────────────────────────────────────────────────────────┘
//	      ├─ words: between white space, punctuation and single Chinese characters
//	      └─ for each word the longest pieces in the vocabulary, from left to right, or [UNK]
//
// It equals the library on every code point (TestEveryCodePoint) except these:
//
//   - 55 capital letters of Unicode 16 and 17, which Go's tables lack, stay capital;
//   - spacing marks that NFD would reorder, such as U+1D165 before U+302E, stay as they are.
type wordPiece struct {
	first, next map[string]int32 // pieces that begin a word, and pieces that continue one, without their prefix
	unknown     int32
	longest     int // bytes of the longest piece
	maxRunes    int // maximum length of a word; longer ones are unknown
	normalizer  bertNormalizer
}

// bertNormalizer holds the settings of the component with this name in a tokenizer.json.
type bertNormalizer struct {
	CleanText    bool  `json:"clean_text"`           // remove control characters
	ChineseChars bool  `json:"handle_chinese_chars"` // each Chinese character is a word
	StripAccents *bool `json:"strip_accents"`        // remove nonspacing marks; nil: same as Lowercase
	Lowercase    bool  `json:"lowercase"`
}

// newWordPiece returns the tokenizer of a definition, which must be BERT's.
func newWordPiece(d *definition) (*wordPiece, error) {
	model := struct {
		Unknown  string `json:"unk_token"`
		Prefix   string `json:"continuing_subword_prefix"`
		MaxRunes int    `json:"max_input_chars_per_word"`
	}{"[UNK]", "##", 100}
	settings, err := json.Marshal(d.modelSettings)
	if err == nil {
		err = json.Unmarshal(settings, &model)
	}
	if err != nil {
		return nil, fmt.Errorf("model: %w", err)
	}
	if model.MaxRunes < 0 {
		return nil, fmt.Errorf("max_input_chars_per_word is %d, want 0 or more", model.MaxRunes)
	}
	unknown, ok := d.vocabulary[model.Unknown]
	if !ok {
		return nil, fmt.Errorf("model: unk_token %q is not in its vocab", model.Unknown)
	}
	// The defaults of Python's BertNormalizer; a tokenizer.json has all fields.
	normalizer := bertNormalizer{CleanText: true, ChineseChars: true, Lowercase: true}
	if err := json.Unmarshal(d.Normalizer, &normalizer); err != nil {
		return nil, fmt.Errorf("normalizer: %w", err)
	}
	normalizer.StripAccents = cmp.Or(normalizer.StripAccents, &normalizer.Lowercase)
	t := &wordPiece{
		first: d.vocabulary, next: make(map[string]int32), unknown: unknown,
		maxRunes: model.MaxRunes, normalizer: normalizer,
	}
	for piece, id := range d.vocabulary {
		t.longest = max(t.longest, len(piece))
		if rest, ok := strings.CutPrefix(piece, model.Prefix); ok {
			t.next[rest] = id
		}
	}
	return t, nil
}

// otherThanBERT describes how a definition differs from BERT's tokenizer, or returns "".
func (d *definition) otherThanBERT() string {
	for _, c := range []struct {
		kind, want string
		raw        json.RawMessage
	}{{"normalizer", "BertNormalizer", d.Normalizer}, {"pre_tokenizer", "BertPreTokenizer", d.PreTokenizer}} {
		got := struct{ Type string }{"missing"}
		if err := json.Unmarshal(c.raw, &got); err != nil && len(c.raw) > 0 || got.Type != c.want {
			return fmt.Sprintf("%s is %s, want %s", c.kind, cmp.Or(got.Type, "missing"), c.want)
		}
	}
	for _, added := range d.AddedTokens {
		if !added.Special {
			return fmt.Sprintf("added token %.40q is not special, want special tokens only", added.Content)
		}
	}
	return ""
}

// Close does nothing.
func (t *wordPiece) Close() error { return nil }

// segment implements [segmenter].
func (t *wordPiece) segment(text string) []int32 {
	s := segmentation{wordPiece: t}
	for i, r := range text {
		s.character(text[i:i+utf8.RuneLen(r)], r)
	}
	s.endWord()
	return s.ids
}

// segmentation is the state of [wordPiece.segment].
type segmentation struct {
	*wordPiece
	ids        []int32
	word       []byte // normalized
	runes      int    // of the word
	decomposed []byte // of the character
}

// lateDecomposition is the character that is decomposed by Go's tables but not by those of the library.
const lateDecomposition = 0x11938

// character processes a character of the text.
func (s *segmentation) character(text string, r rune) {
	if s.normalizer.CleanText && isRemoved(r) {
		return
	}
	if unicode.IsSpace(r) {
		s.endWord()
		return
	}
	alone := s.normalizer.ChineseChars && isChinese(r)
	if alone {
		s.endWord()
	}
	if !*s.normalizer.StripAccents || r < utf8.RuneSelf || r == lateDecomposition {
		s.normal(r)
	} else {
		s.decomposed = norm.NFD.AppendString(s.decomposed[:0], text)
		for rest := s.decomposed; len(rest) > 0; {
			d, size := utf8.DecodeRune(rest)
			rest = rest[size:]
			if !isNonspacingMark(d) {
				s.normal(d)
			}
		}
	}
	if alone {
		s.endWord()
	}
}

// normal processes a character of the normal form, before lower-casing.
func (s *segmentation) normal(r rune) {
	switch {
	case isPunctuation(r):
		s.endWord()
		s.add(r)
		s.endWord()
	case !s.normalizer.Lowercase:
		s.add(r)
	case r == 'İ': // the only character that becomes two in lower case
		s.add('i')
		s.add('\u0307')
	default:
		s.add(unicode.ToLower(r))
	}
}

func (s *segmentation) add(r rune) {
	s.word = utf8.AppendRune(s.word, r)
	s.runes++
}

// endWord appends the pieces of the word, if there is one, and begins another.
func (s *segmentation) endWord() {
	before, pieces, rest := len(s.ids), s.first, s.word
	for s.runes <= s.maxRunes && len(rest) > 0 {
		end := s.longestPiece(pieces, rest)
		if end == 0 {
			break
		}
		s.ids = append(s.ids, pieces[string(rest[:end])])
		rest, pieces = rest[end:], s.next
	}
	if len(rest) > 0 {
		s.ids = append(s.ids[:before], s.unknown)
	}
	s.word, s.runes = s.word[:0], 0
}

// longestPiece returns the length of the longest piece at the start of a word, or 0.
func (t *wordPiece) longestPiece(pieces map[string]int32, word []byte) int {
	for end := min(len(word), t.longest); end > 0; end-- {
		if end < len(word) && !utf8.RuneStart(word[end]) {
			continue
		}
		if _, ok := pieces[string(word[:end])]; ok {
			return end
		}
	}
	return 0
}
