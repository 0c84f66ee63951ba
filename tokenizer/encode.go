package tokenizer

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/text"
)

// Encode tokenizes the sentence of a query with the queried mention marked. If
// o.MarkAll is set, it also marks the document's other mentions in the sentence, except
// those that overlap the queried mention or an earlier marked one.
//
// A sentence of more than o.MaxTokens is cut to a window with the queried mention as
// near to its middle as the ends of the sentence allow. Another mention that the window
// would cut loses its markers. A queried mention that is longer than the window loses
// its end and keeps both markers.
//
// It returns an error if the window is too small, or if the mention or the sentence is
// empty or out of range.
func (t *Tokenizer) Encode(q *text.Query, o Options) (Input, error) {
	if err := check(q, o); err != nil {
		return Input{}, fmt.Errorf("tokenizer: %w", err)
	}
	b := body{wantOffsets: o.Offsets}
	at := q.Sentence.Start
	for _, m := range marks(q, o.MarkAll) {
		t.encodeText(&b, q.Text, text.Span{Start: at, End: m.Start})
		start := len(b.ids)
		b.add(t.entStart, text.Span{Start: m.Start, End: m.Start})
		t.encodeText(&b, q.Text, m.Span)
		b.add(t.entEnd, text.Span{Start: m.End, End: m.End})
		if m.mention == queried {
			b.query = len(b.marks)
		}
		b.marks = append(b.marks, markedSpan{TokenSpan{start, len(b.ids)}, m.mention})
		at = m.End
	}
	t.encodeText(&b, q.Text, text.Span{Start: at, End: q.Sentence.End})
	b.fit(o.MaxTokens - 2)
	return t.input(&b, q.Sentence), nil
}

// EncodeUnmarked tokenizes the sentence of a query without markers, as encoders of sentences
// read it. A sentence of more than o.MaxTokens loses its end. Input.Query is all of its
// tokens, with [CLS] and [SEP]. The errors are those of [Tokenizer.Encode].
func (t *Tokenizer) EncodeUnmarked(q *text.Query, o Options) (Input, error) {
	if err := check(q, o); err != nil {
		return Input{}, fmt.Errorf("tokenizer: %w", err)
	}
	b := body{wantOffsets: o.Offsets}
	t.encodeText(&b, q.Text, q.Sentence)
	if budget := o.MaxTokens - 2; len(b.ids) > budget {
		b.delete(budget, len(b.ids))
	}
	in := t.input(&b, q.Sentence)
	in.Query = TokenSpan{0, len(in.IDs)}
	return in, nil
}

func check(q *text.Query, o Options) error {
	if o.MaxTokens < MinTokens {
		return fmt.Errorf("max tokens is %d, want %d or more", o.MaxTokens, MinTokens)
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

// queried stands for the position of the queried mention, which need not be one of the
// mentions of the document.
const queried = -1

// mark is a mention to be marked.
type mark struct {
	text.Span
	mention int // position in the mentions of the document, or queried
}

// marks returns the mentions to be marked in the order of the sentence.
//
// INVARIANT: they are in the sentence, do not overlap and are not empty.
func marks(q *text.Query, all bool) []mark {
	query := mark{q.Mention.Span, queried}
	if !all {
		return []mark{query}
	}
	marks := make([]mark, 0, 1+len(q.Mentions))
	placed, end := false, q.Sentence.Start
	for i, m := range q.Mentions {
		if !placed && m.Start >= query.End {
			marks, placed = append(marks, query), true
		}
		overlapsQuery := m.Start < query.End && query.Start < m.End
		if m.Len() <= 0 || !q.Sentence.Contains(m.Span) || overlapsQuery || m.Start < end {
			continue
		}
		marks = append(marks, mark{m.Span, i})
		end = m.End
	}
	if !placed {
		marks = append(marks, query)
	}
	return marks
}

// encodeText appends the tokens of document[s.Start:s.End].
func (t *Tokenizer) encodeText(b *body, document string, s text.Span) {
	piece := s.Of(document)
	if strings.TrimSpace(piece) == "" {
		return
	}
	for _, token := range t.segmenter.segment(cleanText(piece)) {
		b.add(token.id, text.Span{Start: s.Start + token.start, End: s.Start + token.end})
	}
}

// cleanText replaces NUL, which ends a string in C, and bytes that are not UTF-8, which
// would change the offsets after them in the library, by the control character 1. BERT's normalizer
// removes all of these.
func cleanText(text string) string {
	if utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 {
		return text
	}
	clean := []byte(text)
	for i := 0; i < len(clean); {
		r, size := utf8.DecodeRune(clean[i:])
		if r == 0 || r == utf8.RuneError && size == 1 {
			clean[i] = 1
		}
		i += size
	}
	return string(clean)
}

// input returns the body with [CLS] and [SEP] around it.
func (t *Tokenizer) input(b *body, sentence text.Span) Input {
	const before = 1 // [CLS]
	in := Input{IDs: make([]int32, 0, len(b.ids)+2)}
	in.IDs = append(append(append(in.IDs, t.folder.ids.Cls), b.ids...), t.folder.ids.Sep)
	for _, m := range b.marks {
		span := TokenSpan{m.Start + before, m.End + before}
		if m.mention == queried {
			in.Query = span
			continue
		}
		in.Others = append(in.Others, span)
		in.OtherMentions = append(in.OtherMentions, m.mention)
	}
	if b.wantOffsets {
		first := text.Span{Start: sentence.Start, End: sentence.Start}
		last := text.Span{Start: sentence.End, End: sentence.End}
		in.Offsets = append(append(append(in.Offsets, first), b.offsets...), last)
	}
	return in
}
