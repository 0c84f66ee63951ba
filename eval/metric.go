package eval

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/ctxnorm/ctxnorm/text"
)

// Metric is a mean over mentions with its 95 % bootstrap interval over documents: a proportion (Acc@k), a mean of
// values (MRR) or a difference of proportions. With only a handful of documents the interval is too narrow, because
// resamples can only repeat the same documents.
type Metric struct {
	Name  string  `json:"name"`
	Ratio         // its numerator is not an integer if it sums values or expectations
	Low   float64 `json:"low"`  // lower end of the interval
	High  float64 `json:"high"` // upper end of the interval
}

// NewMetric returns the mean over the mentions of documents with its interval, from a bootstrap with the seed.
func NewMetric(name string, documents []Sum, seed uint64) Metric {
	m, _ := newMetric(name, len(documents), seed, meanOf(documents))
	return m
}

// MetricNamed returns the metric with the name, or the zero Metric if there is none.
func MetricNamed(metrics []Metric, name string) Metric {
	i := slices.IndexFunc(metrics, func(m Metric) bool { return m.Name == name })
	if i < 0 {
		return Metric{}
	}
	return metrics[i]
}

// String returns "Acc@1 .802 (631/787, 95 % interval .751 to .849)".
func (f Metric) String() string {
	return fmt.Sprintf("%s %s (%s, 95 %% interval %s)", f.Name, Decimals(f.Value), f.Fraction(), f.Interval())
}

// Interval returns ".751 to .849".
func (f Metric) Interval() string { return Decimals(f.Low) + " to " + Decimals(f.High) }

// Ratio is a quotient with its numerator and denominator, without the interval of a [Metric].
type Ratio struct {
	Numerator   float64 `json:"numerator"`
	Denominator int     `json:"denominator"`
	Value       float64 `json:"value"` // 0 if the denominator is 0
}

func newRatio(numerator float64, denominator int) Ratio {
	r := Ratio{Numerator: numerator, Denominator: denominator}
	if denominator > 0 {
		r.Value = numerator / float64(denominator)
	}
	return r
}

// Fraction returns "631/787". A numerator that is not an integer has one decimal.
func (r Ratio) Fraction() string {
	if r.Numerator == math.Trunc(r.Numerator) {
		return fmt.Sprintf("%.0f/%d", r.Numerator, r.Denominator)
	}
	return fmt.Sprintf("%.1f/%d", r.Numerator, r.Denominator)
}

// PValue formats a p value as .050.
func PValue(p float64) string {
	if p < .001 {
		return "<.001"
	}
	return Decimals(p)
}

// Decimals formats v with three decimals and no leading zero.
func Decimals(v float64) string {
	s := fmt.Sprintf("%.3f", v)
	switch {
	case s == "-0.000":
		return ".000"
	case strings.HasPrefix(s, "0."):
		return s[1:]
	case strings.HasPrefix(s, "-0."):
		return "-" + s[2:]
	}
	return s
}

// resampleCount is the number of bootstrap resamples. Each end of an interval has
// 50 of them beyond it; the smallest p value is 2/2001, .001.
const resampleCount = 2000

// Sum is the sum of a value over the mentions of one document.
type Sum struct {
	Value float64
	N     int // mentions
}

func (s *Sum) add(o Sum, times int) {
	s.Value += float64(times) * o.Value
	s.N += times * o.N
}

// SumByDocument returns the sums of a value over the mentions of each document, ordered by the documents' identifiers
// and texts: a bootstrap samples documents by number, which must not depend on the order of files. mention returns
// mention i of n; those of a document must be adjacent. value returns the contribution of mention i.
func SumByDocument(n int, mention func(i int) *GoldMention, value func(i int) Sum) []Sum {
	numbers, count := documentNumbers(n, mention)
	documents := make([]Sum, count)
	for i, number := range numbers {
		documents[number].add(value(i), 1)
	}
	return documents
}

// documentNumbers returns the number of each mention's document, from 0 in the order of [SumByDocument], and the number
// of documents.
func documentNumbers(n int, mention func(i int) *GoldMention) (numbers []int, count int) {
	var documents []*text.Document
	number := make(map[*text.Document]int)
	for i := range n {
		doc := mention(i).Query.Document
		if _, known := number[doc]; !known {
			number[doc] = 0
			documents = append(documents, doc)
		}
	}
	slices.SortStableFunc(documents, compareDocuments)
	for i, doc := range documents {
		number[doc] = i
	}
	for i := range n {
		numbers = append(numbers, number[mention(i).Query.Document])
	}
	return numbers, len(documents)
}

// compareDocuments orders documents by their identifiers and texts.
func compareDocuments(a, b *text.Document) int {
	return cmp.Or(strings.Compare(a.ID, b.ID), strings.Compare(a.Text, b.Text))
}

// resampled returns a statistic of each bootstrap resample, sorted. A resample has as many documents as the sample,
// sampled with replacement. times[i] is how often document i was sampled; it is valid only during the call. Resamples
// for which the statistic is undefined are skipped. Documents are sampled and not mentions, because the mentions of one
// document are similar (Efron & Tibshirani, An Introduction to the Bootstrap, 1993, chapter 6).
func resampled(documents int, seed uint64, statistic func(times []int) (value float64, defined bool)) []float64 {
	random := rand.New(rand.NewPCG(seed, 0))
	times := make([]int, documents)
	values := make([]float64, 0, resampleCount)
	for range resampleCount {
		clear(times)
		for range documents {
			times[random.IntN(documents)]++
		}
		if value, defined := statistic(times); defined {
			values = append(values, value)
		}
	}
	slices.Sort(values)
	return values
}

// newMetric returns a quotient of the sample, its interval from resamples of documents, and the sorted quotients of the
// resamples. Document i is sampled times[i] times. If the sample's denominator is 0, there are no resamples.
func newMetric(name string, documents int, seed uint64,
	quotient func(times []int) (numerator float64, denominator int)) (Metric, []float64) {
	m := Metric{Name: name, Ratio: newRatio(quotient(slices.Repeat([]int{1}, documents)))}
	if m.Denominator == 0 {
		return m, nil
	}
	values := resampled(documents, seed, func(times []int) (float64, bool) {
		numerator, denominator := quotient(times)
		return numerator / float64(denominator), denominator > 0
	})
	m.Low, m.High = percentileInterval(values)
	return m, values
}

// meanOf returns a function that returns the mean over the mentions of documents as a quotient.
func meanOf(documents []Sum) func(times []int) (float64, int) {
	return func(times []int) (float64, int) {
		var total Sum
		for i, n := range times {
			total.add(documents[i], n)
		}
		return total.Value, total.N
	}
}

// percentileInterval returns the 95 % percentile interval of sorted values (Efron & Tibshirani, section 13.3).
func percentileInterval(sorted []float64) (low, high float64) {
	return stat.Quantile(.025, stat.Empirical, sorted, nil), stat.Quantile(.975, stat.Empirical, sorted, nil)
}

// bootstrapPValue returns the two-sided p value of the hypothesis that the mean is 0: twice the share of resampled
// means, which must be sorted, on the side of 0 that has fewer of them. The observed sample counts as one resample, so
// p is never 0 (Davison & Hinkley, Bootstrap Methods and Their Application, 1997, section 4.4).
//
// If a few documents all differ from 0 in one direction, so do all their resamples, which proves little: under the
// hypothesis, d documents differ in one direction in 2 of 2^d cases. p is never below that.
func bootstrapPValue(documents []Sum, means []float64) float64 {
	negative, _ := slices.BinarySearch(means, 0)
	notPositive, _ := slices.BinarySearch(means, math.SmallestNonzeroFloat64)
	differing := 0
	for _, d := range documents {
		if d.Value != 0 {
			differing++
		}
	}
	p := 2 * float64(1+min(notPositive, len(means)-negative)) / float64(len(means)+1)
	return min(1, max(p, math.Ldexp(2, -differing)))
}

// Comparison compares the predictions of two linkers, A and B, for the same mentions at rank 1.
type Comparison struct {
	A         string `json:"a"`
	B         string `json:"b"`
	Policy    string `json:"policy"`
	Slice     string `json:"slice"`
	Documents int    `json:"documents"`
	Both      int    `json:"both"`    // mentions that both linkers get right
	OnlyA     int    `json:"only_a"`  // mentions that only A gets right
	OnlyB     int    `json:"only_b"`  // mentions that only B gets right
	Neither   int    `json:"neither"` // mentions that both get wrong
	// Difference is the Acc@1 of A minus the Acc@1 of B. The interval is paired: each
	// bootstrap resample measures both linkers on the same documents.
	Difference Metric `json:"difference"`
	// Bootstrap is the two-sided p value of no difference, by bootstrap over documents.
	Bootstrap float64 `json:"bootstrap_p"`
	// McNemar is the two-sided p value of McNemar's exact test over mentions, which
	// assumes that mentions are independent.
	McNemar float64 `json:"mcnemar_p"`
}

// Compare compares the predictions a and b within a slice. It returns an error unless a[i] and b[i] predict the same
// mention. The caller sets A and B of the result.
func Compare(a, b []Prediction, policy Policy, slice Slice, seed uint64) (Comparison, error) {
	if len(a) != len(b) {
		return Comparison{}, fmt.Errorf("cannot compare %d predictions with %d", len(a), len(b))
	}
	for i := range a {
		if a[i].Mention != b[i].Mention {
			return Comparison{},
				fmt.Errorf("cannot compare prediction %d: it is for %q on one side and for %q on the other", i+1,
					a[i].Mention.Query.Surface(), b[i].Mention.Query.Surface())
		}
	}
	evaluatedA, evaluatedB := evaluate(a, policy, slice), evaluate(b, policy, slice)
	c := Comparison{Policy: policy.Name, Slice: slice.Name}
	differences := SumByDocument(len(evaluatedA.predictions), evaluatedA.mention, func(i int) Sum {
		switch correctA, correctB := evaluatedA.ranks[i] == 1, evaluatedB.ranks[i] == 1; {
		case correctA && correctB:
			c.Both++
		case correctA:
			c.OnlyA++
			return Sum{1, 1}
		case correctB:
			c.OnlyB++
			return Sum{-1, 1}
		default:
			c.Neither++
		}
		return Sum{0, 1}
	})
	c.Documents = len(differences)
	var means []float64
	c.Difference, means = newMetric("Acc@1 difference", len(differences), seed, meanOf(differences))
	c.Bootstrap = bootstrapPValue(differences, means)
	c.McNemar = mcNemar(c.OnlyA, c.OnlyB)
	return c, nil
}

// mcNemar returns the p value of McNemar's exact two-sided test. onlyA and onlyB count the mentions that only one
// linker gets right. The p value is twice the smaller tail of the binomial distribution with p = 1/2 (McNemar,
// Psychometrika 12, 1947).
func mcNemar(onlyA, onlyB int) float64 {
	if onlyA == onlyB { // includes 0 and 0, for which the distribution is undefined
		return 1
	}
	tail := distuv.Binomial{N: float64(onlyA + onlyB), P: .5}.CDF(float64(min(onlyA, onlyB)))
	return min(1, 2*tail)
}
