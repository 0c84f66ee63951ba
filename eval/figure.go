package eval

import (
	"fmt"
	"strings"
)

// Figure is a mean over mentions with its 95 % interval over documents: a share
// of them (Acc@k), a mean of values (MRR) or a difference of shares. The interval
// of a handful of documents is too short: draws repeat them and show no others.
type Figure struct {
	Name        string  `json:"name"`
	Numerator   float64 `json:"numerator"` // not whole where values or expectations are summed
	Denominator int     `json:"denominator"`
	Value       float64 `json:"value"` // 0 where there is no mention
	Low         float64 `json:"low"`   // the interval's lower end
	High        float64 `json:"high"`  // and its upper end
}

// tally sums the values of the mentions of one document.
type tally struct {
	sum float64
	n   int
}

// newFigure sums documents and finds the interval.
func newFigure(name string, documents []tally, seed uint64) Figure {
	f := Figure{Name: name}
	for _, d := range documents {
		f.Numerator += d.sum
		f.Denominator += d.n
	}
	if f.Denominator > 0 {
		f.Value = f.Numerator / float64(f.Denominator)
		f.Low, f.High = interval(resample(documents, seed))
	}
	return f
}

// String gives "Acc@1 .802 (631/787, 95 % interval .751 to .849)".
func (f Figure) String() string {
	return fmt.Sprintf("%s %s (%s, 95 %% interval %s)", f.Name, Decimals(f.Value), f.Fraction(), f.Interval())
}

// Fraction gives "631/787", and one decimal of a numerator that is not whole.
func (f Figure) Fraction() string { return newRatio(f.Numerator, f.Denominator).Fraction() }

// Interval gives ".751 to .849".
func (f Figure) Interval() string { return Decimals(f.Low) + " to " + Decimals(f.High) }

// Decimals writes a number with three decimals and no leading zero.
func Decimals(v float64) string {
	text := fmt.Sprintf("%.3f", v)
	switch {
	case text == "-0.000":
		return ".000"
	case strings.HasPrefix(text, "0."):
		return text[1:]
	case strings.HasPrefix(text, "-0."):
		return "-" + text[2:]
	}
	return text
}
