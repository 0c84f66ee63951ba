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

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// examplesOf returns counts[c] examples of each concept c.
func examplesOf(counts ...int) []Example {
	var examples []Example
	for c, n := range counts {
		for i := range n {
			examples = append(examples, Example{Key: fmt.Sprintf("%d/%d", c, i), Concepts: []kb.ConceptID{kb.ConceptID(strconv.Itoa(c))}})
		}
	}
	return examples
}

func newSampler(t *testing.T, examples []Example, conceptsPerBatch int, seed uint64) *Sampler {
	t.Helper()
	s, err := NewSampler(examples, conceptsPerBatch, seed)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSamplerBatch(t *testing.T) {
	examples := examplesOf(2, 3, 1, 7, 40, 5, 2, 0, 9)
	examples = append(examples, Example{Key: "ambiguous", Concepts: []kb.ConceptID{"0", "3", "3", ""}})
	s := newSampler(t, examples, 4, 1)
	if s.Concepts() != 7 || s.ConceptsPerBatch() != 4 { // the third concept has one example, the eighth none
		t.Errorf("%d concepts, %d per batch; want 7 and 4", s.Concepts(), s.ConceptsPerBatch())
	}
	if few := newSampler(t, examplesOf(3, 3, 1), 16, 1); few.ConceptsPerBatch() != 2 || len(few.Batch(5)) != 4 {
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
			if a.Concept != b.Concept || a.Example == b.Example {
				t.Fatalf("batch %d: rows %v and %v are not a pair", number, a, b)
			}
			if seen[a.Concept] {
				t.Fatalf("batch %d: concept %s is sampled twice", number, a.Concept)
			}
			seen[a.Concept] = true
			for _, row := range []BatchItem{a, b} {
				if !slices.Contains(examples[row.Example].Concepts, row.Concept) {
					t.Fatalf("batch %d: example %+v sampled for %s", number, examples[row.Example], row.Concept)
				}
			}
		}
	}
}

// TestSamplerBalance checks that concepts are sampled equally often whatever their
// number of examples, and so are the examples of a concept.
func TestSamplerBalance(t *testing.T) {
	counts := []int{2, 3, 10, 25, 4, 2, 5, 8, 2, 3}
	s := newSampler(t, examplesOf(counts...), 3, 42)
	concepts := make(map[kb.ConceptID]int)
	sampled := make(map[int]int)
	// 10 concepts make 3 batches of 3 per epoch; one concept waits for the next.
	const epochs = 4000
	for number := range epochs * 3 {
		for _, row := range s.Batch(number) {
			concepts[row.Concept]++
			sampled[row.Example]++
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
			// A pass leaves out an example at random if n is odd, and an epoch leaves out a
			// concept. The deviation is below that of independent samples.
			if math.Abs(float64(sampled[i])-want) > 4*math.Sqrt(want) {
				t.Errorf("example %d of concept %d is sampled %d times, want about %.0f", i-first, c, sampled[i], want)
			}
		}
		first += n
	}
}

// TestSamplerWithoutReplacement checks that an epoch samples no concept twice, and that
// a pass of n/2 epochs samples none of n examples twice.
func TestSamplerWithoutReplacement(t *testing.T) {
	s := newSampler(t, examplesOf(7, 7, 7, 7), 4, 9) // an epoch is a batch, a pass 3 epochs
	for pass := range 50 {
		sampled := make(map[int]int)
		for epoch := range 3 {
			for _, row := range s.Batch(3*pass + epoch) {
				sampled[row.Example]++
			}
		}
		if len(sampled) != 4*6 {
			t.Fatalf("pass %d samples %d examples, want 6 of each of 4 concepts, none twice", pass, len(sampled))
		}
	}
}

// TestSamplerPairsChange checks that passes and seeds pair the examples of a concept in
// different ways, and that two concepts with as many examples do not go through them
// in step.
func TestSamplerPairsChange(t *testing.T) {
	partners := make(map[[2]int]bool)
	inStep, batches := 0, 0
	for seed := range uint64(5) {
		s := newSampler(t, examplesOf(6, 6), 2, seed) // examples 0 to 5 and 6 to 11
		for number := range 60 {
			batch := s.Batch(number)
			for rows := range slices.Chunk(batch, 2) {
				a, b := rows[0].Example, rows[1].Example
				partners[[2]int{min(a, b), max(a, b)}] = true
			}
			batches++
			if batch[0].Example%6 == batch[2].Example%6 && batch[1].Example%6 == batch[3].Example%6 {
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

// TestSamplerDeterministic checks that a batch depends on the examples and not on their
// order, on the batches before it or on other samplers.
func TestSamplerDeterministic(t *testing.T) {
	examples := examplesOf(5, 2, 8, 3, 30, 2, 2)
	examples = append(examples, examples[3]) // given twice
	keys := func(examples []Example, batch []BatchItem) []string {
		var keys []string
		for _, row := range batch {
			keys = append(keys, examples[row.Example].Key+" as "+string(row.Concept))
		}
		return keys
	}
	inOrder := newSampler(t, examples, 3, 1)
	want := make(map[int][]string)
	for number := range 100 {
		want[number] = keys(examples, inOrder.Batch(number))
	}
	for seed := range uint64(5) {
		shuffled := slices.Clone(examples)
		random := rand.New(rand.NewPCG(seed, 0))
		random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		s := newSampler(t, shuffled, 3, 1)
		for _, number := range random.Perm(100) {
			if diff := cmp.Diff(want[number], keys(shuffled, s.Batch(number))); diff != "" {
				t.Fatalf("batch %d of examples shuffled with seed %d (-in order +shuffled):\n%s", number, seed, diff)
			}
		}
	}
	other := newSampler(t, examples, 3, 2)
	same := 0
	for number := range 100 {
		if slices.Equal(want[number], keys(examples, other.Batch(number))) {
			same++
		}
	}
	if same > 5 {
		t.Errorf("%d of 100 batches are the same under another seed", same)
	}
}

func TestNewSamplerErrors(t *testing.T) {
	repeated := examplesOf(2, 1)
	repeated = append(repeated, repeated[2]) // still one example
	for _, test := range []struct {
		examples         []Example
		conceptsPerBatch int
		want             string
	}{
		{examplesOf(2, 2), 1, "sampler: concepts per batch is 1, want 2 or more"},
		{nil, 2, "sampler: 0 of 0 concepts have two examples or more, want at least 2 such concepts for positives and negatives"},
		{repeated, 2, "sampler: 1 of 2 concepts have two examples or more, want at least 2 such concepts for positives and negatives"},
	} {
		if _, err := NewSampler(test.examples, test.conceptsPerBatch, 1); err == nil || err.Error() != test.want {
			t.Errorf("error %v, want %s", err, test.want)
		}
	}
}

func TestExamples(t *testing.T) {
	doc := &text.Document{ID: "12", Text: "Pain. Renal pain and pain."}
	exemplar := func(start, end int, sentence text.Span) text.Exemplar {
		m := text.Mention{Span: text.Span{Start: start, End: end}, Concepts: []kb.ConceptID{"a", "b"}}
		return text.Exemplar{Query: text.Query{Document: doc, Mention: m, Sentence: sentence}}
	}
	second := text.Span{Start: 6, End: 26}
	examples := Examples([]text.Exemplar{
		exemplar(0, 4, text.Span{Start: 0, End: 5}),
		exemplar(6, 16, second),
		exemplar(12, 16, second),
		exemplar(21, 25, second),
		text.NameExemplar("pain", "a"),
		text.NameExemplar("fever", "a"),
		// The same sentence as a document of its own, as in the corpus.
		{Query: text.Query{Document: &text.Document{ID: "12", Text: second.Of(doc.Text)},
			Mention: text.Mention{Span: text.Span{Start: 0, End: 10}}, Sentence: text.Span{Start: 0, End: 20}}},
	})
	if examples[6].Key != examples[1].Key {
		t.Errorf("keys %q and %q for one mention, want the same", examples[6].Key, examples[1].Key)
	}
	keys := make(map[string]bool)
	for _, example := range examples[:6] {
		keys[example.Key] = true
	}
	if len(keys) != 6 {
		t.Errorf("keys %q, want 6 different ones", slices.Sorted(maps.Keys(keys)))
	}
	if diff := cmp.Diff([]kb.ConceptID{"a", "b"}, examples[2].Concepts); diff != "" {
		t.Errorf("concepts (-want +got):\n%s", diff)
	}
}

// TestPairsHaveDifferentNames has the concept "b", of which at most half of the examples
// have the same name, so that all pairs can have different names; and "a", of which 5
// of 7 examples have one name, so that not all pairs can.
func TestPairsHaveDifferentNames(t *testing.T) {
	var examples []Example
	add := func(concept kb.ConceptID, name string, n int) {
		for i := range n {
			examples = append(examples, Example{Key: fmt.Sprintf("%s %s %d", concept, name, i), Concepts: []kb.ConceptID{concept}, Name: name})
		}
	}
	add("a", "frequent", 5)
	add("a", "rare", 2)
	add("b", "one", 10)
	add("b", "two", 6)
	add("b", "three", 4)
	s := newSampler(t, examples, 2, 1)
	sampled := make(map[int]int)
	for number := range 300 {
		batch := s.Batch(number)
		for i := 0; i < len(batch); i += 2 {
			first, second := examples[batch[i].Example], examples[batch[i+1].Example]
			sampled[batch[i].Example]++
			sampled[batch[i+1].Example]++
			if batch[i].Example == batch[i+1].Example {
				t.Fatalf("batch %d: %q twice", number, first.Key)
			}
			if batch[i].Concept == "b" && first.Name == second.Name {
				t.Errorf("batch %d: two examples named %q", number, first.Name)
			}
		}
	}
	// 300 pairs are 600 examples. Each of the 20 examples of b is sampled 600/20 = 30
	// times, each of the 7 of a 600/7 = 86 times, apart from the one that each pass
	// leaves out: 600/7 -+ 600/7/6.
	for i := range examples {
		want, slack := 30, 0
		if examples[i].Concepts[0] == "a" {
			want, slack = 86, 15
		}
		if sampled[i] < want-slack || sampled[i] > want+slack {
			t.Errorf("%q is sampled %d times, want %d -+ %d", examples[i].Key, sampled[i], want, slack)
		}
	}
}
