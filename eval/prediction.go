package eval

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// depth is the number of candidates requested from a linker. Further candidates are ignored.
const depth = 20

// Prediction is a linker's result for a gold mention.
type Prediction struct {
	Mention    *GoldMention
	Candidates []Candidate // best first, at most depth; empty for NIL
	Ranked     []Candidate // distinct concepts in canonical form
}

// Candidate holds the parts of a [linked.Candidate] that are measured and written to a predictions file.
type Candidate struct {
	Concept     kb.ConceptID `json:"id"`
	Score       float64      `json:"score"`
	Probability float64      `json:"probability,omitempty"` // 0, and absent, if the linker returns no probabilities
}

// newPrediction returns a prediction with the candidates, which it copies.
func newPrediction(mention *GoldMention, candidates []Candidate, set *ConceptSet) Prediction {
	candidates = slices.Clone(candidates[:min(depth, len(candidates))])
	ranked := make([]Candidate, 0, len(candidates))
	for _, c := range candidates {
		// A candidate outside the set keeps its rank, because it is a wrong prediction.
		c.Concept = set.Canonical(c.Concept)
		if !slices.ContainsFunc(ranked, func(other Candidate) bool { return other.Concept == c.Concept }) {
			ranked = append(ranked, c)
		}
	}
	return Prediction{mention, candidates, ranked}
}

// mentionsPerCall is the number of mentions in one call of the linker: enough to fill the encoder's batches, and few
// enough for visible progress.
const mentionsPerCall = 256

// Predict links all mentions, including those that a policy excludes, so that one run serves every policy. Predictions
// are in the order of mentions. progress, which may be nil, is called with the number of mentions done after each call
// of the linker.
func Predict(ctx context.Context, linker link.Linker, mentions []GoldMention, set *ConceptSet,
	progress func(done, total int)) ([]Prediction, error) {
	predictions := make([]Prediction, 0, len(mentions))
	candidates := make([]Candidate, 0, depth) // for one mention
	for batch := range slices.Chunk(mentions, mentionsPerCall) {
		queries := make([]text.Query, len(batch))
		for i := range batch {
			queries[i] = batch[i].Query
		}
		rankings, err := linker.Link(ctx, queries, depth)
		if err != nil {
			return nil, err
		}
		for i := range batch {
			candidates = candidates[:0]
			for _, c := range rankings[i].Candidates {
				candidates = append(candidates, Candidate{c.Concept, c.Score, c.Probability})
			}
			predictions = append(predictions, newPrediction(&batch[i], candidates, set))
		}
		if progress != nil {
			progress(len(predictions), len(mentions))
		}
	}
	return predictions, nil
}

// predictionLine is a line of a predictions file. Offsets count Unicode code points of the document's text.
type predictionLine struct {
	mentionKey
	Gold       []kb.ConceptID `json:"gold"`              // gold concepts in the evaluated set
	Outside    []kb.ConceptID `json:"outside,omitempty"` // annotated identifiers outside the set
	Composite  bool           `json:"composite,omitempty"`
	Rank       int            `json:"rank"`       // rank of the first gold concept, 0 if it is not a candidate
	Candidates []Candidate    `json:"candidates"` // best first, empty for NIL
}

// mentionKey identifies a mention among the gold mentions.
type mentionKey struct {
	Document string `json:"document"`
	Start    int    `json:"start"` // in code points
	End      int    `json:"end"`
	Text     string `json:"text"`
	Type     string `json:"type,omitempty"`
}

func (k mentionKey) String() string {
	return fmt.Sprintf("%q at %d-%d of document %s", k.Text, k.Start, k.End, k.Document)
}

// keyBuilder makes the keys of mentions. It is fast if mentions of one document are adjacent.
type keyBuilder struct {
	doc     *text.Document
	offsets *text.Offsets // of doc
}

func (b *keyBuilder) key(mention *GoldMention) mentionKey {
	q := &mention.Query
	if q.Document != b.doc {
		b.doc, b.offsets = q.Document, text.NewOffsets(q.Text)
	}
	at := b.offsets.CodePoints(q.Mention.Span)
	return mentionKey{q.ID, at.Start, at.End, q.Surface(), q.Mention.Type}
}

// WritePredictions writes one line of JSON for each prediction.
func WritePredictions(w io.Writer, predictions []Prediction) error {
	var keys keyBuilder
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for i := range predictions {
		p := &predictions[i]
		candidates := append([]Candidate{}, p.Candidates...) // [] instead of null
		err := encoder.Encode(predictionLine{keys.key(p.Mention), p.Mention.Gold, p.Mention.Outside,
			p.Mention.Query.Mention.Composite, Policy{}.rank(p), candidates})
		if err != nil {
			return err
		}
	}
	return nil
}

// ReadPredictions reads a file of [WritePredictions] for the same gold mentions. The lines may be in any order. It
// ignores the gold concepts and ranks in the file and scores candidates against mentions. It returns an error for a
// line about another mention, two lines for one mention, or a missing line. Errors start with name, the file's name,
// and the line number.
func ReadPredictions(r io.Reader, name string, mentions []GoldMention, set *ConceptSet,
	limits files.Limits) ([]Prediction, error) {
	var keys keyBuilder
	// positions in mentions; several if a span is annotated twice
	unpredicted := make(map[mentionKey][]int, len(mentions))
	for i := range mentions {
		key := keys.key(&mentions[i])
		unpredicted[key] = append(unpredicted[key], i)
	}
	predictions := make([]Prediction, len(mentions))
	err := input.NewLines(bufio.NewReader(r), limits).Each(func(line string, _ int) error {
		if strings.TrimSpace(line) == "" {
			return nil
		}
		key, candidates, err := parsePrediction([]byte(line))
		if err != nil {
			return err
		}
		positions := unpredicted[key]
		if len(positions) == 0 {
			return fmt.Errorf("%v is not a gold mention, or has a prediction already", key)
		}
		unpredicted[key] = positions[1:]
		predictions[positions[0]] = newPrediction(&mentions[positions[0]], candidates, set)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	isMissing := func(p Prediction) bool { return p.Mention == nil }
	if first := slices.IndexFunc(predictions, isMissing); first >= 0 {
		missing := len(slices.DeleteFunc(slices.Clone(predictions), func(p Prediction) bool { return p.Mention != nil }))
		return nil, fmt.Errorf("%s: %d of %d gold mentions have no prediction; the first is %v", name, missing,
			len(predictions), keys.key(&mentions[first]))
	}
	return predictions, nil
}

func parsePrediction(data []byte) (mentionKey, []Candidate, error) {
	var line predictionLine
	if err := input.DecodeJSON(data, &line); err != nil {
		return mentionKey{}, nil, fmt.Errorf("want a prediction as a JSON object: %w", err)
	}
	if line.Candidates == nil {
		return mentionKey{}, nil, errors.New(`"candidates" is missing, want a list, which may be empty`)
	}
	for i, c := range line.Candidates {
		if c.Concept == "" {
			return mentionKey{}, nil, fmt.Errorf("candidate %d has no id", i+1)
		}
		if c.Probability < 0 || c.Probability > 1 {
			return mentionKey{}, nil, fmt.Errorf("candidate %d: probability is %g, want 0 to 1", i+1, c.Probability)
		}
	}
	return line.mentionKey, line.Candidates, nil
}
