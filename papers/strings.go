package papers

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/lexical"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// exactLinker links a mention to the concepts that have it as a name, compared in normal form. Each of n such concepts
// gets the score 1 and the probability 1/n; sortSameNames orders them.
type exactLinker struct {
	names *lexical.KeyIndex
	dict  *kb.Dictionary
	cased bool // drops concepts by case
}

// NewExactLinker returns the exact linker for a dictionary's names. For those of a model, see
// [model.Model.DictionaryIndexes].
func NewExactLinker(names *model.DictionaryIndexes) link.Linker { return newExact(names, false) }

func newExact(names *model.DictionaryIndexes, cased bool) *exactLinker {
	return &exactLinker{names.Exact(), names.Dictionary, cased}
}

// Name implements [link.Linker].
func (x *exactLinker) Name() string { return "exact" }

// Link implements [link.Linker].
func (x *exactLinker) Link(ctx context.Context, queries []text.Query, k int) ([]link.Ranking, error) {
	results := make([]link.Ranking, len(queries))
	for i := range queries {
		surface := queries[i].Surface()
		concepts := x.names.Lookup(surface)
		if x.cased {
			concepts = slices.DeleteFunc(concepts, func(id kb.ConceptID) bool {
				return link.ExcludedByCase(x.dict.Lookup(id), surface)
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

// stringLinker links a mention to the concepts of the names that are most similar to it as strings. It is not
// calibrated: its scores are similarities from 0 to 1 and its probabilities are 0.
type stringLinker struct {
	name     string
	search   func(surface string, k int) []lexical.NameHit
	minScore float64 // candidates with a lower score are dropped
	dict     *kb.Dictionary
	cased    bool // drops concepts by case
}

const (
	// tiedScores is more than the rounding of the scores of names with the same words.
	tiedScores = 1e-5
	// furtherHits is the number of hits searched in addition to those requested, because some are dropped by opposites
	// or by case.
	furtherHits = 10
)

// newTFIDF returns a linker by the cosine of TF-IDF vectors of character n-grams, the baseline of table 1 of the BioCoM
// paper.
func newTFIDF(src link.Source, o link.MethodOptions) (link.Linker, error) {
	dict := src.Model.Dictionary
	return &stringLinker{"tfidf", lexical.NewTFIDF(dict).Search, o.MinScore, dict, o.MatchCase}, nil
}

// newLexical returns a linker that compares words by character n-grams and by word synonyms: see [lexical.Index].
// Concepts with the highest score are ordered by sortSameNames. It drops a concept if its most similar name has a word
// that excludes one of the mention, as "hypotension" and "hypertension" do: see [normalize.ExcludeEachOther]. If no
// name is similar to the mention, it links to the longest name contained in it.
func newLexical(src link.Source, o link.MethodOptions) (link.Linker, error) {
	dict := src.Model.Dictionary
	index := src.Model.DictionaryIndexes().Lexical()
	search := func(surface string, k int) []lexical.NameHit {
		hits := slices.DeleteFunc(index.Search(surface, k+furtherHits), func(hit lexical.NameHit) bool {
			return hit.Score < 1-tiedScores && excludes(surface, hit, dict) || normalize.AreReversed(surface, hit.Name)
		})
		if len(hits) > 0 && hits[0].Score > longerScore && hits[0].Score < 1-tiedScores &&
			(hits[0].Longer || normalize.IsDisease(hits[0].Name, surface)) {
			scale := longerScore / hits[0].Score
			for i := range hits {
				hits[i].Score *= scale
			}
		}
		hits = withContained(index, dict, surface, k, hits)
		tied := 0
		for tied < len(hits) && hits[0].Score-hits[tied].Score < tiedScores {
			tied++
		}
		sortSameNames(hits[:tied], dict, surface, func(hit lexical.NameHit) kb.ConceptID { return hit.Concept })
		return hits[:min(k, len(hits))]
	}
	return &stringLinker{"lexical", search, o.MinScore, dict, o.MatchCase}, nil
}

// containedScore is the score of a name that a mention contains together with other words: "gout" in "gout attack".
// With half of MEDIC, .004 more mentions are right on NCBI Disease and on MedMentions, and .001 fewer on BC5CDR.
const containedScore = .7

// longerScore is the maximum score of the first name if it says more than the mention, as "bile reflux" does for
// "reflux" and "bilirubinemia" for "bilirubin". It is below certainty, because half of these names are wrong.
const longerScore = linked.Certain - .01

// maxContained is the maximum number of words of a name that is looked for in a mention, so the work grows only with
// the length of the mention.
const maxContained = 16

// excludes reports whether the name of a hit excludes the mention, or another name of its concept that adds a word to it:
// diabetes insipidus is no diabetes, which is also called diabetes mellitus.
func excludes(surface string, hit lexical.NameHit, dict *kb.Dictionary) bool {
	return slices.ContainsFunc(dict.Lookup(hit.Concept).Names(), func(name string) bool {
		return (name == hit.Name || strings.HasPrefix(name, hit.Name+" ") || strings.HasSuffix(name, " "+hit.Name)) &&
			normalize.ExcludeEachOther(surface, name)
	})
}

// withContained adds the concepts of the longest name that the mention contains, the last one if there are several.
func withContained(index *lexical.Index, dict *kb.Dictionary, surface string, k int, hits []lexical.NameHit) []lexical.NameHit {
	if len(hits) > 0 && hits[0].Score >= containedScore {
		return hits
	}
	words := strings.Fields(surface)
	for n := min(len(words)-1, maxContained); n > 0; n-- {
		for start := len(words) - n; start >= 0; start-- {
			name := strings.Join(words[start:start+n], " ")
			if !index.HasName(name) {
				continue
			}
			if len(hits) > 0 && !hits[0].Longer && len(strings.Fields(hits[0].Name)) > n { // all words of the mention, mistyped
				return hits
			}
			for _, hit := range index.Search(name, k) {
				if hit.Score >= 1-tiedScores && !excludes(surface, hit, dict) {
					hit.Score = containedScore
					hits = append(slices.DeleteFunc(hits, func(h lexical.NameHit) bool { return h.Concept == hit.Concept }), hit)
				}
			}
			slices.SortStableFunc(hits, func(a, b lexical.NameHit) int { return cmp.Compare(b.Score, a.Score) })
			return hits
		}
	}
	return hits
}

// Name implements [link.Linker].
func (x *stringLinker) Name() string { return x.name }

// Link implements [link.Linker].
func (x *stringLinker) Link(ctx context.Context, queries []text.Query, k int) ([]link.Ranking, error) {
	results := make([]link.Ranking, len(queries))
	further := 0
	if x.cased {
		further = furtherHits
	}
	for i := range queries {
		surface := queries[i].Surface()
		hits := slices.DeleteFunc(x.search(surface, k+further), func(hit lexical.NameHit) bool {
			return x.cased && link.ExcludedByCase(x.dict.Lookup(hit.Concept), surface)
		})
		for _, hit := range hits[:min(k, len(hits))] {
			c := linked.Candidate{Concept: hit.Concept, Score: hit.Score}
			if r := &results[i]; hit.Score >= x.minScore {
				r.Candidates = append(r.Candidates, c)
			} else if len(r.Candidates) == 0 && hit.Score >= lexical.MinSimilarity {
				r.Suggested = append(r.Suggested, c)
			}
		}
	}
	return results, ctx.Err()
}

// sortSameNames sorts concepts that have a name with the mention's words in the order of the features sameWording and
// sameWordsNames: first those with the name most like the mention (see [normalize.Likeness]), then those with more
// names made of its words. Other concepts keep their order. of returns the concept.
func sortSameNames[T any](tied []T, dict *kb.Dictionary, mention string, of func(T) kb.ConceptID) {
	if len(tied) < 2 {
		return
	}
	words, joined := sortedTokens(mention), normalize.JoinedForm(mention)
	type rank struct{ wording, names int }
	ranks := make(map[kb.ConceptID]rank, len(tied))
	for _, t := range tied {
		var r rank
		for _, name := range dict.Lookup(of(t)).Names() {
			if slices.Equal(sortedTokens(name), words) || joined != "" && joined == normalize.JoinedForm(name) {
				r.names++
			}
			r.wording = max(r.wording, normalize.Likeness(name, mention))
		}
		ranks[of(t)] = r
	}
	slices.SortStableFunc(tied, func(a, b T) int {
		x, y := ranks[of(a)], ranks[of(b)]
		return cmp.Or(cmp.Compare(y.wording, x.wording), cmp.Compare(y.names, x.names))
	})
}

// sortedTokens returns the canonical tokens of a name, sorted.
func sortedTokens(name string) []string {
	return slices.Sorted(slices.Values(normalize.CanonicalTokens(name)))
}
