package lexical

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/kb"
)

// NameHit is a concept with the one of its names that is most similar to a query.
type NameHit struct {
	Concept kb.ConceptID
	Name    string  // as written in the dictionary; the first of several with the same score
	Score   float64 // similarity, above 0; 1 for a name that is equal in the compared form
	Longer  bool    // the name has a word unlike all query words and their synonyms: "bile reflux" for "reflux"
}

// onAllCores calls do for 0 to n-1 on all cores, in any order.
func onAllCores(n int, do func(i int)) {
	_ = parallel.For(context.Background(), n, 0, do) // it fails only if the context is done
}

// inOrder calls do for 0 to n-1 on all cores and passes each result to take, in order. It returns an error if ctx ends.
func inOrder[T any](ctx context.Context, n int, do func(i int) T, take func(i int, result T)) error {
	results := make([]T, min(n, 1<<12))
	for start := 0; start < n; start += len(results) {
		if err := parallel.Step(ctx, start, n); err != nil {
			return err
		}
		count := min(len(results), n-start)
		onAllCores(count, func(i int) { results[i] = do(start + i) })
		for i, result := range results[:count] {
			take(start+i, result)
		}
	}
	return nil
}

// tokenNumbers numbers tokens in the order of their first occurrence.
type tokenNumbers struct {
	numbers  map[string]int32
	distinct []string // by number
}

func newTokenNumbers() *tokenNumbers { return &tokenNumbers{numbers: make(map[string]int32)} }

// of returns the numbers of tokens and numbers new ones.
func (t *tokenNumbers) of(tokens []string) []int32 {
	numbers := make([]int32, len(tokens))
	for i, token := range tokens {
		number, known := t.numbers[token]
		if !known {
			number, token = int32(len(t.distinct)), strings.Clone(token) // the token may be a slice of a long text
			t.numbers[token] = number
			t.distinct = append(t.distinct, token)
		}
		numbers[i] = number
	}
	return numbers
}

// sorted appends the tokens to texts in alphabetical order and returns a map from old numbers to their positions.
func (t *tokenNumbers) sorted(texts *safetensors.Strings) (numbers []int32) {
	numbers = make([]int32, len(t.distinct))
	for number, token := range slices.Sorted(slices.Values(t.distinct)) {
		numbers[t.numbers[token]] = int32(number)
		texts.Append(token)
	}
	return numbers
}

// conceptScore is a concept with its best row.
type conceptScore struct {
	score   float32
	concept int32
	row     int32
	place   int32 // of the row, in the order of names
}

// compare orders by descending score, then by concept.
func (c conceptScore) compare(other conceptScore) int {
	return cmp.Or(cmp.Compare(other.score, c.score), cmp.Compare(c.concept, other.concept))
}

// topConcepts collects the k concepts with the highest scores. Equal scores are ordered by concept. A concept has the
// score of its best row, and of several best rows the first. The list is kept sorted by insertion: after the first few
// rows, hardly one in thousands beats the last entry.
type topConcepts struct {
	k     int
	least float32 // rows with a lower score cannot enter
	best  []conceptScore
}

// offer adds a row if it is good enough for the list.
func (t *topConcepts) offer(c conceptScore) {
	at := slices.IndexFunc(t.best, func(b conceptScore) bool { return b.concept == c.concept })
	if at < 0 && len(t.best) == t.k {
		if at = t.k - 1; t.k == 0 || c.compare(t.best[at]) > 0 {
			return
		}
	} else if at >= 0 && (c.score < t.best[at].score || c.score == t.best[at].score && c.place > t.best[at].place) {
		return
	}
	if at >= 0 {
		t.best = slices.Delete(t.best, at, at+1)
	}
	at, _ = slices.BinarySearchFunc(t.best, c, conceptScore.compare)
	t.best = slices.Insert(t.best, at, c)
	if len(t.best) == t.k {
		t.least = t.best[t.k-1].score
	}
}
