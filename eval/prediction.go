package eval

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"ctxnorm"
	"ctxnorm/corpus/annotated"
)

// Depth is the number of candidates that a linker is asked for. Candidates beyond
// it are ignored.
const Depth = 20

// Prediction is what a linker returned for a gold mention.
type Answer struct {
	Item       *Item
	Candidates []ctxnorm.Candidate // best first, at most Depth; empty for NIL
	Concepts   []ctxnorm.ConceptID // the candidates' concepts in canonical form, distinct, best first
}

func newPrediction(mention *Item, candidates []ctxnorm.Candidate, set *IDs) Answer {
	candidates = candidates[:min(Depth, len(candidates))]
	p := Answer{Item: mention, Candidates: candidates}
	seen := make(map[ctxnorm.ConceptID]bool, len(candidates))
	for i := range candidates {
		// A candidate outside the set keeps its rank: it is a wrong prediction.
		concept := set.Canonical(candidates[i].Concept)
		if !seen[concept] {
			seen[concept] = true
			p.Concepts = append(p.Concepts, concept)
		}
	}
	return p
}

// mentionsPerCall is the number of mentions in one call of the linker: enough to
// fill the encoder's batches, few enough for progress to move.
const mentionsPerCall = 256

// Predict links all mentions, also those that a policy excludes, so that one run
// serves every policy. Predictions are in the order of mentions. progress, which
// may be nil, is called with the number of mentions done after each call of the
// linker.
func Run(ctx context.Context, linker ctxnorm.Linker, mentions []Item, set *IDs, progress func(done, total int)) ([]Answer, error) {
	predictions := make([]Answer, 0, len(mentions))
	for start := 0; start < len(mentions); start += mentionsPerCall {
		batch := mentions[start:min(start+mentionsPerCall, len(mentions))]
		queries := make([]ctxnorm.Query, len(batch))
		for i := range batch {
			queries[i] = batch[i].Query
		}
		candidates, err := linker.Link(ctx, queries, Depth)
		if err != nil {
			return nil, err
		}
		for i := range batch {
			predictions = append(predictions, newPrediction(&batch[i], candidates[i], set))
		}
		if progress != nil {
			progress(len(predictions), len(mentions))
		}
	}
	return predictions, nil
}

// predictionLine is a line of a predictions file. Offsets count Unicode code points
// of the document's text.
type predictionLine struct {
	Document   string              `json:"document"`
	Start      int                 `json:"start"`
	End        int                 `json:"end"`
	Text       string              `json:"text"`
	Type       string              `json:"type,omitempty"`
	Gold       []ctxnorm.ConceptID `json:"gold"`              // gold concepts in the evaluated set
	Outside    []ctxnorm.ConceptID `json:"outside,omitempty"` // annotated identifiers that are not in the set
	Composite  bool                `json:"composite,omitempty"`
	Rank       int                 `json:"rank"`       // rank of the first gold concept, 0 if it is not a candidate
	Candidates []candidateLine     `json:"candidates"` // best first, empty for NIL
}

type candidateLine struct {
	ID          ctxnorm.ConceptID `json:"id"`
	Score       float64           `json:"score"`
	Probability float64           `json:"probability"` // 0 if the linker returns no probabilities
}

// mentionKey identifies a mention among the gold mentions.
type mentionKey struct {
	document    string
	start, end  int // code points
	surface     string
	mentionType string
}

func (k mentionKey) String() string {
	return fmt.Sprintf("%q at %d-%d of document %s", k.surface, k.start, k.end, k.document)
}

// keyBuilder makes the keys of mentions. It is fast where the mentions of one
// document follow each other.
type keyBuilder struct {
	doc     *ctxnorm.Document
	offsets *annotated.Offsets // of doc
}

func (b *keyBuilder) key(mention *Item) mentionKey {
	q := &mention.Query
	if q.Document != b.doc {
		b.doc, b.offsets = q.Document, annotated.NewOffsets(q.Text)
	}
	return mentionKey{q.ID, b.offsets.CodePoint(q.Mention.Start), b.offsets.CodePoint(q.Mention.End), q.Surface(), q.Mention.Type}
}

// WritePredictions writes one line of JSON for each prediction.
func WriteAnswers(w io.Writer, predictions []Answer) error {
	var keys keyBuilder
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for i := range predictions {
		p := &predictions[i]
		key := keys.key(p.Item)
		line := predictionLine{
			Document: key.document, Start: key.start, End: key.end, Text: key.surface, Type: key.mentionType,
			Gold: p.Item.Gold, Outside: p.Item.Outside, Composite: p.Item.Query.Mention.Composite,
			Rank:       Policy{}.Rank(p.Item, p.Concepts),
			Candidates: make([]candidateLine, len(p.Candidates)),
		}
		for j, c := range p.Candidates {
			line.Candidates[j] = candidateLine{c.Concept, c.Score, c.Probability}
		}
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	return nil
}

// ReadPredictions reads a file of [WritePredictions] for the same gold mentions.
// The lines may be in any order. The gold concepts and ranks in the file are
// ignored: candidates are scored against mentions. A line for a mention that is not
// among them, two lines for one mention and a missing line are errors. Errors start
// with name, the file's name, and the line number.
func ReadAnswers(r io.Reader, name string, mentions []Item, set *IDs) ([]Answer, error) {
	var keys keyBuilder
	unpredicted := make(map[mentionKey][]int, len(mentions)) // positions in mentions; several if a span is annotated twice
	for i := range mentions {
		key := keys.key(&mentions[i])
		unpredicted[key] = append(unpredicted[key], i)
	}
	predictions := make([]Answer, len(mentions))
	in := bufio.NewReader(r)
	for number := 1; ; number++ {
		line, readErr := in.ReadBytes('\n')
		if readErr != nil && !errors.Is(readErr, io.EOF) {
			return nil, readErr
		}
		if len(bytes.TrimSpace(line)) > 0 {
			key, candidates, err := parsePrediction(line)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, number, err)
			}
			positions := unpredicted[key]
			if len(positions) == 0 {
				return nil, fmt.Errorf("%s:%d: %v is not a gold mention, or has a prediction already", name, number, key)
			}
			unpredicted[key] = positions[1:]
			predictions[positions[0]] = newPrediction(&mentions[positions[0]], candidates, set)
		}
		if readErr != nil {
			if err := checkComplete(predictions, mentions, name); err != nil {
				return nil, err
			}
			return predictions, nil
		}
	}
}

func parsePrediction(data []byte) (mentionKey, []ctxnorm.Candidate, error) {
	var line predictionLine
	if err := json.Unmarshal(data, &line); err != nil {
		return mentionKey{}, nil, fmt.Errorf("want a prediction as a JSON object: %w", err)
	}
	if line.Candidates == nil {
		return mentionKey{}, nil, errors.New(`"candidates" is missing, want a list, which may be empty`)
	}
	var candidates []ctxnorm.Candidate
	for i, c := range line.Candidates {
		if c.ID == "" {
			return mentionKey{}, nil, fmt.Errorf("candidate %d has no id", i+1)
		}
		if c.Probability < 0 || c.Probability > 1 {
			return mentionKey{}, nil, fmt.Errorf("candidate %d: probability is %g, want 0 to 1", i+1, c.Probability)
		}
		candidates = append(candidates, ctxnorm.Candidate{Concept: c.ID, Score: c.Score, Probability: c.Probability})
	}
	return mentionKey{line.Document, line.Start, line.End, line.Text, line.Type}, candidates, nil
}

// checkComplete returns an error if a mention has no prediction.
func checkComplete(predictions []Answer, mentions []Item, name string) error {
	first, missing := -1, 0
	for i := range predictions {
		if predictions[i].Item != nil {
			continue
		}
		if missing++; first < 0 {
			first = i
		}
	}
	if missing == 0 {
		return nil
	}
	return fmt.Errorf("%s: %d of %d gold mentions have no prediction; the first is %v", name, missing, len(predictions), new(keyBuilder).key(&mentions[first]))
}
