package link

import (
	"context"

	"ctxnorm"
	"ctxnorm/matcher"
)

// Exact links a mention to the concepts that have it as a name, compared in normal form.
// Each of n such concepts gets the score 1 and the probability 1/n.
type Exact struct{ names *matcher.Exact }

// NewExact returns the exact linker of a dictionary. For the dictionary of a model,
// [NewExactOf] shares its index.
func NewExact(dict *ctxnorm.Dictionary) *Exact { return NewExactOf(newDictionaryIndexes(dict)) }

// NewExactOf returns the exact linker of a dictionary's names.
func NewExactOf(names *DictionaryIndexes) *Exact { return &Exact{names.Exact()} }

// Name implements [ctxnorm.Linker].
func (x *Exact) Name() string { return "exact" }

// Link implements [ctxnorm.Linker].
func (x *Exact) Link(ctx context.Context, queries []ctxnorm.Query, k int) ([][]ctxnorm.Candidate, error) {
	results := make([][]ctxnorm.Candidate, len(queries))
	for i := range queries {
		concepts := x.names.Lookup(queries[i].Surface())
		for _, concept := range concepts[:min(k, len(concepts))] {
			results[i] = append(results[i], ctxnorm.Candidate{Concept: concept, Score: 1, Probability: 1 / float64(len(concepts))})
		}
	}
	return results, ctx.Err()
}

// Likeness links a mention to the concepts of the names that are most similar to it as
// strings. It is not calibrated: its scores are similarities from 0 to 1 and its
// probabilities are 0.
type Likeness struct {
	name   string
	search func(surface string, k int) []matcher.NameHit
}

// NewTFIDF returns a linker by the cosine of TF-IDF vectors of character n-grams. With
// [matcher.PaperTFIDF] it is the baseline of table 1 of the BioCoM paper. It returns an
// error if the options are not valid.
func NewTFIDF(dict *ctxnorm.Dictionary, o matcher.TFIDFOptions) (*Likeness, error) {
	index, err := matcher.NewTFIDF(dict, o)
	if err != nil {
		return nil, err
	}
	return &Likeness{"tfidf", index.Search}, nil
}

// NewLexical returns a linker that compares words by character n-grams and by the
// synonyms of words: see [matcher.Lexical]. It returns an error if the options are not
// valid. For the dictionary of a model and [matcher.DefaultLexical], [NewLexicalOf] shares
// its index.
func NewLexical(dict *ctxnorm.Dictionary, o matcher.LexicalOptions) (*Likeness, error) {
	index, err := matcher.NewLexical(dict, o)
	if err != nil {
		return nil, err
	}
	return &Likeness{"lexical", index.Search}, nil
}

// NewLexicalOf returns the linker of [NewLexical] with [matcher.DefaultLexical].
func NewLexicalOf(names *DictionaryIndexes) (*Likeness, error) {
	index, err := names.Lexical()
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
