package link

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/internal/lexical"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

func wordIndexOf(names []string) *wordIndex {
	return newWordIndex(lexical.TokenizeNames(names), len(names))
}

func TestWordIndex(t *testing.T) {
	x := wordIndexOf([]string{"breast cancer", "", "cancer of the breast", "male breast cancer", "lung cancer"})
	if diff := cmp.Diff([]int32{0, 2, 3}, x.withAllOf([]string{"breast", "cancer"})); diff != "" {
		t.Errorf("rows with breast and cancer (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int32{0, 2}, x.withExactly([]string{"breast", "cancer"})); diff != "" {
		t.Errorf("the same words (-want +got):\n%s", diff)
	}
	if got := x.withAllOf([]string{"cancer", "toe"}); len(got) != 0 {
		t.Errorf("rows with a word of no name: %v", got)
	}
	if got := x.withExactly(nil); got != nil {
		t.Errorf("rows without words: %v", got)
	}
}

// TestWordIndexRandom compares searches with a scan of the content words of all names.
func TestWordIndexRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 17))
	phrase := func() string {
		words := strings.Fields("renal kidneys failure failures of the epilepsy epileptic toxic toxicity type II 2 B")
		r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		return strings.Join(words[:r.IntN(5)], " ")
	}
	names := make([]string, 300)
	for row := range names {
		names[row] = phrase()
	}
	x := wordIndexOf(names)
	for range 300 {
		words := normalize.ContentWords(phrase())
		var holding, same []int32
		for row, name := range names {
			held := normalize.ContentWords(name)
			all := !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(held, word) })
			if all && len(words) > 0 {
				holding = append(holding, int32(row))
				if len(held) == len(words) {
					same = append(same, int32(row))
				}
			}
		}
		if diff := cmp.Diff(holding, x.withAllOf(words), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("holding %q (-want +got):\n%s", words, diff)
		}
		if diff := cmp.Diff(same, x.withExactly(words), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("the same as %q (-want +got):\n%s", words, diff)
		}
	}
}

func TestDocumentGain(t *testing.T) {
	// Of 3 names, 1 has "drug", 1 "induced" and 2 "dyskinesia": a word of one name weighs
	// ln(4/2) = ln 2, a word of two ln(4/3).
	x := wordIndexOf([]string{"drug induced dyskinesia", "dyskinesia", "gout"})
	one, two := math.Log(2), math.Log(4.0/3)
	mention := normalize.ContentWords("dyskinesias")
	for _, tc := range []struct {
		row  int32
		text string
		want float64
	}{
		{0, "Levodopa-induced dyskinesias", one / (2*one + two)},
		{0, "Drugs induce dyskinesias", 2 * one / (2*one + two)}, // by their stems
		{0, "drug-induced dyskinesias", 2 * one / (2*one + two)},
		{0, "dyskinesias", 0},
		{1, "drug-induced dyskinesias", 0}, // the mention has all words
		{2, "gout", 1},
	} {
		got := x.documentGain(tc.row, mention, normalize.CountContentWords(tc.text))
		if math.Abs(got-tc.want) > 1e-12 {
			t.Errorf("name %d in %q: %g, want %g", tc.row, tc.text, got, tc.want)
		}
	}
}

// TestDocumentGainOfCombiningForms compares a name with documents by its content words, and with
// mentions by the plain words for their combining forms.
func TestDocumentGainOfCombiningForms(t *testing.T) {
	x := wordIndexOf([]string{"diabetic nephropathy", "kidney disease", "gout"})
	if diff := cmp.Diff([]int32{0, 1}, x.withAllOf(normalize.NameWords("nephropathies"))); diff != "" {
		t.Errorf("names with the words of nephropathies (-want +got):\n%s", diff)
	}
	// "Diabetic" and "nephropathy" are words of one name each, and weigh the same.
	for text, want := range map[string]float64{"Nephropathy is common.": .5, "Kidney disease is common.": 0, "Diabetic nephropathy.": 1} {
		if got := x.documentGain(0, nil, normalize.CountContentWords(text)); math.Abs(got-want) > 1e-12 {
			t.Errorf("in %q: %g, want %g", text, got, want)
		}
	}
}
