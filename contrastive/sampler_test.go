package contrastive

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"

	"ctxnorm"

	"github.com/google/go-cmp/cmp"
)

// itemsOf has counts[c] items of concept c.
func itemsOf(counts ...int) []Item {
	var items []Item
	for c, n := range counts {
		for i := range n {
			items = append(items, Item{Key: fmt.Sprintf("%d/%d", c, i), Concepts: []ctxnorm.ConceptID{ctxnorm.ConceptID(strconv.Itoa(c))}})
		}
	}
	return items
}

func newSampler(t testing.TB, items []Item, pairs int, seed uint64) *Sampler {
	t.Helper()
	s, err := NewSampler(items, pairs, seed)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSamplerBatch(t *testing.T) {
	items := itemsOf(2, 3, 1, 7, 40, 5, 2, 0, 9)
	items = append(items, Item{Key: "ambiguous", Concepts: []ctxnorm.ConceptID{"0", "3", "3", ""}})
	s := newSampler(t, items, 4, 1)
	if s.Concepts() != 7 || s.Single() != 1 || s.Pairs() != 4 {
		t.Errorf("%d concepts, %d single, %d pairs; want 7, 1 and 4", s.Concepts(), s.Single(), s.Pairs())
	}
	for number := range 500 {
		batch := s.Batch(number)
		if len(batch) != 8 {
			t.Fatalf("batch %d has %d rows, want 8", number, len(batch))
		}
		seen := make(map[ctxnorm.ConceptID]bool)
		for i := 0; i < len(batch); i += 2 {
			a, b := batch[i], batch[i+1]
			if a.Concept != b.Concept || a.Item == b.Item {
				t.Fatalf("batch %d: rows %v and %v are no pair", number, a, b)
			}
			if seen[a.Concept] {
				t.Fatalf("batch %d: concept %s is drawn twice", number, a.Concept)
			}
			seen[a.Concept] = true
			for _, row := range []Draw{a, b} {
				if !slices.Contains(items[row.Item].Concepts, row.Concept) {
					t.Fatalf("batch %d: item %+v drawn for %s", number, items[row.Item], row.Concept)
				}
			}
		}
	}
}

// Concepts are drawn equally often whatever their number of items, and so are
// the items of a concept.
func TestSamplerBalance(t *testing.T) {
	counts := []int{2, 3, 10, 25, 4, 2, 5, 8, 2, 3}
	s := newSampler(t, itemsOf(counts...), 3, 42)
	concepts := make(map[ctxnorm.ConceptID]int)
	drawn := make(map[int]int)
	// 10 concepts make 3 batches an epoch, and one concept waits.
	const epochs = 4000
	for number := range epochs * 3 {
		for _, row := range s.Batch(number) {
			concepts[row.Concept]++
			drawn[row.Item]++
		}
	}
	for id, rows := range concepts {
		// Drawn in an epoch with probability .9: mean 3,600, deviation sqrt(4000 .9 .1) = 19.
		if pairs := rows / 2; math.Abs(float64(pairs)-0.9*epochs) > 4*19 {
			t.Errorf("concept %s is drawn %d times, want about %v", id, pairs, 0.9*epochs)
		}
	}
	first := 0
	for c, n := range counts {
		want := 0.9 * epochs * 2 / float64(n)
		for i := first; i < first+n; i++ {
			// A pass leaves an item out at random where n is odd, and an epoch
			// a concept: the deviation is below that of independent draws.
			if math.Abs(float64(drawn[i])-want) > 4*math.Sqrt(want) {
				t.Errorf("item %d of concept %d is drawn %d times, want about %.0f", i-first, c, drawn[i], want)
			}
		}
		first += n
	}
}

// Within an epoch no concept comes twice, and of n items a pass of n/2 epochs
// draws none twice.
func TestSamplerWithoutReplacement(t *testing.T) {
	s := newSampler(t, itemsOf(7, 7, 7, 7), 4, 9) // an epoch is a batch, a pass 3 epochs
	for pass := range 50 {
		drawn := make(map[int]int)
		for epoch := range 3 {
			for _, row := range s.Batch(3*pass + epoch) {
				drawn[row.Item]++
			}
		}
		if len(drawn) != 4*6 {
			t.Fatalf("pass %d draws %d items, want 6 of each of 4 concepts, none twice", pass, len(drawn))
		}
	}
}

// Other passes and other seeds pair the items of a concept otherwise, and two
// concepts of as many items do not go through them in step.
func TestSamplerPairsChange(t *testing.T) {
	partners := make(map[[2]int]bool)
	inStep, batches := 0, 0
	for seed := range uint64(5) {
		s := newSampler(t, itemsOf(6, 6), 2, seed) // items 0 to 5 and 6 to 11
		for number := range 60 {
			batch := s.Batch(number)
			for rows := range slices.Chunk(batch, 2) {
				a, b := rows[0].Item, rows[1].Item
				partners[[2]int{min(a, b), max(a, b)}] = true
			}
			batches++
			if batch[0].Item%6 == batch[2].Item%6 && batch[1].Item%6 == batch[3].Item%6 {
				inStep++
			}
		}
	}
	if want := 2 * 15; len(partners) != want { // 6 choose 2, of each concept
		t.Errorf("%d different pairs, want %d", len(partners), want)
	}
	if inStep > batches/10 { // 1 in 30 by chance
		t.Errorf("%d of %d batches draw the same places of both concepts", inStep, batches)
	}
}

// A batch depends on what the items are, and not on their order, on the batches
// before it or on other samplers.
func TestSamplerDeterministic(t *testing.T) {
	items := itemsOf(5, 2, 8, 3, 30, 2, 2)
	items = append(items, items[3]) // given twice
	keys := func(items []Item, batch []Draw) []string {
		var keys []string
		for _, row := range batch {
			keys = append(keys, items[row.Item].Key+" as "+string(row.Concept))
		}
		return keys
	}
	inOrder := newSampler(t, items, 3, 1)
	want := make(map[int][]string)
	for number := range 100 {
		want[number] = keys(items, inOrder.Batch(number))
	}
	for seed := range uint64(5) {
		shuffled := slices.Clone(items)
		random := rand.New(rand.NewPCG(seed, 0))
		random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		s := newSampler(t, shuffled, 3, 1)
		for _, number := range random.Perm(100) {
			if diff := cmp.Diff(want[number], keys(shuffled, s.Batch(number))); diff != "" {
				t.Fatalf("batch %d of items shuffled by seed %d (-in order +shuffled):\n%s", number, seed, diff)
			}
		}
	}
	other := newSampler(t, items, 3, 2)
	same := 0
	for number := range 100 {
		if slices.Equal(want[number], keys(items, other.Batch(number))) {
			same++
		}
	}
	if same > 5 {
		t.Errorf("%d of 100 batches are the same under another seed", same)
	}
}

func TestSamplerConcurrent(t *testing.T) {
	items := itemsOf(4, 4, 4, 4, 4)
	alone, shared := newSampler(t, items, 2, 1), newSampler(t, items, 2, 1)
	want := make([][]Draw, 200)
	for number := range want {
		want[number] = alone.Batch(number)
	}
	var group sync.WaitGroup
	for worker := range 4 {
		group.Go(func() {
			for _, number := range rand.New(rand.NewPCG(uint64(worker), 0)).Perm(len(want)) {
				if !slices.Equal(shared.Batch(number), want[number]) {
					t.Errorf("batch %d differs when others are drawn at the same time", number)
				}
			}
		})
	}
	group.Wait()
}

func TestSamplerFewConcepts(t *testing.T) {
	s := newSampler(t, itemsOf(3, 3, 1), 16, 1)
	if s.Pairs() != 2 || len(s.Batch(5)) != 4 {
		t.Errorf("%d pairs and %d rows of 2 concepts, want 2 and 4", s.Pairs(), len(s.Batch(5)))
	}
}

func TestNewSamplerErrors(t *testing.T) {
	repeated := itemsOf(2, 1)
	repeated = append(repeated, repeated[2]) // still one item
	for _, test := range []struct {
		items []Item
		pairs int
		want  string
	}{
		{itemsOf(2, 2), 1, "sampler: 1 pairs a batch, want 2 or more"},
		{nil, 2, "sampler: 0 of 0 concepts have two items or more, want at least 2 to draw positives and negatives"},
		{repeated, 2, "sampler: 1 of 2 concepts have two items or more, want at least 2 to draw positives and negatives"},
	} {
		if _, err := NewSampler(test.items, test.pairs, 1); err == nil || err.Error() != test.want {
			t.Errorf("error %v, want %s", err, test.want)
		}
	}
}

func TestItems(t *testing.T) {
	doc := &ctxnorm.Document{ID: "12", Text: "Pain. Renal pain and pain."}
	exemplar := func(start, end int, sentence ctxnorm.Span) ctxnorm.Exemplar {
		m := ctxnorm.Mention{Span: ctxnorm.Span{Start: start, End: end}, Concepts: []ctxnorm.ConceptID{"a", "b"}}
		return ctxnorm.Exemplar{Query: ctxnorm.Query{Document: doc, Mention: m, Sentence: sentence}}
	}
	second := ctxnorm.Span{Start: 6, End: 26}
	items := Items([]ctxnorm.Exemplar{
		exemplar(0, 4, ctxnorm.Span{Start: 0, End: 5}),
		exemplar(6, 16, second),
		exemplar(12, 16, second),
		exemplar(21, 25, second),
		ctxnorm.NameExemplar("pain", "a"),
		ctxnorm.NameExemplar("fever", "a"),
		// The same sentence in a document of its own, as the corpus has it.
		{Query: ctxnorm.Query{Document: &ctxnorm.Document{ID: "12", Text: second.Of(doc.Text)},
			Mention: ctxnorm.Mention{Span: ctxnorm.Span{Start: 0, End: 10}}, Sentence: ctxnorm.Span{Start: 0, End: 20}}},
	})
	if items[6].Key != items[1].Key {
		t.Errorf("keys %q and %q of one mention", items[6].Key, items[1].Key)
	}
	keys := make(map[string]bool)
	for _, item := range items[:6] {
		keys[item.Key] = true
	}
	if len(keys) != 6 {
		t.Errorf("keys %q, want 6 different ones", slices.Sorted(maps.Keys(keys)))
	}
	if diff := cmp.Diff([]ctxnorm.ConceptID{"a", "b"}, items[2].Concepts); diff != "" {
		t.Errorf("concepts (-want +got):\n%s", diff)
	}
}

func BenchmarkSampler(b *testing.B) {
	// 4,000 concepts of up to 200 contexts.
	random := rand.New(rand.NewPCG(1, 0))
	counts := make([]int, 4000)
	for i := range counts {
		counts[i] = 2 + random.IntN(199)
	}
	s := newSampler(b, itemsOf(counts...), 16, 1)
	number := 0
	for b.Loop() {
		s.Batch(number)
		number++
	}
}

// TestPairsHaveDifferentNames: of a concept's items at most half have one name, so
// that each can be paired with one of another name, but for "a", where 5 of 7
// have one and 1 of 3 pairs at least cannot.
func TestPairsHaveDifferentNames(t *testing.T) {
	var items []Item
	add := func(concept ctxnorm.ConceptID, name string, n int) {
		for i := range n {
			items = append(items, Item{Key: fmt.Sprintf("%s %s %d", concept, name, i), Concepts: []ctxnorm.ConceptID{concept}, Name: name})
		}
	}
	add("a", "frequent", 5)
	add("a", "rare", 2)
	add("b", "one", 10)
	add("b", "two", 6)
	add("b", "three", 4)
	s, err := NewSampler(items, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	drawn := make(map[int]int)
	for number := range 300 {
		batch := s.Batch(number)
		for i := 0; i < len(batch); i += 2 {
			first, second := items[batch[i].Item], items[batch[i+1].Item]
			drawn[batch[i].Item]++
			drawn[batch[i+1].Item]++
			if batch[i].Item == batch[i+1].Item {
				t.Fatalf("batch %d: %q twice", number, first.Key)
			}
			if batch[i].Concept == "b" && first.Name == second.Name {
				t.Errorf("batch %d: two items of %q", number, first.Name)
			}
		}
	}
	// 300 pairs are 600 items: each of the 20 of b comes 600/20 = 30 times, each of
	// the 7 of a 600/7 = 86 times but for the one left out of a pass: 600/7 -+ 600/7/6.
	for i := range items {
		want, slack := 30, 0
		if items[i].Concepts[0] == "a" {
			want, slack = 86, 15
		}
		if drawn[i] < want-slack || drawn[i] > want+slack {
			t.Errorf("%q is drawn %d times, want %d -+ %d", items[i].Key, drawn[i], want, slack)
		}
	}
}
