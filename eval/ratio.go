package eval

import (
	"fmt"
	"math"
)

// Ratio is a number with what it is the quotient of, without the interval of a
// [Figure].
type Ratio struct {
	Numerator   float64 `json:"numerator"`
	Denominator int     `json:"denominator"`
	Value       float64 `json:"value"` // 0 where the denominator is
}

func newRatio(numerator float64, denominator int) Ratio {
	r := Ratio{Numerator: numerator, Denominator: denominator}
	if denominator > 0 {
		r.Value = numerator / float64(denominator)
	}
	return r
}

// text is the value, and a dash where there is none.
func (r Ratio) text() string {
	if r.Denominator == 0 {
		return "-"
	}
	return Decimals(r.Value)
}

// Fraction gives "631/787", and one decimal of a numerator that is not whole.
func (r Ratio) Fraction() string {
	if r.Numerator == math.Trunc(r.Numerator) {
		return fmt.Sprintf("%.0f/%d", r.Numerator, r.Denominator)
	}
	return fmt.Sprintf("%.1f/%d", r.Numerator, r.Denominator)
}
