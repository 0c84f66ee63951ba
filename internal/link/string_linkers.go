package link

import (
	"context"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/lexical"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// ExactLinker links a mention to the concepts that have it as a name, compared in normal
// form. Each of n such concepts gets the score 1 and the probability 1/n; see sortSameNames for their order.
type ExactLinker struct {
	names *lexical.Exact
	dict  *kb.Dictionary
	cased bool // leaves out concepts by case
}

// NewExactLinker returns the exact linker of a dictionary's names. Those of a model are in
// [model.Model.DictionaryIndexes].
func NewExactLinker(names *model.DictionaryIndexes) *ExactLinker {
	return &ExactLinker{names: names.Exact(), dict: names.Dictionary}
}

// Name implements [Linker].
func (x *ExactLinker) Name() string { return "exact" }

// Link implements [Linker].
func (x *ExactLinker) Link(ctx context.Context, queries []text.Query, k int) ([]Ranking, error) {
	results := make([]Ranking, len(queries))
	for i := range queries {
		surface := queries[i].Surface()
		concepts := slices.Clone(x.names.Lookup(surface))
		if x.cased {
			concepts = slices.DeleteFunc(concepts, func(id kb.ConceptID) bool {
				return excludedByCase(x.dict.Lookup(id), surface)
			})
		}
		sortSameNames(concepts, x.dict, surface, func(id kb.ConceptID) kb.ConceptID { return id })
		for _, concept := range concepts[:min(k, len(concepts))] {
			results[i].Candidates = append(results[i].Candidates,
				linked.Candidate{Concept: concept, Score: 1, Probability: 1 / float64(len(concepts))})
		}
	}
	return results, ctx.Err()
}

// StringLinker links a mention to the concepts of the names that are most similar to it as
// strings. It is not calibrated: its scores are similarities from 0 to 1 and its
// probabilities are 0.
type StringLinker struct {
	name     string
	search   func(surface string, k int) []lexical.NameHit
	minScore float64
	cased    *kb.Dictionary // to leave out its concepts by case; nil for none
}

// newTFIDFLinker returns a linker by the cosine of TF-IDF vectors of character n-grams.
// With [lexical.PaperTFIDF] it is the baseline of table 1 of the BioCoM paper. It returns
// an error if the options are not valid.
func newTFIDFLinker(dict *kb.Dictionary, o lexical.TFIDFOptions) (*StringLinker, error) {
	index, err := lexical.NewTFIDF(dict, o)
	if err != nil {
		return nil, err
	}
	return &StringLinker{name: "tfidf", search: index.Search}, nil
}

// newLexicalLinker returns a linker that compares words by character n-grams and by the synonyms of words: see
// [lexical.Index]. The index of a model's names is in [model.Model.DictionaryIndexes]. Concepts of the highest score
// are in the order of sortSameNames. It leaves out a concept whose most similar name has a word that excludes one of
// the mention, as "hypotension" and "hypertension" do: see [normalize.ExcludeEachOther].
func newLexicalLinker(names *model.DictionaryIndexes) (*StringLinker, error) {
	index, err := names.Lexical()
	if err != nil {
		return nil, err
	}
	return &StringLinker{name: "lexical", search: func(surface string, k int) []lexical.NameHit {
		hits := withoutOpposites(surface, index.Search(surface, k+opposedHits))
		tied := 0
		for tied < len(hits) && hits[0].Score-hits[tied].Score < tiedScores {
			tied++
		}
		sortSameNames(hits[:tied], names.Dictionary, surface,
			func(hit lexical.NameHit) kb.ConceptID { return hit.Concept })
		return hits[:min(k, len(hits))]
	}}, nil
}

// tiedScores is more than the rounding of the scores of names with the same words.
const tiedScores = 1e-5

// opposedHits is the number of hits that are searched beyond those asked for, since some are left out by opposites or
// by case.
const opposedHits = 10

// withoutOpposites returns the hits whose names do not exclude the mention.
func withoutOpposites(mention string, hits []lexical.NameHit) []lexical.NameHit {
	return slices.DeleteFunc(hits, func(hit lexical.NameHit) bool {
		return hit.Score < 1-tiedScores && normalize.ExcludeEachOther(mention, hit.Name)
	})
}

// with returns a linker that leaves out candidates of a lower score than the least, and with MatchCase concepts of the
// dictionary by case. A mention without a candidate is NIL.
func (x *StringLinker) with(dict *kb.Dictionary, o MethodOptions) *StringLinker {
	same := *x
	same.minScore = o.MinScore
	if o.MatchCase {
		same.cased = dict
	}
	return &same
}

// hits returns the hits of a mention, at most k, the most similar first.
func (x *StringLinker) hits(surface string, k int) []lexical.NameHit {
	if x.cased == nil {
		return x.search(surface, k)
	}
	hits := slices.DeleteFunc(x.search(surface, k+opposedHits), func(hit lexical.NameHit) bool {
		return excludedByCase(x.cased.Lookup(hit.Concept), surface)
	})
	return hits[:min(k, len(hits))]
}

// Name implements [Linker].
func (x *StringLinker) Name() string { return x.name }

// Link implements [Linker].
func (x *StringLinker) Link(ctx context.Context, queries []text.Query, k int) ([]Ranking, error) {
	results := make([]Ranking, len(queries))
	for i := range queries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, hit := range x.hits(queries[i].Surface(), k) {
			if hit.Score < x.minScore {
				break
			}
			results[i].Candidates = append(results[i].Candidates,
				linked.Candidate{Concept: hit.Concept, Score: hit.Score})
		}
	}
	return results, nil
}
