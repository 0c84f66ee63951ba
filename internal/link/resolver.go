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
	ranker     *Ranker // the linker, if it is one: its rankings are summed over readings
	components Components
	reader     mentionReader
	names      *model.DictionaryIndexes // splits composite mentions; nil to leave them whole
	encodes    bool                     // the model has an encoder, whose batches queries of many documents fill

	quick  *MentionResolver // answers without the encoder, within bounds: see addCascade; nil for none
	bounds model.CascadeRow
	// whether the encoder answers words with several senses in English all the same
	asksEnglish bool
	counts      struct{ concept, nil, encoder atomic.Int64 } // see CascadeCounts

	// Corrections say what curators said of mentions, whatever the linker says. The evidence of such a candidate is the
	// correction. Nil corrects nothing.
	Corrections *Corrections
	dictionary  *kb.Dictionary
}

// NewMentionResolver returns a resolver for mentions of the model's concepts that links
// with linker. Of components it uses the following: [ComponentDocumentAbbreviations]
// expands abbreviations that the document defines, [ComponentCorpusAbbreviations] those
// that only the model's corpus defines, by the evidence of [ComponentContexts] and
// [ComponentDocumentContext], and [ComponentComposites] splits "breast and ovarian cancer"
// into breast cancer and ovarian cancer, unless the whole is more like a name of the
// dictionary. With [ComponentStrings] and a [*Ranker] a word of English that is no name of the model is read by the
// name of its sense in medicine: see [sense.English], and other words as [lexical.Index.Paraphrase] says. With
// [ComponentDocumentContext] too, "dyskinesia" is read as "drug-induced dyskinesia" if the document speaks of
// "levodopa-induced dyskinesia" and the dictionary has such a name.
func NewMentionResolver(m *model.Model, linker Linker, components Components) (*MentionResolver, error) {
	names := m.DictionaryIndexes()
	ranker, _ := linker.(*Ranker)
	r := &MentionResolver{
		linker: linker, ranker: ranker, components: components, dictionary: m.Dictionary,
		encodes: m.Vectors != nil,
		reader:  mentionReader{expandDefined: components.Has(ComponentDocumentAbbreviations), names: names},
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
	if ranker != nil && components.Has(ComponentStrings) { // others link what is written, as published
		r.reader.paraphrase = ranker.generator.lexical
		r.reader.causes = components.Has(ComponentDocumentContext)
	}
	if components.Has(ComponentComposites) {
		r.names = names
	}
	return r, nil
}

// resolved is a linked mention with what decided it.
type resolved struct {
	linked.Mention
	readings []reading          // the most probable first; none of what is no mention
	first    []FirstProbability // of each sub-mention, NIL or not; only of a [*Ranker]
}

// newMention returns the mention of a query, not yet linked.
func newMention(q *text.Query) linked.Mention {
	m := &q.Mention
	return linked.Mention{Span: m.Span, Fragments: m.Fragments, Text: q.Surface(), Type: m.Type, Composite: m.Composite}
}

// at copies the result to another mention of the same long form.
func (r *resolved) at(q *text.Query) resolved {
	other := *r
	other.Mention = newMention(q)
	other.Candidates, other.SubMentions = slices.Clone(r.Candidates), slices.Clone(r.SubMentions)
	other.Broader, other.Suggested = r.Broader, slices.Clone(r.Suggested)
	return other
}

// mention returns the mention as the result of linking has it.
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

// Name implements [Linker]. It is the name of the linker behind the resolver.
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

// LinkMentions returns the mention of each query, in order, with at most k candidates for
// the query and for each of its sub-mentions, which have no names yet, see
// [NameCandidates]. The candidates of a composite mention are
// those of its sub-mentions, interleaved: the first of every sub-mention, the most probable
// one first, then the second of every sub-mention, and so on. Their scores have no meaning
// beyond this order. With a [*Ranker] a mention or sub-mention without candidates has the concept above it, and so has
// one that was recognized, which the caller may call NIL by a threshold of its own.
//
// A mention that was corrected gets what the correction says: see [MentionResolver.Corrections]. A placeholder ("n/a",
// "-", "5") is NIL unless it is a name of the dictionary or its document defines it.
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
	for _, stage := range []*MentionResolver{r.quick, r} { // all that are left are encoded together
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

// linkAll returns the result of each query by the linker. A [*Ranker] ranks a long form outside the dictionary where
// its document defines it, and every mention of its short form has that result. The encoder's batches are filled by all
// queries; without an encoder documents are linked on all cores.
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

// Distinct returns the queries that are linked, one of those of one long form outside the dictionary in a document, and
// for each query which of them it has the result of.
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

// linkBatch sets the results of queries that are ranked together.
func (r *MentionResolver) linkBatch(ctx context.Context, queries []text.Query, k int, results []resolved) error {
	const mixDepth = 20 // candidates of each reading that are summed over readings
	readings, err := r.reader.read(ctx, queries)
	if err != nil {
		return err
	}
	var plain []text.Query // what is linked: the readings of a query, or the sub-mentions of its only one
	var ends []int         // of those of each query
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
			texts := splitComposite(r.names, q.Surface())
			for _, text := range texts {
				result.SubMentions = append(result.SubMentions, linked.SubMention{Text: text})
				plain = append(plain, q.WithSurface(text))
			}
			if len(texts) == 0 {
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

// withSurface returns the query with the text of its mention replaced, or the query itself
// if that is its text and stands in the document.
func withSurface(q *text.Query, surface string) text.Query {
	if surface == q.Surface() && len(q.Mention.Fragments) == 0 {
		return *q
	}
	return q.WithSurface(surface)
}

// isMixed reports whether the readings of a mention are ranked and summed: if there are several, or one whose concepts
// are known, or that is outside the dictionary.
func (r *MentionResolver) isMixed(m *resolved) bool {
	return r.ranker != nil && (len(m.readings) > 1 || len(m.readings[0].concepts) > 0 || m.readings[0].outside)
}

// answer sets the candidates of a result, or of its sub-mentions, from the rankings of what was linked for it.
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

// nameCertainty is the probability that a long form that is a name of concepts means one of
// them; the ranking decides about the rest.
const nameCertainty = .9

// mix returns the ranking of a mention from those of its readings. The score of a candidate
// is its probability, and its votes and evidence are those of the reading that contributes
// most to it. The concept above it is that of the most probable reading. correctNIL corrects the probability of NIL of
// readings outside the dictionary.
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

// splitComposite returns the sub-mentions of a composite mention, and none for any other or without names. It leaves a
// name whole, and a mention whose sub-mentions are not all names if it is as similar to a name as they are on average:
// "head and neck cancers", "foot and mouth disease".
func splitComposite(names *model.DictionaryIndexes, surface string) []string {
	if names == nil {
		return nil
	}
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
			sum += bestNameScore(names.Lexical(), m.Text)
		}
		isName = isName && !slices.Equal(tokens, normalize.CanonicalTokens(m.Text)) // "hepatitis A and B"
	}
	if isName || !sure && sum/float64(len(members)) <= bestNameScore(names.Lexical(), surface) {
		return nil
	}
	return subMentions
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
