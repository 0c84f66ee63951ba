package link

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"

	"github.com/ctxnorm/ctxnorm/internal/lexical"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// MentionResolver resolves mentions before another linker links them: it expands
// abbreviations and splits composite mentions.
//
// A short form that its document does not define may have several readings. If the linker
// is a [*Ranker], all probable readings are ranked, and the probability of a concept is
//
//	P(concept) = sum over readings of P(reading) P(concept | reading)
//
// Other linkers link the most probable reading.
type MentionResolver struct {
	linker     Linker
	components Components
	reader     reader
	names      *model.DictionaryIndexes // splits composite mentions; nil to leave them whole

	quick       *MentionResolver // answers without the encoder, within bounds: see Cascade; nil for none
	bounds      model.CascadeRow
	asksEnglish bool                                         // whether the encoder answers words with several senses in English all the same
	counts      struct{ concept, nil, encoder atomic.Int64 } // see CascadeCounts

	corrections *Corrections // nil for none
	dictionary  *kb.Dictionary
}

// NewMentionResolver returns a resolver for mentions of the model's concepts that links
// with linker. It uses these components of the set: [ComponentDocumentAbbreviations]
// expands abbreviations that the document defines, [ComponentCorpusAbbreviations] those
// that only the model's corpus defines, by the evidence of [ComponentContexts] and
// [ComponentDocumentContext], and [ComponentComposites] splits "breast and ovarian cancer"
// into breast cancer and ovarian cancer, unless the whole is more like a name of the
// dictionary. With [ComponentStrings] and a [*Ranker] a word of English that is no name of the model is read by the
// name of its sense in medicine: see [sense.English].
func NewMentionResolver(m *model.Model, linker Linker, components Components) (*MentionResolver, error) {
	names := m.DictionaryIndexes()
	r := &MentionResolver{
		linker: linker, components: components, dictionary: m.Dictionary,
		reader: reader{expandDefined: components.Has(ComponentDocumentAbbreviations), names: names},
	}
	if components.Has(ComponentCorpusAbbreviations) && m.Abbreviations != nil && m.Abbreviations.Len() > 0 {
		weights, err := senseWeightsOf(m)
		if err != nil {
			return nil, err
		}
		r.reader.senses = newSenseModel(m, components, weights)
	}
	if _, ranks := linker.(*Ranker); ranks && components.Has(ComponentStrings) { // others link what is written, as published
		r.reader.english = m
	}
	if components.Has(ComponentComposites) {
		r.names = names
	}
	return r, nil
}

// Result is the result of linking one mention.
type Result struct {
	ResolvedText string       // the mention with its abbreviations expanded, by the most probable reading
	Readings     []Reading    // the most probable first; at least one
	Candidates   []Candidate  // for the whole mention
	SubMentions  []SubMention // of a composite mention, in the order of its text
	Corrected    string       // who corrected the mention, and when, if that decided the result; else empty

	first []FirstProbability // of each sub-mention, NIL or not; only of a [*Ranker]
}

// SubMention is a sub-mention of a composite mention.
type SubMention struct {
	Text       string
	Candidates []Candidate

	nilProbability float64
}

// Name implements [Linker]. It is the name of the linker behind the resolver.
func (r *MentionResolver) Name() string { return r.linker.Name() }

// Link implements [Linker]. See [MentionResolver.LinkMentions] for composite mentions.
func (r *MentionResolver) Link(ctx context.Context, queries []text.Query, k int) ([][]Candidate, error) {
	results, err := r.LinkMentions(ctx, queries, k)
	if err != nil {
		return nil, err
	}
	candidates := make([][]Candidate, len(results))
	for i := range results {
		candidates[i] = results[i].Candidates
	}
	return candidates, nil
}

// LinkMentions returns the result of each query, in order, with at most k candidates for
// the query and for each of its sub-mentions. The candidates of a composite mention are
// those of its sub-mentions, interleaved: the first of every sub-mention, the most probable
// one first, then the second of every sub-mention, and so on. Their scores have no meaning
// beyond this order.
//
// A mention that was corrected gets what the correction says: see [MentionResolver.Correct].
func (r *MentionResolver) LinkMentions(ctx context.Context, queries []text.Query, k int) ([]Result, error) {
	results := make([]Result, len(queries))
	var others []text.Query // those that are not corrected
	var at []int
	for i := range queries {
		if correction := r.corrections.find(&queries[i], r.dictionary); correction != nil {
			results[i] = correctedResult(&queries[i], correction, k)
			continue
		}
		others, at = append(others, queries[i]), append(at, i)
	}
	linked, err := r.linkInCascade(ctx, others, k)
	if err != nil {
		return nil, err
	}
	for n, i := range at {
		results[i] = linked[n]
	}
	return results, nil
}

// linkAll returns the result of each query by the linker. The contexts in the rows without[i] do
// not count as evidence for query i; without is nil for a linker that is no [*Ranker].
func (r *MentionResolver) linkAll(ctx context.Context, queries []text.Query, without [][]int32, k int) ([]Result, error) {
	readings, err := r.reader.read(ctx, queries, without)
	if err != nil {
		return nil, err
	}
	ranker, isRanker := r.linker.(*Ranker)
	results := make([]Result, len(queries))
	var plain []text.Query // readings of queries, or sub-mentions of their only reading
	var plainWithout [][]int32
	for i := range queries {
		result := &results[i]
		result.ResolvedText, result.Readings = readings[i][0].Text, readings[i]
		before := len(plain)
		if !isRanker || !isMixed(readings[i]) {
			q := withSurface(&queries[i], result.ResolvedText)
			texts, err := r.subMentions(&q)
			if err != nil {
				return nil, err
			}
			for _, text := range texts {
				result.SubMentions = append(result.SubMentions, SubMention{Text: text})
				plain = append(plain, q.WithSurface(text))
			}
			if len(texts) == 0 {
				plain = append(plain, q)
			}
		} else {
			for _, reading := range readings[i] {
				plain = append(plain, withSurface(&queries[i], reading.Text))
			}
		}
		if without != nil {
			plainWithout = append(plainWithout, slices.Repeat(without[i:i+1], len(plain)-before)...)
		}
	}
	if isRanker {
		return results, r.rank(ctx, ranker, plain, plainWithout, k, results)
	}
	candidates, err := r.linker.Link(ctx, plain, k)
	if err != nil {
		return nil, err
	}
	for i := range results {
		candidates = results[i].take(candidates, k)
	}
	return results, nil
}

// withSurface returns the query with the text of its mention replaced, or the query itself
// if that is its text.
func withSurface(q *text.Query, surface string) text.Query {
	if surface == q.Surface() {
		return *q
	}
	return q.WithSurface(surface)
}

// isMixed reports whether the readings of a mention are ranked and summed: if there are
// several, or one whose concepts are known, or that is outside the dictionary.
func isMixed(readings []Reading) bool {
	return len(readings) > 1 || len(readings[0].Concepts) > 0 || readings[0].Outside
}

// mixDepth is the number of candidates of each reading that are summed over readings.
const mixDepth = 20

// rank ranks the plain queries and sets the candidates of the results.
func (r *MentionResolver) rank(ctx context.Context, ranker *Ranker, plain []text.Query, without [][]int32, k int, results []Result) error {
	rankings, err := ranker.rankWithout(ctx, plain, without, max(k, mixDepth))
	if err != nil {
		return err
	}
	for i := range results {
		result := &results[i]
		if n := len(result.Readings); isMixed(result.Readings) {
			mixed := mix(result.Readings, rankings[:n], ranker.correctNIL)
			result.Candidates, rankings = ranker.answer(&mixed, k), rankings[n:]
			result.first = []FirstProbability{mixed.firstProbability()}
			continue
		}
		n := max(1, len(result.SubMentions))
		candidates := make([][]Candidate, n)
		for j := range candidates {
			candidates[j] = ranker.answer(&rankings[j], k)
			result.first = append(result.first, rankings[j].firstProbability())
			if len(result.SubMentions) > 0 {
				result.SubMentions[j].nilProbability = rankings[j].NIL
			}
		}
		rankings = rankings[n:]
		result.take(candidates, k)
	}
	return nil
}

// take sets the candidates of a result from those of its plain queries, which are the first
// of candidates, and returns the rest.
func (r *Result) take(candidates [][]Candidate, k int) [][]Candidate {
	if len(r.SubMentions) == 0 {
		r.Candidates = candidates[0]
		return candidates[1:]
	}
	for j := range r.SubMentions {
		r.SubMentions[j].Candidates = candidates[j]
	}
	r.Candidates = interleave(r.SubMentions, k)
	return candidates[len(r.SubMentions):]
}

// nameCertainty is the probability that a long form that is a name of concepts means one of
// them; the ranking decides about the rest.
const nameCertainty = .9

// mix returns the ranking of a mention from those of its readings. The score of a candidate
// is its probability, and its votes and evidence are those of the reading that contributes
// most to it. correctNIL corrects the probability of NIL of readings outside the dictionary.
func mix(readings []Reading, rankings []Ranking, correctNIL func(long string, p float64) float64) Ranking {
	var mixed Ranking
	at := make(map[kb.ConceptID]int)
	most := make(map[kb.ConceptID]float64)
	add := func(c Candidate) {
		j, known := at[c.Concept]
		if !known {
			at[c.Concept], most[c.Concept] = len(mixed.Candidates), c.Probability
			mixed.Candidates = append(mixed.Candidates, c)
			return
		}
		sum := mixed.Candidates[j].Probability + c.Probability
		if c.Probability > most[c.Concept] {
			mixed.Candidates[j], most[c.Concept] = c, c.Probability
		}
		mixed.Candidates[j].Probability = sum
	}
	for i, reading := range readings {
		nilProbability := rankings[i].NIL
		if reading.Outside {
			nilProbability = correctNIL(reading.Text, nilProbability)
		}
		scale := reading.Probability
		if n := len(reading.Concepts); n > 0 {
			for _, concept := range reading.Concepts {
				known := Candidate{Concept: concept, Probability: scale * nameCertainty / float64(n)}
				ranked := rankings[i].Candidates
				if j := slices.IndexFunc(ranked, func(c Candidate) bool { return c.Concept == concept }); j >= 0 {
					known.Votes, known.Evidence = ranked[j].Votes, ranked[j].Evidence
				}
				add(known)
			}
			scale *= 1 - nameCertainty
		}
		mixed.NIL += scale * nilProbability
		if rankings[i].NIL < 1 {
			scale *= (1 - nilProbability) / (1 - rankings[i].NIL)
		}
		for _, c := range rankings[i].Candidates {
			c.Probability *= scale
			add(c)
		}
	}
	for i := range mixed.Candidates {
		mixed.Candidates[i].Score = mixed.Candidates[i].Probability
	}
	slices.SortFunc(mixed.Candidates, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Concept, b.Concept))
	})
	return mixed
}

// subMentions returns the texts of the sub-mentions of a query, and none if it is not a
// composite mention or they are not to be split.
func (r *MentionResolver) subMentions(q *text.Query) ([]string, error) {
	if r.names == nil {
		return nil, nil
	}
	return splitComposite(r.names, q.Surface())
}

// splitComposite returns the sub-mentions of a composite mention, and none for any
// other. It leaves a mention whole that is at least as similar to a name of the
// dictionary as its sub-mentions are on average: "head and neck cancer", "foot and mouth
// disease".
func splitComposite(names *model.DictionaryIndexes, surface string) ([]string, error) {
	subMentions := lexical.SplitComposite(surface)
	if len(subMentions) == 0 {
		return nil, nil
	}
	index, err := names.Lexical() // built for the first mention that may be composite
	if err != nil {
		return nil, err
	}
	sum := 0.0
	for _, text := range subMentions {
		sum += bestNameScore(index, text)
	}
	if sum/float64(len(subMentions)) <= bestNameScore(index, surface) {
		return nil, nil
	}
	return subMentions, nil
}

// bestNameScore returns the lexical score of the name most similar to surface, 0 if no
// name is.
func bestNameScore(index *lexical.Index, surface string) float64 {
	hits := index.Search(surface, 1)
	if len(hits) == 0 {
		return 0
	}
	return hits[0].Score
}

// interleave returns the first k candidates of sub-mentions, interleaved by rank. A
// candidate at rank r of its sub-mention, counted from 0, gets the score
//
//	its probability, given that it is not NIL, - r
//
// so that at equal rank the most probable comes first. A concept that is a candidate of
// several sub-mentions keeps its highest score. If a linker returns no probabilities,
// its scores take their place, clipped to 0 to 1 as if they were cosines.
func interleave(subMentions []SubMention, k int) []Candidate {
	best := make(map[kb.ConceptID]Candidate)
	for _, sub := range subMentions {
		for rank, c := range sub.Candidates {
			p := c.Probability / (1 - sub.nilProbability)
			if c.Probability == 0 {
				p = min(max(c.Score, 0), 1)
			}
			c.Score = p - float64(rank)
			if other, known := best[c.Concept]; !known || c.Score > other.Score {
				best[c.Concept] = c
			}
		}
	}
	merged := make([]Candidate, 0, len(best))
	for _, c := range best {
		merged = append(merged, c)
	}
	slices.SortFunc(merged, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Concept, b.Concept))
	})
	return merged[:min(k, len(merged))]
}
