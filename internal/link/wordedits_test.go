package link

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

// TestWordEditsReplaced: "renal" and "kidney" fill two frames in names of one concept and a third
// in names of two; "lung" replaces neither in a name of their concepts.
func TestWordEditsReplaced(t *testing.T) {
	names := []string{
		"renal failure", "kidney failure", "lung failure", "renal stone", "kidney stone", "renal cyst", "kidney cyst", "lung cyst", "acute renal failure",
	}
	concepts := []int32{0, 0, 1, 2, 2, 3, 4, 5, 6}
	x := wordIndexOf(names)
	e := newWordEdits(x, func(row int32) []int32 { return concepts[row : row+1] })
	// Pairs of words fill one frame: three "… failure", one "… stone", three "… cyst", and
	// three each "renal …", "kidney …", one "lung …" and none "acute renal …".
	const mean = (2. + 1) / (3 + 1 + 3 + 3 + 3 + 1 + 2)
	replaced := (2 + 3*mean) / (3 + 3)
	// No name is another and one more word but "acute renal failure".
	const anyAdded = (0. + 1) / (1 + 2)
	acute := (0 + 3*anyAdded) / (1 + 3)
	for _, tc := range []struct {
		row      int32
		mention  string
		want     float64
		replaced bool
	}{
		{0, "failure of the kidneys", replaced, true},
		{0, "acute kidney failure", replaced * acute, false},
		{8, "acute kidney failure", replaced, true},
		{0, "lung failure", anyAdded * anyAdded, false}, // one word less, another more
		{0, "toe failure", anyAdded * anyAdded, false},
		{0, "renal failure", 1, true},
	} {
		got, isReplaced := e.sameConcept(tc.row, x.numbersOf(normalize.ContentWords(tc.mention)))
		if math.Abs(got-tc.want) > 1e-12 || isReplaced != tc.replaced {
			t.Errorf("%q and %q: %g, %v, want %g, %v", names[tc.row], tc.mention, got, isReplaced, tc.want, tc.replaced)
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
		x := wordIndexOf(names)
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

		// Words that replace each other, by all pairs of names with different words.
		type replacement struct{ a, b, rest string }
		sameReplaced := make(map[replacement]bool)
		for i := range names {
			for j := range names {
				a, b := normalize.ContentWords(names[i]), normalize.ContentWords(names[j])
				rest := slices.DeleteFunc(slices.Clone(a), func(w string) bool { return !slices.Contains(b, w) })
				if len(a) < 2 || len(a) != len(b) || len(rest) != len(a)-1 {
					continue
				}
				notInRest := func(w string) bool { return !slices.Contains(rest, w) }
				r := replacement{a[slices.IndexFunc(a, notInRest)], b[slices.IndexFunc(b, notInRest)], strings.Join(rest, " ")}
				r.a, r.b = min(r.a, r.b), max(r.a, r.b)
				sameReplaced[r] = sameReplaced[r] || slices.ContainsFunc(concepts[i], func(c int32) bool { return slices.Contains(concepts[j], c) })
			}
		}
		all, allSame = 0, 0
		type words struct{ a, b string }
		replacements, sameReplacements := make(map[words]float64), make(map[words]float64)
		for r, isSame := range sameReplaced {
			all++
			replacements[words{r.a, r.b}]++
			if isSame {
				allSame++
				sameReplacements[words{r.a, r.b}]++
			}
		}
		mean = (allSame + 1) / (all + 2)
		if len(got.logReplaced) != len(sameReplacements) {
			t.Fatalf("%d pairs of words, want %d, in %q", len(got.logReplaced), len(sameReplacements), names)
		}
		for w, n := range sameReplacements {
			want := math.Log((n + 3*mean) / (replacements[w] + 3))
			if logP := got.logReplaced[wordPair(x.numbers[w.a], x.numbers[w.b])]; math.Abs(logP-want) > 1e-12 {
				t.Fatalf("%s, %s: %g, want %g, in %q", w.a, w.b, logP, want, names)
			}
		}
	}
}
