package eval

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Share is a proportion of mentions with its 95 % interval over documents.
type Share struct {
	Name        string  `json:"name"`
	Numerator   int     `json:"numerator"`
	Denominator int     `json:"denominator"`
	Value       float64 `json:"value"`
	Low         float64 `json:"low"`  // the interval's lower end
	High        float64 `json:"high"` // and its upper end
}

// String gives "Acc@1 .802 (631/787, 95 % interval .751 to .849)".
func (s Share) String() string {
	return fmt.Sprintf("%s %s (%d/%d, 95 %% interval %s to %s)", s.Name, digits(s.Value), s.Numerator, s.Denominator, digits(s.Low), digits(s.High))
}

// digits writes a proportion with three decimals and no leading zero.
func digits(v float64) string {
	text := fmt.Sprintf("%.3f", v)
	if text[0] == '0' {
		return text[1:]
	}
	return text
}

// tally counts the hits among the mentions of one document.
type tally struct{ hits, total int }

// resamples is the number of bootstrap samples: the ends of the interval are the
// 50th value from either side.
const resamples = 2000

// share sums documents and finds the interval by the percentile bootstrap
// (Efron & Tibshirani, An Introduction to the Bootstrap, 1993, section 13.3),
// documents drawn with replacement: mentions of one document are not
// independent.
func share(name string, documents []tally, seed uint64) Share {
	s := Share{Name: name}
	for _, d := range documents {
		s.Numerator += d.hits
		s.Denominator += d.total
	}
	if s.Denominator == 0 {
		return s
	}
	s.Value = float64(s.Numerator) / float64(s.Denominator)
	random := rand.New(rand.NewPCG(seed, 0))
	values := make([]float64, 0, resamples)
	for range resamples {
		var sum tally
		for range documents {
			d := documents[random.IntN(len(documents))]
			sum.hits += d.hits
			sum.total += d.total
		}
		if sum.total > 0 {
			values = append(values, float64(sum.hits)/float64(sum.total))
		}
	}
	slices.Sort(values)
	s.Low = values[len(values)*25/1000]
	s.High = values[min(len(values)-1, len(values)*975/1000)]
	return s
}
