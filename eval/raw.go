package eval

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// RawResult measures how well the mentions of raw text were found and linked. It compares the mentions found in the
// gold documents with those that the annotators marked.
type RawResult struct {
	Finder string `json:"finder"`
	// Scores are those of spans and of spans with concepts, exact and overlapping.
	Scores []FoundScore `json:"scores"`
	// Recall of exact spans by kind of mention, precision of exact spans by source.
	RecallBy    []Metric `json:"recall_by"`
	PrecisionBy []Metric `json:"precision_by"`
	// Missed holds the texts of gold mentions with a span that was not found, Wrong those of found spans that are not
	// gold mentions, and WrongConcept those of gold spans that were found but linked to another concept or to none. The
	// most frequent texts come first.
	Missed       []TextCount `json:"missed"`
	Wrong        []TextCount `json:"wrong"`
	WrongConcept []TextCount `json:"wrong_concept"`

	sums []foundSums // for each score
}

// Score returns the score with the name, which must be [ExactSpans] or one of the names after it.
func (r *RawResult) Score(name string) FoundScore {
	return r.Scores[slices.IndexFunc(r.Scores, func(s FoundScore) bool { return s.Name == name })]
}

// FoundScore holds precision, recall and their harmonic mean with 95 % bootstrap intervals over documents.
type FoundScore struct {
	Name      string `json:"name"`
	Precision Metric `json:"precision"` // over found mentions
	Recall    Metric `json:"recall"`    // over the annotators' mentions
	F1        Bounds `json:"f1"`
}

// Bounds is a value with its 95 % interval.
type Bounds struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// String returns ".664 (.610 to .712)".
func (b Bounds) String() string {
	return fmt.Sprintf("%s (%s to %s)", Decimals(b.Value), Decimals(b.Low), Decimals(b.High))
}

// TextCount is a text with its number of occurrences.
type TextCount struct {
	Text  string `json:"text"`
	Count int    `json:"count"`
}

// Names of the scores of a [RawResult].
const (
	ExactSpans             = "exact spans"
	overlappingSpans       = "overlapping spans"
	ExactWithConcept       = "exact spans with concept"
	overlappingWithConcept = "overlapping spans with concept"
)

// foundSums holds the counts for a score in each document: right mentions among those found, and among the annotators'.
type foundSums struct{ precision, recall []Sum }

// f1 returns the F1 of the documents if document i is sampled times[i] times.
func (s *foundSums) f1(times []int) float64 {
	right, found := meanOf(s.precision)(times)
	marked, all := meanOf(s.recall)(times)
	if right == 0 || marked == 0 {
		return 0
	}
	p, r := right/float64(found), marked/float64(all)
	return 2 * p * r / (p + r)
}

// matchRule decides when a found mention counts as a gold mention: whether its span must be exact, and whether its
// concept must be right.
type matchRule struct {
	name           string
	exact, concept bool
}

// matchRules are the rules of [RawResult.Scores].
var matchRules = []matchRule{
	{ExactSpans, true, false}, {overlappingSpans, false, false},
	{ExactWithConcept, true, true}, {overlappingWithConcept, false, true},
}

// NewRawResult compares the mentions found in the gold documents, found[i] in gold.Documents[i], with those of the
// annotators. A concept is right if it is any of the mention's. A mention that is NIL counts among spans, but not among
// spans with a concept.
func NewRawResult(finder string, gold *Gold, found []*linked.Document, set *ConceptSet, v *DictionaryView,
	seed uint64) RawResult {
	byDocument := make(map[*text.Document][]*GoldMention)
	for i := range gold.Mentions {
		m := &gold.Mentions[i]
		byDocument[m.Query.Document] = append(byDocument[m.Query.Document], m)
	}
	var documents []rawDocument
	for i, doc := range gold.Documents {
		documents = append(documents, rawDocument{doc, distinctSpans(byDocument[doc]), found[i].Mentions, set})
	}
	slices.SortStableFunc(documents, func(a, b rawDocument) int { return compareDocuments(a.Document, b.Document) })
	r := RawResult{Finder: finder}
	count := func(rule matchRule, ofFound func(*linked.Mention) bool, kind Slice) (sums foundSums) {
		for i := range documents {
			precision, recall := documents[i].count(rule, ofFound, kind)
			sums.precision, sums.recall = append(sums.precision, precision), append(sums.recall, recall)
		}
		return sums
	}
	for _, rule := range matchRules {
		sums := count(rule, func(m *linked.Mention) bool { return !rule.concept || len(m.Candidates) > 0 }, AllMentions())
		r.sums = append(r.sums, sums)
		r.Scores = append(r.Scores, FoundScore{rule.name, NewMetric("precision", sums.precision, seed),
			NewMetric("recall", sums.recall, seed), newBounds(len(documents), seed, sums.f1)})
	}
	for _, kind := range recallKinds(v) {
		sums := count(matchRules[0], func(*linked.Mention) bool { return false }, kind)
		r.RecallBy = append(r.RecallBy, NewMetric(kind.Name, sums.recall, seed))
	}
	for _, source := range []string{linked.SourceDictionary, linked.SourceRecognized} {
		isRecognized := source == linked.SourceRecognized
		sums := count(matchRules[0], func(m *linked.Mention) bool { return (m.Source == linked.SourceRecognized) == isRecognized }, AllMentions())
		r.PrecisionBy = append(r.PrecisionBy, NewMetric(source, sums.precision, seed))
	}
	r.countTexts(documents)
	return r
}

// rawDocument is a document with the annotators' mentions and the found ones.
type rawDocument struct {
	*text.Document
	annotated []*GoldMention
	found     []linked.Mention
	set       *ConceptSet
}

// has reports whether an annotated mention was found according to a rule.
func (d *rawDocument) has(m *GoldMention, rule matchRule) bool {
	return slices.ContainsFunc(d.found, func(f linked.Mention) bool { return rule.matches(m, &f, d.set) })
}

// isRight reports whether a found mention is annotated according to a rule.
func (d *rawDocument) isRight(f *linked.Mention, rule matchRule) bool {
	return slices.ContainsFunc(d.annotated, func(m *GoldMention) bool { return rule.matches(m, f, d.set) })
}

// count applies a rule to the found mentions for which ofFound returns true, and to the annotated mentions of a kind.
func (d *rawDocument) count(rule matchRule, ofFound func(*linked.Mention) bool, kind Slice) (precision, recall Sum) {
	for i := range d.found {
		if f := &d.found[i]; ofFound(f) {
			precision.add(Sum{oneIf(d.isRight(f, rule)), 1}, 1)
		}
	}
	for _, m := range d.annotated {
		if kind.Contains(m) {
			recall.add(Sum{oneIf(d.has(m, rule)), 1}, 1)
		}
	}
	return precision, recall
}

// countTexts counts the surface forms, in lower case, of missed, wrongly found and wrongly linked mentions.
func (r *RawResult) countTexts(documents []rawDocument) {
	missed, wrong, wrongConcept := make(map[string]int), make(map[string]int), make(map[string]int)
	spans, concepts := matchRule{exact: true}, matchRule{exact: true, concept: true}
	for _, d := range documents {
		for _, m := range d.annotated {
			surface := strings.ToLower(m.Query.Surface())
			if !d.has(m, spans) {
				missed[surface]++
			} else if m.InSet() && !d.has(m, concepts) {
				wrongConcept[surface]++
			}
		}
		for i := range d.found {
			if f := &d.found[i]; !d.isRight(f, spans) {
				wrong[strings.ToLower(f.Of(d.Text))]++
			}
		}
	}
	r.Missed, r.Wrong, r.WrongConcept = byCount(missed), byCount(wrong), byCount(wrongConcept)
}

// matches reports whether a found mention is a gold mention according to the rule.
func (r matchRule) matches(m *GoldMention, f *linked.Mention, set *ConceptSet) bool {
	span := m.Query.Mention.Span
	if r.exact && span != f.Span || span.Start >= f.End || f.Start >= span.End {
		return false
	}
	if !r.concept {
		return true
	}
	return slices.ContainsFunc(f.Best(), func(best *linked.Candidate) bool {
		return best != nil && slices.Contains(m.Gold, set.Canonical(best.Concept))
	})
}

// distinctSpans merges the mentions of a document with the same span into one with the concepts of all.
func distinctSpans(mentions []*GoldMention) []*GoldMention {
	var distinct []*GoldMention
	for _, m := range mentions {
		if n := len(distinct); n > 0 && distinct[n-1].Query.Mention.Span == m.Query.Mention.Span {
			joined := *distinct[n-1]
			joined.Gold = append(slices.Clip(joined.Gold), m.Gold...)
			distinct[n-1] = &joined
			continue
		}
		distinct = append(distinct, m)
	}
	return distinct
}

// recallKinds returns the kinds of mentions for which recall is counted.
func recallKinds(v *DictionaryView) []Slice {
	words := func(m *GoldMention) int { return len(strings.Fields(m.Query.Surface())) }
	return append([]Slice{
		{"1 word", func(m *GoldMention) bool { return words(m) == 1 }},
		{"2 words", func(m *GoldMention) bool { return words(m) == 2 }},
		{"3 words", func(m *GoldMention) bool { return words(m) == 3 }},
		{"4 words and more", func(m *GoldMention) bool { return words(m) >= 4 }},
	}, Slices(v)[:2]...)
}

// newBounds returns a value of a sample of documents, with its interval from resamples.
func newBounds(documents int, seed uint64, value func(times []int) float64) Bounds {
	b := Bounds{Value: value(slices.Repeat([]int{1}, documents))}
	if documents > 0 {
		b.Low, b.High = percentileInterval(resampled(documents, seed,
			func(times []int) (float64, bool) { return value(times), true }))
	}
	return b
}

// RawDifference is the difference in F1 between two results on the same documents.
type RawDifference struct {
	Name string `json:"name"` // of the score
	F1   Bounds `json:"f1"`   // F1 of the first minus F1 of the second
}

// CompareRaw returns the differences a minus b of two results on the same gold, with paired bootstrap intervals over
// documents.
func CompareRaw(a, b *RawResult, seed uint64) []RawDifference {
	var differences []RawDifference
	for k, rule := range matchRules {
		differences = append(differences, RawDifference{rule.name, newBounds(len(a.sums[k].recall), seed,
			func(times []int) float64 { return a.sums[k].f1(times) - b.sums[k].f1(times) })})
	}
	return differences
}

func byCount(counts map[string]int) []TextCount {
	list := make([]TextCount, 0, len(counts))
	for s, n := range counts {
		list = append(list, TextCount{s, n})
	}
	slices.SortFunc(list, func(a, b TextCount) int { return cmp.Or(b.Count-a.Count, cmp.Compare(a.Text, b.Text)) })
	return list
}

// RawReport describes how the mentions of raw text were found, and how well.
type RawReport struct {
	Model       string          `json:"model"`
	Dictionary  string          `json:"dictionary"` // hash
	Gold        []string        `json:"gold"`       // base names of the files
	Types       []string        `json:"types,omitempty"`
	Seed        uint64          `json:"seed"`
	Documents   int             `json:"documents"`
	Mentions    int             `json:"mentions"`
	Results     []RawResult     `json:"results"`
	Differences []RawDifference `json:"differences"` // first result minus the second
	// Marked is the score with the annotators' spans: an upper bound for better spans.
	Marked FoundScore `json:"marked"`
}
