package link

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/lexical"
	"github.com/ctxnorm/ctxnorm/text/normalize"
)

func TestWordEdits(t *testing.T) {
	// Two pairs of names that differ by "primary" mean the same, one does not; three that
	// differ by "lung" mean something else.
	names := []string{
		"insomnia", "primary insomnia", "gout", "gout, primary", "fibrosis", "primary fibrosis",
		"cancer", "lung cancer", "lung fibrosis", "lung gout",
	}
	concepts := []int32{0, 0, 1, 1, 2, 3, 4, 5, 6, 7}
	x := newWordIndex(lexical.TokenizeNames(names))
	e := newWordEdits(x, func(row int32) []int32 { return concepts[row : row+1] })
	const mean = (2. + 1) / (6 + 2) // of six pairs two mean the same
	primary, lung := (2+3*mean)/(3+3), (0+3*mean)/(3+3)
	for _, tc := range []struct {
		row     int32
		mention string
		want    float64
	}{
		{0, "insomnia", 1},
		{1, "insomnia, primary", 1},
		{1, "insomnia", primary},
		{0, "primary insomnia", primary},
		{7, "cancer", lung},
		{7, "primary lung cancer", primary},
		{7, "primary cancer", primary * lung},
		{7, "toe cancer", mean * lung},
		{0, "toe", (0*1 + 3*mean) / 3 * mean}, // no pair differs by "insomnia"
	} {
		got := e.sameConcept(tc.row, x.numbersOf(normalize.ContentWords(tc.mention)))
		if math.Abs(got-tc.want) > 1e-12 {
			t.Errorf("%q and %q: %g, want %g", names[tc.row], tc.mention, got, tc.want)
		}
	}
}

// TestWordEditsEqualDefinition compares the counts with those of all pairs of names.
func TestWordEditsEqualDefinition(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	words := []string{"acid", "blood", "cell", "deep", "fever", "gland"}
	for range 50 {
		var names []string
		var concepts [][]int32
		for range 1 + random.IntN(30) {
			var name []string
			for range random.IntN(4) {
				name = append(name, words[random.IntN(len(words))])
			}
			names = append(names, strings.Join(name, " "))
			own := []int32{random.Int32N(5), random.Int32N(5)}
			slices.Sort(own)
			concepts = append(concepts, own)
		}
		x := newWordIndex(lexical.TokenizeNames(names))
		got := newWordEdits(x, func(row int32) []int32 { return concepts[row] })

		type pair struct{ word, rest string }
		same := make(map[pair]bool)
		for i := range names {
			for j := range names {
				long, short := normalize.ContentWords(names[i]), normalize.ContentWords(names[j])
				if len(short) == 0 || len(long) != len(short)+1 {
					continue
				}
				extra := slices.DeleteFunc(slices.Clone(long), func(w string) bool { return slices.Contains(short, w) })
				if len(extra) == 1 {
					p := pair{extra[0], strings.Join(short, " ")}
					same[p] = same[p] || slices.ContainsFunc(concepts[i], func(c int32) bool { return slices.Contains(concepts[j], c) })
				}
			}
		}
		all, allSame := 0., 0.
		pairs, sames := make(map[string]float64), make(map[string]float64)
		for p, isSame := range same {
			all++
			pairs[p.word]++
			if isSame {
				allSame++
				sames[p.word]++
			}
		}
		mean := (allSame + 1) / (all + 2)
		for number, word := range x.vocabulary {
			want := math.Log((sames[word] + 3*mean) / (pairs[word] + 3))
			if math.Abs(got.logP[number]-want) > 1e-12 {
				t.Fatalf("%s: %g, want %g, in %s", word, got.logP[number], want, strconv.Quote(strings.Join(names, "; ")))
			}
		}
	}
}
