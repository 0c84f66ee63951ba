package link

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"

	"github.com/ctxnorm/ctxnorm/internal/lexical"
	"github.com/ctxnorm/ctxnorm/internal/lists"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// MentionResolver prepares mentions for another linker: it expands abbreviations and splits composite mentions.
//
// A short form that its document does not define may have several readings. If the linker is a [*Ranker], it ranks all
// probable readings, and the probability of a concept is
//
//	P(concept) = sum over readings of P(reading) P(concept | reading)
//
// Other linkers link only the most probable reading.
type MentionResolver struct {
	linker     Linker
	ranker     *Ranker // linker, if that is a Ranker: its rankings are summed over readings
	components Components
	reader     mentionReader
	encodes    bool // the model has an encoder, whose batches several documents share

	quick  *MentionResolver // answers without the encoder, within bounds, see AddCascade; may be nil
	bounds model.CascadeRow
	// whether words with several senses in English go to the encoder even if quick could settle them
	asksEnglish bool
	counts      struct{ concept, nil, encoder atomic.Int64 } // see CascadeCounts

	// Corrections override the linker for mentions that curators corrected. The evidence of such a candidate is the
	// correction. Nil means no corrections.
	Corrections *Corrections
	dictionary  *kb.Dictionary
}

// NewMentionResolver returns a resolver that links mentions to the concepts of the model with linker. Four of the
// components change how it reads a mention:
//
//   - [ComponentDocumentAbbreviations] expands abbreviations that the document defines.
//   - [ComponentCorpusAbbreviations] expands abbreviations that only the model's corpus defines. It uses the
//     evidence of [ComponentContexts] and [ComponentDocumentContext].
//   - [ComponentComposites] splits "breast and ovarian cancer" into breast cancer and ovarian cancer, unless
//     the whole mention is more similar to a name of the dictionary.
//   - [ComponentStrings], with a [*Ranker], replaces an English word that is not a name of the model by the
//     name of its medical sense, see [sense.English], and paraphrases other words, see
//     [NameIndex.paraphrase]. Together with [ComponentDocumentContext] it reads "dyskinesia" as
//     "drug-induced dyskinesia" if the document mentions "levodopa-induced dyskinesia" and the dictionary has
//     such a name.
func NewMentionResolver(m *model.Model, linker Linker, components Components) (*MentionResolver, error) {
	ranker, _ := linker.(*Ranker)
	r := &MentionResolver{
		linker: linker, ranker: ranker, components: components, dictionary: m.Dictionary,
		encodes: m.Vectors != nil,
		reader: mentionReader{expandDefined: components.Has(ComponentDocumentAbbreviations), names: m.DictionaryIndexes(),
			splits: components.Has(ComponentComposites)},
	}
	if components.Has(ComponentCorpusAbbreviations) && len(m.Abbreviations) > 0 {
		weights, err := SenseFeatures.weightsOf(m, SenseFeatures.Prior())
		if err != nil {
			return nil, err
		}
		if r.reader.weights = weights; ranker != nil {
			r.reader.senses = ranker.generator.senses
		} else {
			r.reader.senses = newDisambiguator(m, components, nil)
		}
	}
	if ranker != nil && components.Has(ComponentStrings) { // other linkers link the text as written, as in their papers
		r.reader.paraphrase = ranker.generator.NameIndex
		r.reader.causes = components.Has(ComponentDocumentContext)
	}
	return r, nil
}

// resolved is a linked mention together with its readings and probabilities.
type resolved struct {
	linked.Mention
	readings []reading          // most probable first; empty for a placeholder
	first    []FirstProbability // one for each sub-mention, whether or not it is NIL; only from a [*Ranker]
}

// newMention returns the mention of a query before it is linked.
func newMention(q *text.Query) linked.Mention {
	m := &q.Mention
	return linked.Mention{Span: m.Span, Fragments: m.Fragments, Text: q.Surface(), Type: m.Type, Composite: m.Composite}
}

// at copies the result to another mention with the same long form.
func (r *resolved) at(q *text.Query) resolved {
	other := *r
	other.Mention = newMention(q)
	other.Candidates, other.SubMentions = slices.Clone(r.Candidates), slices.Clone(r.SubMentions)
	other.Broader, other.Suggested = r.Broader, slices.Clone(r.Suggested)
	return other
}

// mention returns the linked mention and sets its resolved text and, if there are several, its readings.
func (r *resolved) mention() linked.Mention {
	if len(r.readings) > 0 && r.readings[0].Text != r.Text {
		r.ResolvedText = r.readings[0].Text
	}
	if len(r.readings) > 1 {
		for _, reading := range r.readings {
			r.Readings = append(r.Readings, reading.Reading)
		}
	}
	return r.Mention
}

// Name implements [Linker]. It returns the name of the wrapped linker.
func (r *MentionResolver) Name() string { return r.linker.Name() }

// Link implements [Linker]. See [MentionResolver.LinkMentions] for composite mentions.
func (r *MentionResolver) Link(ctx context.Context, queries []text.Query, k int) ([]Ranking, error) {
	results, err := r.LinkMentions(ctx, queries, k)
	if err != nil {
		return nil, err
	}
	rankings := make([]Ranking, len(results))
	for i := range results {
		if rankings[i].Candidates = results[i].Candidates; len(rankings[i].Candidates) == 0 {
			rankings[i].NIL = 1
		}
	}
	return rankings, nil
}

// LinkMentions returns the mention of each query, in order, with at most k candidates for the query and for each of its
// sub-mentions. It leaves the names of the candidates empty, see [NameCandidates]. The candidates of a composite
// mention are those of its sub-mentions, interleaved: the first candidate of every sub-mention, the most probable one
// first, then the second candidates, and so on. Their scores only express this order.
//
// With a [*Ranker], LinkMentions also sets the broader concept of a mention or sub-mention without candidates, and of a
// recognized mention, which the caller may call NIL by its own threshold.
//
// A corrected mention gets the corrected concept, see [MentionResolver.Corrections]. A placeholder ("n/a", "-", "5") is
// NIL unless it is a name of the dictionary or its document defines it.
func (r *MentionResolver) LinkMentions(ctx context.Context, queries []text.Query, k int) ([]linked.Mention, error) {
	mentions := make([]linked.Mention, len(queries))
	var open []int // queries without an answer
	corrections := correctionFinder{Corrections: r.Corrections, dictionary: r.dictionary}
	for i := range queries {
		if correction := corrections.find(&queries[i]); correction != nil {
			mentions[i] = correctedMention(&queries[i], correction, k)
		} else {
			open = append(open, i)
		}
	}
	for _, stage := range []*MentionResolver{r.quick, r} { // the encoder gets all remaining queries at once
		if stage == nil || len(open) == 0 {
			continue
		}
		asked := make([]text.Query, len(open))
		for n, i := range open {
			asked[n] = queries[i]
		}
		results, err := stage.linkAll(ctx, asked, k)
		if err != nil {
			return nil, err
		}
		var left []int
		for n, i := range open {
			if stage == r.quick && !r.isSettled(&queries[i], &results[n]) {
				left = append(left, i)
			} else {
				mentions[i] = results[n].mention()
			}
		}
		open = left
	}
	return mentions, nil
}

// linkAll links the queries with the linker and returns a result for each. For a long form outside the dictionary, a
// [*Ranker] ranks only the first mention of a document, where the long form is defined, and copies the result to every
// other mention of its short form. All queries share the encoder's batches. Without an encoder it links documents in
// parallel.
func (r *MentionResolver) linkAll(ctx context.Context, queries []text.Query, k int) ([]resolved, error) {
	distinct, of := queries, []int(nil)
	if r.ranker != nil {
		distinct, of = Distinct(queries)
	}
	results := make([]resolved, len(distinct))
	var ends []int // of the batches
	for i := range distinct {
		if end := i + 1; end == len(distinct) || !r.encodes && distinct[end].Document != distinct[i].Document {
			ends = append(ends, end)
		}
	}
	err := parallel.ForErr(ctx, len(ends), 0, func(i int) error {
		start := 0
		if i > 0 {
			start = ends[i-1]
		}
		return r.linkBatch(ctx, distinct[start:ends[i]], k, results[start:ends[i]])
	})
	if err != nil || of == nil {
		return results, err
	}
	all := make([]resolved, len(queries))
	for i := range all {
		all[i] = results[of[i]].at(&queries[i])
	}
	return all, nil
}

// Distinct returns the queries that have to be linked, and for each query the index of the one whose result it gets. Of
// the mentions in a document that share a long form outside the dictionary, only the first is linked.
func Distinct(queries []text.Query) (distinct []text.Query, of []int) {
	first := make(map[formInDocument]int)
	of = make([]int, len(queries))
	for i := range queries {
		of[i] = len(distinct)
		if q := &queries[i]; isTaggedOutside(&q.Mention) {
			form := formInDocument{q.Document, q.Mention.LongForm}
			if same, known := first[form]; known {
				of[i] = same
				continue
			}
			first[form] = of[i]
		}
		distinct = append(distinct, queries[i])
	}
	return distinct, of
}

// linkBatch links queries that are ranked together and sets their results.
func (r *MentionResolver) linkBatch(ctx context.Context, queries []text.Query, k int, results []resolved) error {
	const mixDepth = 20 // the number of candidates of each reading that go into the sum
	readings, err := r.reader.read(ctx, queries)
	if err != nil {
		return err
	}
	var plain []text.Query // the readings of a query, or the sub-mentions of its only reading
	var ends []int         // for each query, the end of its part of plain
	for i := range queries {
		result := &results[i]
		result.Mention, result.readings = newMention(&queries[i]), readings[i]
		switch {
		case len(readings[i]) == 0:
		case r.isMixed(result):
			for _, reading := range readings[i] {
				plain = append(plain, withSurface(&queries[i], reading.Text))
			}
		default:
			q := withSurface(&queries[i], readings[i][0].Text)
			for _, text := range readings[i][0].members {
				result.SubMentions = append(result.SubMentions, linked.SubMention{Text: text})
				plain = append(plain, q.WithSurface(text))
			}
			if len(result.SubMentions) == 0 {
				plain = append(plain, q)
			}
		}
		ends = append(ends, len(plain))
	}
	var rankings []Ranking
	if r.ranker != nil {
		rankings, err = r.ranker.Rank(ctx, plain, max(k, mixDepth))
	} else {
		rankings, err = r.linker.Link(ctx, plain, k)
	}
	if err != nil {
		return err
	}
	start := 0
	for i, end := range ends {
		if end > start {
			r.answer(&results[i], rankings[start:end], k, &queries[i])
		}
		start = end
	}
	return nil
}

// withSurface returns the query with the text of its mention replaced by surface. It returns the query itself if
// surface is already its text, in one piece.
func withSurface(q *text.Query, surface string) text.Query {
	if surface == q.Surface() && len(q.Mention.Fragments) == 0 {
		return *q
	}
	return q.WithSurface(surface)
}

// isMixed reports whether the readings of a mention are ranked and summed. They are if there are several, or if the
// only one has known concepts or is outside the dictionary.
func (r *MentionResolver) isMixed(m *resolved) bool {
	return r.ranker != nil && (len(m.readings) > 1 || len(m.readings[0].concepts) > 0 || m.readings[0].outside)
}

// answer sets the candidates of a result, or of its sub-mentions, from the rankings of its readings or sub-mentions.
func (r *MentionResolver) answer(result *resolved, rankings []Ranking, k int, q *text.Query) {
	if r.isMixed(result) {
		rankings = []Ranking{mix(result.readings, rankings, r.ranker.correctNIL)}
	}
	broader := func(of *Ranking, asked bool) *linked.Broader {
		if of.Broader == nil || len(of.Candidates) > 0 && !asked {
			return nil
		}
		return of.Broader()
	}
	for j := range rankings {
		if r.ranker != nil {
			result.first = append(result.first, rankings[j].firstProbability())
			r.ranker.answer(&rankings[j], k, r.ranker.leastOf(q), len(result.readings) > 1)
		}
		if len(result.SubMentions) > 0 {
			sub := &result.SubMentions[j]
			sub.Candidates, sub.Broader, sub.Suggested = rankings[j].Candidates, broader(&rankings[j], false), rankings[j].Suggested
		}
	}
	if len(result.SubMentions) > 0 {
		if result.Candidates = interleave(rankings, k); len(result.Candidates) == 0 {
			for j := range rankings {
				rankings[j].Candidates = rankings[j].Suggested
			}
			result.Suggested = interleave(rankings, k)
		}
		return
	}
	result.Candidates, result.Broader = rankings[0].Candidates, broader(&rankings[0], q.Mention.Recognized)
	result.Suggested = rankings[0].Suggested
}

// nameCertainty is the probability that a long form which is a name of some concepts means one of them. The ranking
// distributes the rest.
const nameCertainty = .9

// mix returns the ranking of a mention, given the rankings of its readings. The score of a candidate is its
// probability. Its votes and evidence come from the reading that contributes most to that probability. The broader
// concept comes from the most probable reading. correctNIL corrects the probability of NIL for readings outside the
// dictionary.
func mix(readings []reading, rankings []Ranking, correctNIL func(long string, p float64) float64) Ranking {
	var mixed Ranking
	at := make(map[kb.ConceptID]int)
	most := make(map[kb.ConceptID]float64)
	add := func(c linked.Candidate) {
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
		if reading.outside {
			nilProbability = correctNIL(reading.Text, nilProbability)
		}
		scale := reading.Probability
		if n := len(reading.concepts); n > 0 {
			for _, concept := range reading.concepts {
				known := linked.Candidate{Concept: concept, Probability: scale * nameCertainty / float64(n)}
				ranked := rankings[i].Candidates
				j := slices.IndexFunc(ranked, func(c linked.Candidate) bool { return c.Concept == concept })
				if j >= 0 {
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
	mixed.Broader = func() *linked.Broader {
		broader := rankings[0].Broader()
		if broader != nil {
			broader.Probability *= readings[0].Probability
		}
		return broader
	}
	for i := range mixed.Candidates {
		mixed.Candidates[i].Score = mixed.Candidates[i].Probability
	}
	slices.SortFunc(mixed.Candidates, func(a, b linked.Candidate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Concept, b.Concept))
	})
	return mixed
}

// splitComposite returns the sub-mentions of a composite mention. It returns nil for any other mention. It does not
// split a mention that is a name, nor one that is at least as similar to a name as its sub-mentions are on average, if
// they are not all names: "head and neck cancers", "foot and mouth disease".
func splitComposite(names *model.DictionaryIndexes, surface string) []string {
	members, sure := lists.Split(surface, func(name string) bool { return names.Lexical().HasName(name) })
	if len(members) == 0 {
		return nil
	}
	isName := names.Lexical().HasName(surface)
	tokens := normalize.CanonicalTokens(surface)
	subMentions := make([]string, len(members))
	sum := 0.0
	for i, m := range members {
		subMentions[i] = m.Text
		if !sure {
			sum += bestName(names.Lexical(), m.Text).Score
		}
		isName = isName && !slices.Equal(tokens, normalize.CanonicalTokens(m.Text)) // "hepatitis A and B"
	}
	if isName || !sure && sum/float64(len(members)) <= bestName(names.Lexical(), surface).Score {
		return nil
	}
	return subMentions
}

// bestName returns the name lexically most similar to surface, with the score 0 if no name is similar.
func bestName(index *lexical.Index, surface string) (best lexical.NameHit) {
	if hits := index.Search(surface, 1); len(hits) > 0 {
		best = hits[0]
	}
	return best
}

// interleave merges the candidates of sub-mentions by rank and returns the first k. A candidate at rank r of its
// sub-mention, counted from 0, gets the score
//
//	P(candidate | not NIL) - r
//
// so that the most probable candidate comes first among those of equal rank. A concept that is a candidate of several
// sub-mentions keeps its highest score. If a linker returns no probabilities, interleave uses its scores instead,
// clipped to [0, 1] as if they were cosines.
func interleave(subMentions []Ranking, k int) []linked.Candidate {
	best := make(map[kb.ConceptID]linked.Candidate)
	for _, sub := range subMentions {
		for rank, c := range sub.Candidates {
			p := c.Probability / (1 - sub.NIL)
			if c.Probability == 0 {
				p = min(max(c.Score, 0), 1)
			}
			c.Score = p - float64(rank)
			if other, known := best[c.Concept]; !known || c.Score > other.Score {
				best[c.Concept] = c
			}
		}
	}
	merged := make([]linked.Candidate, 0, len(best))
	for _, c := range best {
		merged = append(merged, c)
	}
	slices.SortFunc(merged, func(a, b linked.Candidate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Concept, b.Concept))
	})
	return merged[:min(k, len(merged))]
}
