package eval

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Metric is a mean over mentions with its 95 % bootstrap interval over documents: a proportion (Acc@k), a mean of
// values (MRR) or a difference of proportions. With only a handful of documents the interval is too narrow, because
// resamples only repeat the documents that are there.
type Metric struct {
	Name  string  `json:"name"`
	Ratio         // its numerator is not an integer if values or expectations are summed
	Low   float64 `json:"low"`  // lower end of the interval
	High  float64 `json:"high"` // upper end of the interval
}

// NewMetric returns the mean over the mentions of documents with its interval, by a bootstrap with the seed.
func NewMetric(name string, documents []Sum, seed uint64) Metric {
	m, _ := newMetric(name, len(documents), seed, meanOf(documents))
	return m
}

// MetricNamed returns the metric of that name, or the zero Metric if there is none.
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
