package lexical

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
)

// wordIndexOf indexes names. If concepts is nil, they have no concepts.
func wordIndexOf(t *testing.T, names []string, concepts func(row int32) []int32) *WordIndex {
	if concepts == nil {
		concepts = func(int32) []int32 { return nil }
	}
	tokens := func(row int) []string { return normalize.CanonicalTokens(names[row]) }
	return must.Get(NewWordIndex(t.Context(), len(names), len(names), tokens, concepts))
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
	x := wordIndexOf(t, names, nil)
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
		if diff := cmp.Diff(holding, x.WithAllOf(x.Mention(words)), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("holding %q (-want +got):\n%s", words, diff)
		}
		if diff := cmp.Diff(same, x.WithExactly(x.Mention(words)), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("the same as %q (-want +got):\n%s", words, diff)
		}
	}
}

func TestDocumentGain(t *testing.T) {
	// Of 3 names, 1 has "drug", 1 "induced" and 2 "dyskinesia": a word in one name weighs ln(4/2) = ln 2, a word in two
	// ln(4/3).
	x := wordIndexOf(t, []string{"drug induced dyskinesia", "dyskinesia", "gout"}, nil)
	one, two := math.Log(2), math.Log(4.0/3)
	mention := normalize.ContentWords("dyskinesias")
	for _, tc := range []struct {
		row  int32
		text string
		want float64
	}{
		{0, "Levodopa-induced dyskinesias", one / (2*one + two)},
		{0, "Drugs induce dyskinesias", 2 * one / (2*one + two)}, // matches by stems
		{0, "drug-induced dyskinesias", 2 * one / (2*one + two)},
		{0, "dyskinesias", 0},
		{1, "drug-induced dyskinesias", 0}, // the mention has all words
		{2, "gout", 1},
	} {
		got := x.DocumentGain(tc.row, mention, normalize.CountContentWords(tc.text))
		if math.Abs(got-tc.want) > 1e-12 {
			t.Errorf("name %d in %q: %g, want %g", tc.row, tc.text, got, tc.want)
		}
	}
}

// TestDocumentGainOfCombiningForms compares a name with documents by its content words, and with mentions by the plain
// words for its combining forms.
func TestDocumentGainOfCombiningForms(t *testing.T) {
	x := wordIndexOf(t, []string{"diabetic nephropathy", "kidney disease", "gout"}, nil)
	words := normalize.NameWordsOf(normalize.CanonicalTokens("nephropathies"))
	must.Equal(t, x.WithAllOf(x.Mention(words)), []int32{0, 1}, "names with the words of nephropathies")
	// "Diabetic" and "nephropathy" each occur in one name and weigh the same.
	for text, want := range map[string]float64{"Nephropathy is common.": .5, "Kidney disease is common.": 0, "Diabetic nephropathy.": 1} {
		if got := x.DocumentGain(0, nil, normalize.CountContentWords(text)); math.Abs(got-want) > 1e-12 {
			t.Errorf("in %q: %g, want %g", text, got, want)
		}
	}
}

// TestWordEditsReplaced: "renal" and "kidney" fill two frames in names of one concept and a third frame in names of
// two. "lung" replaces neither in a name of their concepts.
func TestWordEditsReplaced(t *testing.T) {
	names := []string{
		"renal failure", "kidney failure", "lung failure", "renal stone", "kidney stone", "renal cyst", "kidney cyst", "lung cyst", "acute renal failure",
	}
	concepts := []int32{0, 0, 1, 2, 2, 3, 4, 5, 6}
	x := wordIndexOf(t, names, func(row int32) []int32 { return concepts[row : row+1] })
	const replaced = 2. / (3 + 3)
	// Only "acute renal failure" is another name with one more word.
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
		{0, "lung failure", anyAdded * anyAdded, false}, // one word removed and another added
		{0, "toe failure", anyAdded * anyAdded, false},
		{0, "renal failure", 1, true},
	} {
		got, isReplaced := x.SameConcept(x.Words(tc.row), x.Mention(normalize.ContentWords(tc.mention)))
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
		x := wordIndexOf(t, names, func(row int32) []int32 { return concepts[row] })

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
		for number := range x.vocabulary.Len() {
			word := x.vocabulary.At(number)
			want := math.Log((sames[word] + 3*mean) / (pairs[word] + 3))
			if x.logP[number] != want {
				t.Fatalf("%s: %g, want %g, in %s", word, x.logP[number], want, strconv.Quote(strings.Join(names, "; ")))
			}
		}

		// Count the words that replace each other over all pairs of names with different words.
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
		type words struct{ a, b string }
		replacements, sameReplacements := make(map[words]float64), make(map[words]float64)
		for r, isSame := range sameReplaced {
			replacements[words{r.a, r.b}]++
			if isSame {
				sameReplacements[words{r.a, r.b}]++
			}
		}
		for w, n := range sameReplacements {
			want := math.Log(n / (replacements[w] + 3))
			both := x.Mention([]string{w.a, w.b}).Known
			if logP, _ := x.logReplacedOf(both[0], both[1]); logP != want {
				t.Fatalf("%s, %s: %g, want %g, in %q", w.a, w.b, logP, want, names)
			}
		}
	}
}

func TestWordEdits(t *testing.T) {
	// Two pairs of names that differ by "primary" mean the same and one does not. Three pairs that differ by "lung"
	// mean something else.
	names := []string{
		"insomnia", "primary insomnia", "gout", "gout, primary", "fibrosis", "primary fibrosis",
		"cancer", "lung cancer", "lung fibrosis", "lung gout",
	}
	concepts := []int32{0, 0, 1, 1, 2, 3, 4, 5, 6, 7}
	x := wordIndexOf(t, names, func(row int32) []int32 { return concepts[row : row+1] })
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
		got, _ := x.SameConcept(x.Words(tc.row), x.Mention(normalize.ContentWords(tc.mention)))
		if math.Abs(got-tc.want) > 1e-12 {
			t.Errorf("%q and %q: %g, want %g", names[tc.row], tc.mention, got, tc.want)
		}
	}
}

// TestWordArrays writes an index and maps the file.
func TestWordArrays(t *testing.T) {
	x := wordIndexOf(t, []string{"renal failure", "kidney failure", "nephropathy", "toxic nephropathy", ""},
		func(row int32) []int32 { return []int32{row / 2} })
	path := filepath.Join(t.TempDir(), "words")
	other := wordIndexOf(t, []string{"gout"}, nil)
	other.weights = nil
	fields := func(name string, x *WordIndex) []safetensors.Field { return []safetensors.Field{{Name: name, Data: x}} }
	must.Succeed(t,
		safetensors.WriteArrays(path, safetensors.Arrays("", append(fields("x/", x), fields("other/", other)...))))
	f := must.Get(safetensors.Open(path))
	defer f.Close()
	viewed := new(WordIndex)
	if err := safetensors.ViewFields(f, "", fields("x/", viewed)); err != nil || len(x.logReplaced) == 0 {
		t.Fatalf("%v, %d words replace others", err, len(x.logReplaced))
	}
	must.Equal(t, safetensors.Arrays("", viewed.Fields()), safetensors.Arrays("", x.Fields()), "viewed")
	for _, prefix := range []string{"other/", "none/"} {
		must.Fail(t, safetensors.ViewFields(f, "", fields(prefix, new(WordIndex))), "", "no error", prefix)
	}
}
