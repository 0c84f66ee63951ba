package link

import (
	"context"

	"ctxnorm"
	"ctxnorm/matcher"
)

// Exact links a mention to the concepts that have it as a name.
type Exact struct{ names *matcher.Exact }

// NewExact makes the linker.
func NewExact(dict *ctxnorm.Dictionary) *Exact { return &Exact{matcher.NewExact(dict)} }

// Name implements [ctxnorm.Linker].
func (x *Exact) Name() string { return "exact" }

// Link implements [ctxnorm.Linker].
func (x *Exact) Link(ctx context.Context, queries []ctxnorm.Query, k int) ([][]ctxnorm.Candidate, error) {
	results := make([][]ctxnorm.Candidate, len(queries))
	for i := range queries {
		owners := x.names.Lookup(queries[i].Surface())
		for _, concept := range owners[:min(k, len(owners))] {
			results[i] = append(results[i], ctxnorm.Candidate{Concept: concept, Score: 1, Probability: 1 / float64(len(owners))})
		}
	}
	return results, ctx.Err()
}

// Likeness links a mention to the concepts of the names most like it as strings.
// It is not calibrated: its scores are cosines and its probabilities 0.
type Likeness struct {
	name   string
	search func(surface string, k int) []matcher.NameHit
}

// NewTFIDF compares TF-IDF over character n-grams. With [matcher.PaperTFIDF] it
// is the baseline of the paper's table 1.
func NewTFIDF(dict *ctxnorm.Dictionary, o matcher.TFIDFOptions) (*Likeness, error) {
	index, err := matcher.NewTFIDF(dict, o)
	if err != nil {
		return nil, err
	}
	return &Likeness{"tfidf", index.Search}, nil
}

// NewLexical compares words, their spellings and what stands for them in names of
// one concept: see [matcher.Lexical].
func NewLexical(dict *ctxnorm.Dictionary, o matcher.LexicalOptions) (*Likeness, error) {
	index, err := matcher.NewLexical(dict, o)
	if err != nil {
		return nil, err
	}
	return &Likeness{"lexical", index.Search}, nil
}

// Name implements [ctxnorm.Linker].
func (x *Likeness) Name() string { return x.name }

// Link implements [ctxnorm.Linker].
func (x *Likeness) Link(ctx context.Context, queries []ctxnorm.Query, k int) ([][]ctxnorm.Candidate, error) {
	results := make([][]ctxnorm.Candidate, len(queries))
	for i := range queries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, hit := range x.search(queries[i].Surface(), k) {
			results[i] = append(results[i], ctxnorm.Candidate{Concept: hit.Concept, Score: hit.Score})
		}
	}
	return results, nil
}
