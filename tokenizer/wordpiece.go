package tokenizer

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// segmenter cuts a text into tokens of a vocabulary. It is safe for concurrent use.
type segmenter interface {
	// segment returns the tokens of a text, in which [cleanText] changes nothing.
	segment(text string) []token
	Close() error
}

// token is a token of a text and the bytes that it stands for.
type token struct {
	id         int32
	start, end int
}

// wordPiece is the tokenizer of BERT: BertNormalizer, BertPreTokenizer and WordPiece of Hugging
// Face's library, without special tokens.
//
//	text ─ control characters removed ─ accents stripped ─ lower case ─┐
//	      ┌────────────────────────────────────────────────────────────┘
//	      ├─ words: between white space, punctuation and Chinese characters alone
//	      └─ of each word the longest pieces of the vocabulary, from left to right, or [UNK]
//
// It equals the library on every code point (TestEveryCodePoint) but for these:
//
//   - 55 capital letters of Unicode 16 and 17, which Go's tables lack, stay capital;
//   - spacing marks that NFD puts into another order, such as U+1D165 before U+302E, stay as they are.
type wordPiece struct {
	first, next map[string]int32 // pieces that begin a word, and those that go on, without their prefix
	unknown     int32
	longest     int // bytes of the longest piece
	maxRunes    int // of a word; a longer one is unknown
	normalizer  bertNormalizer
}

// bertNormalizer has the settings of the component of this name in a tokenizer.json.
type bertNormalizer struct {
	CleanText    bool  `json:"clean_text"`           // remove control characters
	ChineseChars bool  `json:"handle_chinese_chars"` // a Chinese character is a word
	StripAccents *bool `json:"strip_accents"`        // nil: as Lowercase
	Lowercase    bool  `json:"lowercase"`
}

// stripsAccents reports whether nonspacing marks are removed.
func (n *bertNormalizer) stripsAccents() bool {
	if n.StripAccents != nil {
		return *n.StripAccents
	}
	return n.Lowercase
}

// unsupportedError reports a tokenizer that [wordPiece] does not compute.
type unsupportedError struct{ what, want string }

func (e *unsupportedError) Error() string { return e.what + ", want " + e.want }

// newWordPiece returns the tokenizer of a definition, or an [*unsupportedError] if that is not the
// tokenizer of BERT.
func newWordPiece(d *definition) (*wordPiece, error) {
	if err := d.checkBERT(); err != nil {
		return nil, err
	}
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

// checkBERT returns an [*unsupportedError] if the definition is not that of the tokenizer of BERT.
func (d *definition) checkBERT() error {
	for _, c := range []struct {
		kind, want string
		raw        json.RawMessage
	}{{"normalizer", "BertNormalizer", d.Normalizer}, {"pre_tokenizer", "BertPreTokenizer", d.PreTokenizer}} {
		var got component
		if len(c.raw) > 0 {
			if err := json.Unmarshal(c.raw, &got); err != nil {
				return fmt.Errorf("%s: %w", c.kind, err)
			}
		}
		if got.Type != c.want {
			name := "missing"
			if got.Type != "" {
				name = got.Type
			}
			return &unsupportedError{c.kind + " is " + name, c.want}
		}
	}
	for _, added := range d.AddedTokens {
		if !added.Special {
			return &unsupportedError{fmt.Sprintf("added token %.40q is not special", added.Content),
				"special tokens only"}
		}
	}
	return nil
}

// Close does nothing.
func (t *wordPiece) Close() error { return nil }

// word is a word in normal form, and where each of its bytes is from.
type word struct {
	content      []byte
	starts, ends []int32 // the character in the text that a byte is from
	runes        int
}

func (w *word) add(r rune, start, end int) {
	before := len(w.content)
	w.content = utf8.AppendRune(w.content, r)
	for range len(w.content) - before {
		w.starts, w.ends = append(w.starts, int32(start)), append(w.ends, int32(end))
	}
	w.runes++
}

func (w *word) reset() {
	w.content, w.starts, w.ends, w.runes = w.content[:0], w.starts[:0], w.ends[:0], 0
}

// segment implements [segmenter].
func (t *wordPiece) segment(text string) []token {
	s := segmentation{wordPiece: t, stripsAccents: t.normalizer.stripsAccents()}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		s.character(text, r, i, i+size)
		i += size
	}
	s.endWord()
	return s.tokens
}

// segmentation is the state of [wordPiece.segment].
type segmentation struct {
	*wordPiece
	stripsAccents bool
	tokens        []token
	word          word
	decomposed    []byte // of the character
}

// lateDecomposition is the character that Go's tables decompose and those of the library do not.
const lateDecomposition = 0x11938

// character reads the character text[start:end].
func (s *segmentation) character(text string, r rune, start, end int) {
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
	if !s.stripsAccents || r < utf8.RuneSelf {
		s.normal(r, start, end)
	} else {
		s.decomposed = norm.NFD.AppendString(s.decomposed[:0], text[start:end])
		if r == lateDecomposition {
			s.decomposed = append(s.decomposed[:0], text[start:end]...)
		}
		for rest := s.decomposed; len(rest) > 0; {
			d, size := utf8.DecodeRune(rest)
			rest = rest[size:]
			if !isNonspacingMark(d) {
				s.normal(d, start, end)
			}
		}
	}
	if alone {
		s.endWord()
	}
}

// normal reads a character of the normal form before it is set in lower case.
func (s *segmentation) normal(r rune, start, end int) {
	switch {
	case isPunctuation(r):
		s.endWord()
		s.word.add(r, start, end)
		s.endWord()
	case !s.normalizer.Lowercase:
		s.word.add(r, start, end)
	case r == 'İ': // the only character that is two in lower case
		s.word.add('i', start, end)
		s.word.add('\u0307', start, end)
	default:
		s.word.add(unicode.ToLower(r), start, end)
	}
}

// endWord appends the pieces of the word, if there is one, and begins another.
func (s *segmentation) endWord() {
	w := &s.word
	if w.runes == 0 {
		return
	}
	defer w.reset()
	before, pieces := len(s.tokens), s.first
	if w.runes <= s.maxRunes {
		at := 0
		for at < len(w.content) {
			end := s.longestPiece(pieces, w.content, at)
			if end == at {
				break
			}
			s.tokens = append(s.tokens, token{pieces[string(w.content[at:end])], int(w.starts[at]), int(w.ends[end-1])})
			at, pieces = end, s.next
		}
		if at == len(w.content) {
			return
		}
	}
	last := len(w.content) - 1
	s.tokens = append(s.tokens[:before], token{s.unknown, int(w.starts[0]), int(w.ends[last])})
}

// longestPiece returns the end of the longest piece that starts at a position of a word, or the
// position if there is none.
func (t *wordPiece) longestPiece(pieces map[string]int32, word []byte, at int) int {
	for end := min(len(word), at+t.longest); end > at; end-- {
		if end < len(word) && !utf8.RuneStart(word[end]) {
			continue
		}
		if _, ok := pieces[string(word[at:end])]; ok {
			return end
		}
	}
	return at
}
