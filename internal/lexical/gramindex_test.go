package lexical

import (
	"fmt"
	"math"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestGramIndexByHand(t *testing.T) {
	// Grams of one and two characters. N = 2: a and ab are in both names, idf ln(3/3)+1 =
	// 1; b is in both; ba is in one, idf ln(3/2)+1 = s.
	//
	//	ab  = (a 1, b 1, ab 1)         length sqrt 3
	//	aba = (a 2, b 1, ab 1, ba s)   length sqrt(6 + s^2)
	s := math.Log(1.5) + 1
	names := []string{"ab", "aba"}
	x := NewGramIndex(names)
	length := math.Sqrt(6 + s*s)
	tests := []struct {
		query string
		want  []float32
	}{
		{"ab", []float32{1, float32(4 / (math.Sqrt(3) * length))}},
		{"aba", []float32{float32(4 / (math.Sqrt(3) * length)), 1}},
		// (b 1, ba s, a 1): ab has b and a, 2; aba has b, ba and a twice, 1 + s^2 + 2.
		{"ba", []float32{float32(2 / math.Sqrt(3*(2+s*s))), float32((3 + s*s) / (length * math.Sqrt(2+s*s)))}},
		{"x", []float32{0, 0}},
		{"", []float32{0, 0}},
		{"AB", []float32{0, 0}}, // strings are compared as they are
	}
	for _, test := range tests {
		if diff := gocmp.Diff(test.want, x.Scores(test.query), cmpopts.EquateApprox(0, 1e-6)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.query, diff)
		}
	}
}

func TestGramIndexSearch(t *testing.T) {
	x := NewGramIndex([]string{"gout", "zz", "gouty", "", "gout"})
	rows := func(hits []RowHit) string {
		var b strings.Builder
		for _, h := range hits {
			fmt.Fprint(&b, h.Row, " ")
		}
		return b.String()
	}
	tests := []struct {
		query string
		k     int
		want  string
	}{
		{"gout", 2, "0 4 "},       // equal names, in the order of rows
		{"gout", 9, "0 4 2 1 3 "}, // the rows without a common gram come last
		{"qq", 3, "0 1 2 "},
		{"gout", 0, ""},
		{"gout", -1, ""},
	}
	for _, test := range tests {
		if got := rows(x.Search(test.query, test.k)); got != test.want {
			t.Errorf("%q, k %d: rows %q, want %q", test.query, test.k, got, test.want)
		}
	}
	if hits := NewGramIndex(nil).Search("gout", 3); len(hits) > 0 {
		t.Errorf("no names: got %v", hits)
	}
}
