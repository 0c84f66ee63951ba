package contrastive

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// exemplarOf returns an exemplar with a key and a name.
func exemplarOf(key, name string, concepts ...kb.ConceptID) text.Exemplar {
	e := text.NameExemplar(key, concepts...)
	e.Mention.Name = name
	return e
}

// exemplarsOf returns counts[c] exemplars of each concept c, all with the same name.
func exemplarsOf(counts ...int) (exemplars []text.Exemplar) {
	for c, n := range counts {
		for i := range n {
			exemplars = append(exemplars, exemplarOf(fmt.Sprintf("%d/%d", c, i), "", kb.ConceptID(strconv.Itoa(c))))
		}
	}
	return exemplars
}

func newSampler(t *testing.T, exemplars []text.Exemplar, conceptsPerBatch int, seed uint64) *Sampler {
	t.Helper()
	return must.Get(NewSampler(exemplars, conceptsPerBatch, seed))
}

func TestSamplerBatch(t *testing.T) {
	exemplars := exemplarsOf(2, 3, 1, 7, 40, 5, 2, 0, 9)
	exemplars = append(exemplars, exemplarOf("ambiguous", "", "0", "3", "3", ""))
	s := newSampler(t, exemplars, 4, 1)
	if s.Concepts() != 7 || s.ConceptsPerBatch() != 4 { // the third concept has one exemplar, the eighth none
		t.Errorf("%d concepts, %d per batch; want 7 and 4", s.Concepts(), s.ConceptsPerBatch())
	}
	if few := newSampler(t, exemplarsOf(3, 3, 1), 16, 1); few.ConceptsPerBatch() != 2 || len(few.Batch(5)) != 4 {
		t.Errorf("%d of 2 concepts and %d rows per batch, want 2 and 4", few.ConceptsPerBatch(), len(few.Batch(5)))
	}
	for number := range 500 {
		batch := s.Batch(number)
		if len(batch) != 8 {
			t.Fatalf("batch %d has %d rows, want 8", number, len(batch))
		}
		seen := make(map[kb.ConceptID]bool)
		for i := 0; i < len(batch); i += 2 {
			a, b := batch[i], batch[i+1]
			if a.Concept != b.Concept || a.Exemplar == b.Exemplar {
				t.Fatalf("batch %d: rows %v and %v are not a pair", number, a, b)
			}
			if seen[a.Concept] {
				t.Fatalf("batch %d: concept %s is sampled twice", number, a.Concept)
			}
			seen[a.Concept] = true
			for _, row := range []BatchItem{a, b} {
				if !slices.Contains(exemplars[row.Exemplar].Mention.Concepts, row.Concept) {
					t.Fatalf("batch %d: exemplar %+v sampled for %s", number, exemplars[row.Exemplar], row.Concept)
				}
			}
		}
	}
}

// TestSamplerBalance checks that concepts are sampled equally often regardless of their number of exemplars, and so are
// the exemplars of a concept.
func TestSamplerBalance(t *testing.T) {
	counts := []int{2, 3, 10, 25, 4, 2, 5, 8, 2, 3}
	s := newSampler(t, exemplarsOf(counts...), 3, 42)
	concepts := make(map[kb.ConceptID]int)
	sampled := make(map[int]int)
	// 10 concepts make 3 batches of 3 per epoch; one concept waits for the next.
	const epochs = 4000
	for number := range epochs * 3 {
		for _, row := range s.Batch(number) {
			concepts[row.Concept]++
			sampled[row.Exemplar]++
		}
	}
	for id, rows := range concepts {
		// A concept is sampled in an epoch with probability .9: the mean is 3,600, the
		// standard deviation sqrt(4000 .9 .1) = 19.
		if pairs := rows / 2; math.Abs(float64(pairs)-0.9*epochs) > 4*19 {
			t.Errorf("concept %s is sampled %d times, want about %v", id, pairs, 0.9*epochs)
		}
	}
	first := 0
	for c, n := range counts {
		want := 0.9 * epochs * 2 / float64(n)
		for i := first; i < first+n; i++ {
			// If n is odd, a pass leaves out an exemplar at random, and an epoch leaves out a concept. The deviation is
			// below that of independent samples.
			if math.Abs(float64(sampled[i])-want) > 4*math.Sqrt(want) {
				t.Errorf("exemplar %d of concept %d is sampled %d times, want about %.0f", i-first, c, sampled[i], want)
			}
		}
		first += n
	}
}

// TestSamplerWithoutReplacement checks that an epoch samples no concept twice, and that a pass of n/2 epochs samples
// none of n exemplars twice.
func TestSamplerWithoutReplacement(t *testing.T) {
	s := newSampler(t, exemplarsOf(7, 7, 7, 7), 4, 9) // an epoch is a batch, a pass 3 epochs
	for pass := range 50 {
		sampled := make(map[int]int)
		for epoch := range 3 {
			for _, row := range s.Batch(3*pass + epoch) {
				sampled[row.Exemplar]++
			}
		}
		if len(sampled) != 4*6 {
			t.Fatalf("pass %d samples %d exemplars, want 6 of each of 4 concepts, none twice", pass, len(sampled))
		}
	}
}

// TestSamplerPairsChange checks that passes and seeds pair the exemplars of a concept differently, and that two
// concepts with the same number of exemplars do not go through them in step.
func TestSamplerPairsChange(t *testing.T) {
	partners := make(map[[2]int]bool)
	inStep, batches := 0, 0
	for seed := range uint64(5) {
		s := newSampler(t, exemplarsOf(6, 6), 2, seed) // exemplars 0 to 5 and 6 to 11
		for number := range 60 {
			batch := s.Batch(number)
			for rows := range slices.Chunk(batch, 2) {
				a, b := rows[0].Exemplar, rows[1].Exemplar
				partners[[2]int{min(a, b), max(a, b)}] = true
			}
			batches++
			if batch[0].Exemplar%6 == batch[2].Exemplar%6 && batch[1].Exemplar%6 == batch[3].Exemplar%6 {
				inStep++
			}
		}
	}
	if want := 2 * 15; len(partners) != want { // 6 choose 2, of each concept
		t.Errorf("%d different pairs, want %d", len(partners), want)
	}
	if inStep > batches/10 { // 1 in 30 by chance
		t.Errorf("%d of %d batches sample the same positions of both concepts", inStep, batches)
	}
}

// TestSamplerDeterministic checks that a batch depends on the exemplars but not on their order, on the batches before
// it or on other samplers.
func TestSamplerDeterministic(t *testing.T) {
	exemplars := exemplarsOf(5, 2, 8, 3, 30, 2, 2)
	exemplars = append(exemplars, exemplars[3]) // listed twice
	keys := func(exemplars []text.Exemplar, batch []BatchItem) []string {
		var keys []string
		for _, row := range batch {
			keys = append(keys, exemplars[row.Exemplar].Surface()+" as "+string(row.Concept))
		}
		return keys
	}
	inOrder := newSampler(t, exemplars, 3, 1)
	want := make(map[int][]string)
	for number := range 100 {
		want[number] = keys(exemplars, inOrder.Batch(number))
	}
	for seed := range uint64(5) {
		shuffled := slices.Clone(exemplars)
		random := rand.New(rand.NewPCG(seed, 0))
		random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		s := newSampler(t, shuffled, 3, 1)
		for _, number := range random.Perm(100) {
			if diff := cmp.Diff(want[number], keys(shuffled, s.Batch(number))); diff != "" {
				t.Fatalf("batch %d of exemplars shuffled with seed %d (-in order +shuffled):\n%s", number, seed, diff)
			}
		}
	}
	other := newSampler(t, exemplars, 3, 2)
	same := 0
	for number := range 100 {
		if slices.Equal(want[number], keys(exemplars, other.Batch(number))) {
			same++
		}
	}
	if same > 5 {
		t.Errorf("%d of 100 batches are the same under another seed", same)
	}
}

func TestNewSamplerErrors(t *testing.T) {
	repeated := exemplarsOf(2, 1)
	repeated = append(repeated, repeated[2]) // still one exemplar
	for _, test := range []struct {
		exemplars        []text.Exemplar
		conceptsPerBatch int
		want             string
	}{
		{exemplarsOf(2, 2), 1, "sampler: concepts per batch is 1, want 2 or more"},
		{nil, 2, "sampler: 0 of 0 concepts have two exemplars or more, want at least 2 such concepts for positives and negatives"},
		{repeated, 2, "sampler: 1 of 2 concepts have two exemplars or more, want at least 2 such concepts for positives and negatives"},
	} {
		_, err := NewSampler(test.exemplars, test.conceptsPerBatch, 1)
		must.Equal(t, fmt.Sprint(err), test.want)
	}
}

func TestKeys(t *testing.T) {
	doc := &text.Document{ID: "12", Text: "Pain. Renal pain and pain."}
	exemplar := func(start, end int, sentence text.Span) text.Exemplar {
		m := text.Mention{Span: text.Span{Start: start, End: end}, Concepts: []kb.ConceptID{"a", "b"}}
		return text.Exemplar{Query: text.Query{Document: doc, Mention: m, Sentence: sentence}}
	}
	second := text.Span{Start: 6, End: 26}
	exemplars := []text.Exemplar{
		exemplar(0, 4, text.Span{Start: 0, End: 5}),
		exemplar(6, 16, second),
		exemplar(12, 16, second),
		exemplar(21, 25, second),
		text.NameExemplar("pain", "a"),
		text.NameExemplar("fever", "a"),
		// The same sentence as a separate document, as in the corpus.
		{Query: text.Query{Document: &text.Document{ID: "12", Text: second.Of(doc.Text)},
			Mention: text.Mention{Span: text.Span{Start: 0, End: 10}}, Sentence: text.Span{Start: 0, End: 20}}},
	}
	must.Equal(t, keyOf(&exemplars[6]), keyOf(&exemplars[1]), "keys of one mention")
	keys := make(map[string]bool)
	for i := range exemplars[:6] {
		keys[keyOf(&exemplars[i])] = true
	}
	must.Equal(t, len(keys), 6, "keys", slices.Sorted(maps.Keys(keys)))
}

// TestPairsHaveDifferentNames has the concept "b", where at most half of the exemplars have the same name, so that all
// pairs can have different names; and "a", where 5 of 7 exemplars have one name, so that not all pairs can.
func TestPairsHaveDifferentNames(t *testing.T) {
	var exemplars []text.Exemplar
	add := func(concept kb.ConceptID, name string, n int) {
		for i := range n {
			exemplars = append(exemplars, exemplarOf(fmt.Sprintf("%s %s %d", concept, name, i), name, concept))
		}
	}
	add("a", "frequent", 5)
	add("a", "rare", 2)
	add("b", "one", 10)
	add("b", "two", 6)
	add("b", "three", 4)
	s := newSampler(t, exemplars, 2, 1)
	sampled := make(map[int]int)
	for number := range 300 {
		batch := s.Batch(number)
		for i := 0; i < len(batch); i += 2 {
			first, second := exemplars[batch[i].Exemplar], exemplars[batch[i+1].Exemplar]
			sampled[batch[i].Exemplar]++
			sampled[batch[i+1].Exemplar]++
			if batch[i].Exemplar == batch[i+1].Exemplar {
				t.Fatalf("batch %d: %q twice", number, first.Surface())
			}
			if batch[i].Concept == "b" && first.Mention.Name == second.Mention.Name {
				t.Errorf("batch %d: two exemplars named %q", number, first.Mention.Name)
			}
		}
	}
	// 300 pairs are 600 exemplars. Each of the 20 exemplars of b is sampled 600/20 = 30 times. Each of the 100 passes
	// over a leaves out one exemplar of the name that comes last: one of two rare ones, or one of five frequent ones.
	for i := range exemplars {
		want, slack := 30, 0
		switch exemplars[i].Mention.Name {
		case "rare":
			want, slack = 75, 17
		case "frequent":
			want, slack = 90, 12
		}
		if sampled[i] < want-slack || sampled[i] > want+slack {
			t.Errorf("%q is sampled %d times, want %d -+ %d", exemplars[i].Surface(), sampled[i], want, slack)
		}
	}
}
