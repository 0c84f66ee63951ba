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

// NameHit is a concept with its name that is most similar to a query.
type NameHit struct {
	Concept kb.ConceptID
	Name    string  // as the dictionary writes it; the first of several that score the same
	Score   float64 // similarity, above 0; 1 for a name that is equal in the form compared
	Longer  bool    // the name has a word that is like none of the query, and no synonym of one: "bile reflux" for "reflux"
}

// onAllCores calls do for 0 up to n on all cores, in no order.
func onAllCores(n int, do func(i int)) {
	_ = parallel.For(context.Background(), n, 0, do) // fails only if the context is done
}

// inOrder calls do for 0 up to n on all cores, and take with each result in order, until ctx ends.
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

// of returns the numbers of tokens.
func (t *tokenNumbers) of(tokens []string) []int32 {
	numbers := make([]int32, len(tokens))
	for i, token := range tokens {
		number, known := t.numbers[token]
		if !known {
			number, token = int32(len(t.distinct)), strings.Clone(token) // which may be a part of a long text
			t.numbers[token] = number
			t.distinct = append(t.distinct, token)
		}
		numbers[i] = number
	}
	return numbers
}

// sorted appends the tokens to texts in their order, and returns their numbers in that order by the present ones.
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
	place   int32 // of the row in the order of names
}

// compare orders by descending score, then by concept.
func (c conceptScore) compare(other conceptScore) int {
	return cmp.Or(cmp.Compare(other.score, c.score), cmp.Compare(c.concept, other.concept))
}

// topConcepts collects the k concepts with the highest scores, ties in the order of concepts. The score of a concept is
// that of its best row, the first of those that score the same. The list stays sorted by insertion: after the first few,
// hardly one row in thousands scores above the last of them.
type topConcepts struct {
	k     int
	least float32 // no row below it enters
	best  []conceptScore
}

// offer adds a row unless it is worse than those that are there.
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
