package tokenizer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/text"
)

// The markers around a mention.
const (
	startMarker = "[ENT]"
	endMarker   = "[/ENT]"
)

// MinTokens is the smallest maximum length of an input: [CLS] [ENT] one token [/ENT] [SEP].
const MinTokens = 5

// TokenSpan is a half-open range of tokens, IDs[Start:End].
type TokenSpan struct {
	Start, End int
}

// Len returns the number of tokens.
func (s TokenSpan) Len() int { return s.End - s.Start }

// Input is a tokenized query: [CLS] sentence [SEP], with its mentions marked.
type Input struct {
	IDs   []int32
	Query TokenSpan // the queried mention with its two markers
	// Others are the other marked mentions with their markers, in the order of the sentence. OtherMentions[i] is the
	// position of Others[i] in the mentions of the document.
	Others        []TokenSpan
	OtherMentions []int
}

// Encode tokenizes the sentence of a query with the queried mention marked. If markAll is set, it also marks the
// document's other mentions in the sentence, except those that overlap the queried mention or an earlier marked one.
//
// A sentence of more than maxTokens is cut to a window with the queried mention as close to its middle as the ends of
// the sentence allow. maxTokens includes [CLS], [SEP] and markers and must be at least [MinTokens]. Another mention
// that would be cut by the window loses its markers. A queried mention that is longer than the window loses its end and
// keeps both markers.
//
// It returns an error if maxTokens is too small, or if the mention or the sentence is empty or out of range.
func (t *Tokenizer) Encode(q *text.Query, maxTokens int, markAll bool) (Input, error) {
	if err := check(q, maxTokens); err != nil {
		return Input{}, fmt.Errorf("tokenizer: %w", err)
	}
	var b body
	at := q.Sentence.Start
	for _, m := range marks(q, markAll) {
		t.addText(&b, q.Text[at:m.Start])
		start := len(b.ids)
		b.ids = append(b.ids, t.entStart)
		t.addText(&b, m.Of(q.Text))
		b.ids = append(b.ids, t.entEnd)
		b.marks = append(b.marks, markedSpan{TokenSpan{start, len(b.ids)}, m.mention})
		at = m.End
	}
	t.addText(&b, q.Text[at:q.Sentence.End])
	b.fit(maxTokens - 2)
	return t.input(&b), nil
}

// EncodeUnmarked tokenizes the sentence of a query without markers, for encoders of sentences. A sentence of more than
// maxTokens loses its end. Input.Query is all of its tokens, including [CLS] and [SEP]. The errors are those of
// [Tokenizer.Encode].
func (t *Tokenizer) EncodeUnmarked(q *text.Query, maxTokens int) (Input, error) {
	if err := check(q, maxTokens); err != nil {
		return Input{}, fmt.Errorf("tokenizer: %w", err)
	}
	var b body
	t.addText(&b, q.Sentence.Of(q.Text))
	b.ids = b.ids[:min(len(b.ids), maxTokens-2)]
	in := t.input(&b)
	in.Query = TokenSpan{0, len(in.IDs)}
	return in, nil
}

func check(q *text.Query, maxTokens int) error {
	if maxTokens < MinTokens {
		return fmt.Errorf("max tokens is %d, want %d or more", maxTokens, MinTokens)
	}
	s, m := q.Sentence, q.Mention.Span
	if s.Start < 0 || s.End > len(q.Text) || s.Start > s.End {
		return fmt.Errorf("document %q: sentence %d:%d is outside the text of %d bytes", q.ID, s.Start, s.End,
			len(q.Text))
	}
	if m.Len() <= 0 || !s.Contains(m) {
		return fmt.Errorf("document %q: mention %d:%d is empty or outside its sentence %d:%d", q.ID, m.Start, m.End,
			s.Start, s.End)
	}
	return nil
}

// queried stands for the position of the queried mention, which need not be one of the document's mentions.
const queried = -1

// mark is a mention to be marked.
type mark struct {
	text.Span
	mention int // position in the mentions of the document, or queried
}

// marks returns the mentions to mark in the order of the sentence.
//
// INVARIANT: they are in the sentence, do not overlap and are not empty.
func marks(q *text.Query, all bool) []mark {
	query := mark{q.Mention.Span, queried}
	marks := []mark{query}
	if !all {
		return marks
	}
	end := q.Sentence.Start
	for i, m := range q.Mentions {
		overlapsQuery := m.Start < query.End && query.Start < m.End
		if m.Len() > 0 && q.Sentence.Contains(m.Span) && !overlapsQuery && m.Start >= end {
			marks = append(marks, mark{m.Span, i})
			end = m.End
		}
	}
	slices.SortFunc(marks, func(a, b mark) int { return a.Start - b.Start })
	return marks
}

// addText appends the tokens of a text.
func (t *Tokenizer) addText(b *body, s string) {
	if strings.TrimSpace(s) != "" {
		b.ids = append(b.ids, t.segmenter.segment(cleanText(s))...)
	}
}

// cleanText replaces NUL, which ends a string in C, and bytes that are not UTF-8 with the control character 1. BERT's
// normalizer removes all of these.
func cleanText(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\x01"), "\x00", "\x01")
}

// input returns the body with [CLS] and [SEP] around it.
func (t *Tokenizer) input(b *body) Input {
	in := Input{IDs: slices.Concat([]int32{t.cls}, b.ids, []int32{t.sep})}
	for _, m := range b.marks {
		span := TokenSpan{m.Start + 1, m.End + 1} // after [CLS]
		if m.mention == queried {
			in.Query = span
			continue
		}
		in.Others = append(in.Others, span)
		in.OtherMentions = append(in.OtherMentions, m.mention)
	}
	return in
}
