package eval

import (
	"context"
	"encoding/json"
	"io"

	"ctxnorm"
)

// Depth is how many candidates a linker is asked for.
const Depth = 20

// Answer is what a linker said of an item.
type Answer struct {
	Item       *Item
	Candidates []ctxnorm.Candidate
	Concepts   []ctxnorm.ConceptID // of the candidates, in the form of the evaluated set, distinct, best first
}

// Rank is the place of the first gold concept among the candidates, from 1, or 0
// where none is there.
func (a *Answer) Rank() int {
	for i, concept := range a.Concepts {
		for _, gold := range a.Item.Gold {
			if concept == gold {
				return i + 1
			}
		}
	}
	return 0
}

// itemsPerCall is how many items go to the linker at a time: enough to fill the
// encoder's batches, few enough for progress to move.
const itemsPerCall = 1024

// Run asks the linker about every item that counts under the policy.
func Run(ctx context.Context, linker ctxnorm.Linker, items []Item, policy Policy, ids *IDs, progress func(done, total int)) ([]Answer, error) {
	var answers []Answer
	for i := range items {
		if policy.Counts(&items[i]) {
			answers = append(answers, Answer{Item: &items[i]})
		}
	}
	for start := 0; start < len(answers); start += itemsPerCall {
		part := answers[start:min(start+itemsPerCall, len(answers))]
		queries := make([]ctxnorm.Query, len(part))
		for i := range part {
			queries[i] = part[i].Item.Query
		}
		results, err := linker.Link(ctx, queries, Depth)
		if err != nil {
			return nil, err
		}
		for i := range part {
			part[i].Candidates = results[i]
			part[i].Concepts = evaluated(results[i], ids)
		}
		if progress != nil {
			progress(start+len(part), len(answers))
		}
	}
	return answers, nil
}

// evaluated brings candidates to the form of the evaluated set. A candidate that
// is not in the set keeps its place under its own ID: it is an answer, and wrong.
func evaluated(candidates []ctxnorm.Candidate, ids *IDs) []ctxnorm.ConceptID {
	seen := make(map[ctxnorm.ConceptID]bool)
	var concepts []ctxnorm.ConceptID
	for i := range candidates {
		concept, ok := ids.Concept(candidates[i].Concept)
		if !ok {
			concept = candidates[i].Concept
		}
		if !seen[concept] {
			seen[concept] = true
			concepts = append(concepts, concept)
		}
	}
	return concepts
}

// mentionLine is a row of the per-mention output.
type mentionLine struct {
	Document   string              `json:"document"`
	Start      int                 `json:"start"` // bytes of the document's text
	End        int                 `json:"end"`
	Text       string              `json:"text"`
	Type       string              `json:"type,omitempty"`
	Gold       []ctxnorm.ConceptID `json:"gold"`
	Rank       int                 `json:"rank"` // of the first gold concept, 0 where it is not among the candidates
	Candidates []candidateLine     `json:"candidates"`
}

type candidateLine struct {
	ID          ctxnorm.ConceptID `json:"id"`
	Score       float64           `json:"score"`
	Probability float64           `json:"probability"`
}

// WriteAnswers writes one JSON object a line for every answer.
func WriteAnswers(w io.Writer, answers []Answer) error {
	encoder := json.NewEncoder(w)
	for i := range answers {
		a := &answers[i]
		q := &a.Item.Query
		line := mentionLine{
			Document: q.ID, Start: q.Mention.Start, End: q.Mention.End, Text: q.Surface(), Type: q.Mention.Type,
			Gold: a.Item.Gold, Rank: a.Rank(), Candidates: make([]candidateLine, len(a.Candidates)),
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
