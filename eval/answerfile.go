package eval

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"ctxnorm"
	"ctxnorm/corpus/annotated"
)

// answerLine is a line of an answers file: one mention and what was said of it.
// Offsets count Unicode code points of the document's text.
type answerLine struct {
	Document   string              `json:"document"`
	Start      int                 `json:"start"`
	End        int                 `json:"end"`
	Text       string              `json:"text"`
	Type       string              `json:"type,omitempty"`
	Gold       []ctxnorm.ConceptID `json:"gold"`              // of the evaluated set
	Outside    []ctxnorm.ConceptID `json:"outside,omitempty"` // annotated identifiers that are not in it
	Composite  bool                `json:"composite,omitempty"`
	Rank       int                 `json:"rank"`       // of the first gold concept, 0 where none is a candidate
	Candidates []candidateLine     `json:"candidates"` // the best first, none for NIL
}

type candidateLine struct {
	ID          ctxnorm.ConceptID `json:"id"`
	Score       float64           `json:"score"`
	Probability float64           `json:"probability"` // 0 where the linker gives none
}

// place tells mentions apart within a gold.
type place struct {
	document   string
	start, end int // code points
	text, kind string
}

func (p place) String() string {
	return fmt.Sprintf("%q at %d to %d of document %s", p.text, p.start, p.end, p.document)
}

// placer finds the places of items. Items of one document should follow each
// other.
type placer struct {
	doc     *ctxnorm.Document
	offsets *annotated.Offsets
}

func (p *placer) place(item *Item) place {
	q := &item.Query
	if q.Document != p.doc {
		p.doc, p.offsets = q.Document, annotated.NewOffsets(q.Text)
	}
	return place{q.ID, p.offsets.CodePoint(q.Mention.Start), p.offsets.CodePoint(q.Mention.End), q.Surface(), q.Mention.Type}
}

// WriteAnswers writes one JSON object a line for every answer.
func WriteAnswers(w io.Writer, answers []Answer) error {
	var p placer
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for i := range answers {
		a := &answers[i]
		at := p.place(a.Item)
		line := answerLine{
			Document: at.document, Start: at.start, End: at.end, Text: at.text, Type: at.kind,
			Gold: a.Item.Gold, Outside: a.Item.Outside, Composite: a.Item.Query.Mention.Composite,
			Rank:       Policy{}.Rank(a.Item, a.Concepts),
			Candidates: make([]candidateLine, len(a.Candidates)),
		}
		for j, c := range a.Candidates {
			line.Candidates[j] = candidateLine{c.Concept, c.Score, c.Probability}
		}
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	return nil
}

// ReadAnswers reads what [WriteAnswers] wrote of the same items, in any order.
// What was gold then is not looked at: candidates are held against the items.
// An answer to any other mention, a second one, or one that is missing is an
// error.
func ReadAnswers(r io.Reader, name string, items []Item, ids *IDs) ([]Answer, error) {
	var p placer
	open := make(map[place][]int, len(items)) // items without an answer; several where a span is annotated twice
	for i := range items {
		at := p.place(&items[i])
		open[at] = append(open[at], i)
	}
	answers := make([]Answer, len(items))
	in := bufio.NewReader(r)
	for number := 1; ; number++ {
		text, end := in.ReadBytes('\n')
		if end != nil && !errors.Is(end, io.EOF) {
			return nil, end
		}
		if len(bytes.TrimSpace(text)) > 0 {
			at, candidates, err := parseAnswer(text)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, number, err)
			}
			waiting := open[at]
			if len(waiting) == 0 {
				return nil, fmt.Errorf("%s:%d: answers %v, which the gold does not ask, or not as often", name, number, at)
			}
			open[at] = waiting[1:]
			answers[waiting[0]] = newAnswer(&items[waiting[0]], candidates, ids)
		}
		if end != nil {
			if unanswered := findMissing(answers, items, name); unanswered != nil {
				return nil, unanswered
			}
			return answers, nil
		}
	}
}

func parseAnswer(text []byte) (place, []ctxnorm.Candidate, error) {
	var line answerLine
	if err := json.Unmarshal(text, &line); err != nil {
		return place{}, nil, fmt.Errorf("want an answer as --answers writes it: %w", err)
	}
	if line.Candidates == nil {
		return place{}, nil, errors.New(`want a list of "candidates", which may be empty`)
	}
	var candidates []ctxnorm.Candidate
	for i, c := range line.Candidates {
		if c.ID == "" {
			return place{}, nil, fmt.Errorf("candidate %d has no id", i+1)
		}
		if c.Probability < 0 || c.Probability > 1 {
			return place{}, nil, fmt.Errorf("candidate %d has the probability %g, want 0 to 1", i+1, c.Probability)
		}
		candidates = append(candidates, ctxnorm.Candidate{Concept: c.ID, Score: c.Score, Probability: c.Probability})
	}
	return place{line.Document, line.Start, line.End, line.Text, line.Type}, candidates, nil
}

// findMissing says which items have no answer.
func findMissing(answers []Answer, items []Item, name string) error {
	first, n := -1, 0
	for i := range answers {
		if answers[i].Item != nil {
			continue
		}
		if n++; first < 0 {
			first = i
		}
	}
	if n == 0 {
		return nil
	}
	return fmt.Errorf("%s: has no answer for %d of the %d mentions of the gold, the first of them %v", name, n, len(answers), new(placer).place(&items[first]))
}
