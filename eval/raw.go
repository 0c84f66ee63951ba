package eval

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// RawResult is how well the mentions of raw text were found and linked: those that stand in the documents of the
// gold, beside those that the annotators marked.
type RawResult struct {
	Finder string `json:"finder"`
	// Scores are those of spans and of spans with their concept, exact and overlapping.
	Scores []FoundScore `json:"scores"`
	// Recall of exact spans by kind of mention, precision of exact spans by source.
	RecallBy    []Metric `json:"recall_by"`
	PrecisionBy []Metric `json:"precision_by"`
	// Missed are the texts of gold mentions whose span was not found, Wrong those of found spans that are no gold
	// mention, and WrongConcept those of gold spans that were found and linked to another concept or to none, the
	// most frequent first.
	Missed       []TextCount `json:"missed"`
	Wrong        []TextCount `json:"wrong"`
	WrongConcept []TextCount `json:"wrong_concept"`

	documents [][]foundSums // of each score in each document
}

// Score returns the score of that name, which is one of [ExactSpans] and the like.
func (r *RawResult) Score(name string) FoundScore {
	return r.Scores[slices.IndexFunc(r.Scores, func(s FoundScore) bool { return s.Name == name })]
}

// FoundScore is precision, recall and their harmonic mean with 95 % bootstrap intervals over documents.
type FoundScore struct {
	Name      string `json:"name"`
	Precision Metric `json:"precision"` // of what was found
	Recall    Metric `json:"recall"`    // of what the annotators marked
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

// TextCount is a text with how often it occurs.
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

// foundSums are what a score counts in a document: what is right of what was found, and of what the annotators marked.
type foundSums struct{ precision, recall Sum }

func (s *foundSums) add(o foundSums, times int) {
	s.precision.add(o.precision, times)
	s.recall.add(o.recall, times)
}

func (s *foundSums) f1() float64 {
	if s.precision.Value == 0 || s.recall.Value == 0 {
		return 0
	}
	p, r := s.precision.Value/float64(s.precision.N), s.recall.Value/float64(s.recall.N)
	return 2 * p * r / (p + r)
}

// matchRule says when what was found counts as a gold mention: whether its span must be exact, and whether its concept
// must be right.
type matchRule struct {
	name           string
	exact, concept bool
}

// matchRules are the rules of [RawResult.Scores].
var matchRules = []matchRule{
	{ExactSpans, true, false}, {overlappingSpans, false, false},
	{ExactWithConcept, true, true}, {overlappingWithConcept, false, true},
}

// NewRawResult compares what was found in the documents of the gold, found[i] in gold.Documents[i], with what
// the annotators marked. A concept is right if it is any of the mention's; a mention that is NIL counts among
// spans, and not among spans with a concept.
func NewRawResult(finder string, gold *Gold, found []*linked.Document, set *ConceptSet, v *DictionaryView,
	seed uint64) RawResult {
	byDocument := make(map[*text.Document][]*GoldMention)
	for i := range gold.Mentions {
		m := &gold.Mentions[i]
		byDocument[m.Query.Document] = append(byDocument[m.Query.Document], m)
	}
	c := rawCounter{set: set, kinds: recallKinds(v), counts: make([][]foundSums, len(matchRules)),
		missed: make(map[string]int), wrong: make(map[string]int), wrongConcept: make(map[string]int)}
	c.recall = make([][]Sum, len(c.kinds))
	for _, i := range inOrder(gold.Documents) {
		annotated := distinctSpans(byDocument[gold.Documents[i]])
		for k, rule := range matchRules {
			c.counts[k] = append(c.counts[k], rule.count(annotated, found[i].Mentions, set))
		}
		c.addAnnotated(annotated, found[i].Mentions)
		c.addFound(gold.Documents[i], annotated, found[i].Mentions)
	}
	return c.result(finder, seed)
}

// rawCounter compares what was found in documents with what the annotators marked.
type rawCounter struct {
	set       *ConceptSet
	kinds     []Slice
	counts    [][]foundSums // by rule and document
	recall    [][]Sum       // by kind of mention and document: annotated spans that were found
	precision [2][]Sum      // of names and of recognized mentions, by document: spans found that are annotated

	missed, wrong, wrongConcept map[string]int // by surface form in lower case
}

// count counts what was found in a document, and what was annotated, by a rule.
func (r matchRule) count(annotated []*GoldMention, found []linked.Mention, set *ConceptSet) (n foundSums) {
	for j := range found {
		if r.concept && len(found[j].Candidates) == 0 {
			continue
		}
		right := slices.ContainsFunc(annotated, func(m *GoldMention) bool { return r.matches(m, &found[j], set) })
		n.precision.add(Sum{oneIf(right), 1}, 1)
	}
	for _, m := range annotated {
		hit := slices.ContainsFunc(found, func(f linked.Mention) bool { return r.matches(m, &f, set) })
		n.recall.add(Sum{oneIf(hit), 1}, 1)
	}
	return n
}

// addAnnotated counts the annotated spans of each kind, those of them that were found, and the surface forms of those
// that were missed or got a wrong concept.
func (c *rawCounter) addAnnotated(annotated []*GoldMention, found []linked.Mention) {
	sums := make([]Sum, len(c.kinds))
	exact := matchRule{exact: true, concept: true}
	for _, m := range annotated {
		at, surface := foundAt(found, m), strings.ToLower(m.Query.Surface())
		for k, kind := range c.kinds {
			if kind.Contains(m) {
				sums[k].add(Sum{oneIf(at >= 0), 1}, 1)
			}
		}
		if at < 0 {
			c.missed[surface]++
		} else if m.InSet() && !exact.matches(m, &found[at], c.set) {
			c.wrongConcept[surface]++
		}
	}
	for k, sum := range sums {
		c.recall[k] = append(c.recall[k], sum)
	}
}

// addFound counts the spans found by each way of finding, those that are annotated, and the surface forms of others.
func (c *rawCounter) addFound(doc *text.Document, annotated []*GoldMention, found []linked.Mention) {
	var sums [2]Sum
	for j := range found {
		f := &found[j]
		right := slices.ContainsFunc(annotated, func(m *GoldMention) bool { return m.Query.Mention.Span == f.Span })
		source := int(oneIf(f.Source == linked.SourceRecognized))
		sums[source].add(Sum{oneIf(right), 1}, 1)
		if !right {
			c.wrong[strings.ToLower(f.Of(doc.Text))]++
		}
	}
	for source, sum := range sums {
		c.precision[source] = append(c.precision[source], sum)
	}
}

// foundAt returns the position of what was found at the span of a gold mention, or -1.
func foundAt(found []linked.Mention, m *GoldMention) int {
	return slices.IndexFunc(found, func(f linked.Mention) bool { return f.Span == m.Query.Mention.Span })
}

// result returns the result of all documents.
func (c *rawCounter) result(finder string, seed uint64) RawResult {
	result := RawResult{
		Finder: finder, documents: c.counts,
		Missed: byCount(c.missed), Wrong: byCount(c.wrong), WrongConcept: byCount(c.wrongConcept),
	}
	for k, rule := range matchRules {
		result.Scores = append(result.Scores, newFoundScore(rule.name, c.counts[k], seed))
	}
	for k, kind := range c.kinds {
		result.RecallBy = append(result.RecallBy, NewMetric(kind.Name, c.recall[k], seed))
	}
	for k, source := range []string{linked.SourceDictionary, linked.SourceRecognized} {
		result.PrecisionBy = append(result.PrecisionBy, NewMetric(source, c.precision[k], seed))
	}
	return result
}

// matches reports whether what was found is a gold mention.
func (r matchRule) matches(m *GoldMention, f *linked.Mention, set *ConceptSet) bool {
	span := m.Query.Mention.Span
	if r.exact && span != f.Span || span.Start >= f.End || f.Start >= span.End {
		return false
	}
	if !r.concept {
		return true
	}
	for _, best := range f.Best() {
		if best != nil && slices.Contains(m.Gold, set.Canonical(best.Concept)) {
			return true
		}
	}
	return false
}

// distinctSpans returns the mentions of a document, of each span one with the concepts of all.
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

// recallKinds are the kinds of mentions of which recall is counted.
func recallKinds(v *DictionaryView) []Slice {
	words := func(m *GoldMention) int { return len(strings.Fields(m.Query.Surface())) }
	return append([]Slice{
		{"1 word", func(m *GoldMention) bool { return words(m) == 1 }},
		{"2 words", func(m *GoldMention) bool { return words(m) == 2 }},
		{"3 words", func(m *GoldMention) bool { return words(m) == 3 }},
		{"4 words and more", func(m *GoldMention) bool { return words(m) >= 4 }},
	}, Slices(v)[:2]...)
}

func newFoundScore(name string, documents []foundSums, seed uint64) FoundScore {
	var precision, recall []Sum
	var total foundSums
	for _, d := range documents {
		precision, recall = append(precision, d.precision), append(recall, d.recall)
		total.add(d, 1)
	}
	return FoundScore{name, NewMetric("precision", precision, seed), NewMetric("recall", recall, seed),
		boundsOf(total.f1(), resampledDifferences(documents, nil, seed))}
}

func boundsOf(value float64, sorted []float64) Bounds {
	b := Bounds{Value: value}
	if len(sorted) > 0 {
		b.Low, b.High = percentileInterval(sorted)
	}
	return b
}

// resampledDifferences returns the F1 of a less that of b, if there is one, in each bootstrap resample, sorted.
func resampledDifferences(a, b []foundSums, seed uint64) []float64 {
	if len(a) == 0 {
		return nil
	}
	values := make([]float64, 0, resampleCount)
	eachResample(len(a), seed, func(times []int) {
		var sumA, sumB foundSums
		for i, n := range times {
			sumA.add(a[i], n)
			if b != nil {
				sumB.add(b[i], n)
			}
		}
		values = append(values, sumA.f1()-sumB.f1())
	})
	slices.Sort(values)
	return values
}

// RawDifference is the difference of two results in F1 on the same documents.
type RawDifference struct {
	Name string `json:"name"` // of the score
	F1   Bounds `json:"f1"`   // of the first less that of the second
}

// CompareRaw returns the differences of a less b, two results on the same gold, with paired bootstrap intervals
// over documents.
func CompareRaw(a, b *RawResult, seed uint64) []RawDifference {
	var differences []RawDifference
	for k, rule := range matchRules {
		value := a.Scores[k].F1.Value - b.Scores[k].F1.Value
		differences = append(differences, RawDifference{rule.name,
			boundsOf(value, resampledDifferences(a.documents[k], b.documents[k], seed))})
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

// RawReport is what the mentions of raw text were found by, and how well.
type RawReport struct {
	Model       string          `json:"model"`
	Dictionary  string          `json:"dictionary"` // hash
	Gold        []string        `json:"gold"`       // base names of the files
	Types       []string        `json:"types,omitempty"`
	Seed        uint64          `json:"seed"`
	Documents   int             `json:"documents"`
	Mentions    int             `json:"mentions"`
	Results     []RawResult     `json:"results"`
	Differences []RawDifference `json:"differences"` // of the first result less the second
	// Marked is the score where the annotators' spans are given: what better spans could reach.
	Marked FoundScore `json:"marked"`
}
