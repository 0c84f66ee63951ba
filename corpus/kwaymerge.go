package corpus

import (
	"container/heap"
	"context"
	"fmt"
	"iter"
	"path/filepath"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// sortedSeq is a sequence in order. An error ends it. Each element is valid until
// the next one.
type sortedSeq[T any] = iter.Seq2[T, error]

// maxFanIn is how many files are merged at a time, each with about 1.5 MB of
// buffers. Two levels merge 40 * 40 = 1,600 files, more than PubMed has in a year.
const maxFanIn = 40

// kWayMerge merges sorted sequences with a heap, in O(log k) comparisons per
// element. If there are more than maxFanIn sequences, it is an external merge: groups of
// maxFanIn are first merged into intermediate files. So memory is that of maxFanIn open
// files, whatever their number and size.
type kWayMerge[T any] struct {
	compare func(a, b T) int
	write   func(path string, seq sortedSeq[T]) error // writes an intermediate file
	read    func(path string) sortedSeq[T]            // reads what write wrote
	dir     string                                    // of the intermediate files
	suffix  string                                    // of their names
}

// merge returns the k-way merge of sorted sequences.
func (m *kWayMerge[T]) merge(ctx context.Context, inputs []sortedSeq[T]) sortedSeq[T] {
	return func(yield func(T, error) bool) {
		var paths []string
		defer func() {
			for _, path := range paths {
				_ = artifact.Remove(path) // its folder is removed in the end
			}
		}()
		inputs := inputs // an iteration does not change those of the next
		for len(inputs) > maxFanIn {
			var merged []sortedSeq[T]
			for group := range slices.Chunk(inputs, maxFanIn) {
				path := filepath.Join(m.dir, fmt.Sprintf("merged-%d.%s", len(paths), m.suffix))
				paths, merged = append(paths, path), append(merged, m.read(path))
				if err := m.write(path, m.mergeOnce(ctx, group)); err != nil {
					var zero T
					yield(zero, err)
					return
				}
			}
			inputs = merged
		}
		m.mergeOnce(ctx, inputs)(yield)
	}
}

// mergeOnce merges sequences that are all open at the same time.
func (m *kWayMerge[T]) mergeOnce(ctx context.Context, inputs []sortedSeq[T]) sortedSeq[T] {
	return func(yield func(T, error) bool) {
		var zero T
		h := mergeHeap[T]{compare: m.compare}
		defer h.stop()
		for _, seq := range inputs {
			if err := h.add(seq); err != nil {
				yield(zero, err)
				return
			}
		}
		heap.Init(&h)
		for h.Len() > 0 {
			if err := ctx.Err(); err != nil {
				yield(zero, err)
				return
			}
			first := h.cursors[0]
			if !yield(first.value, nil) {
				return
			}
			if ok, err := first.advance(); err != nil {
				yield(zero, err)
				return
			} else if ok {
				heap.Fix(&h, 0)
			} else {
				heap.Pop(&h)
			}
		}
	}
}

// cursor is the position of a merge in one sequence.
type cursor[T any] struct {
	value T
	next  func() (T, error, bool)
	stop  func()
}

// advance moves to the next element and reports whether there is one.
func (c *cursor[T]) advance() (bool, error) {
	value, err, ok := c.next()
	c.value = value
	return ok && err == nil, err
}

// mergeHeap is a [heap.Interface] with the smallest current element on top.
type mergeHeap[T any] struct {
	compare func(a, b T) int
	cursors []*cursor[T]
}

// add appends a sequence, unless it is empty. The caller calls [heap.Init].
func (h *mergeHeap[T]) add(seq sortedSeq[T]) error {
	c := &cursor[T]{}
	c.next, c.stop = iter.Pull2(seq)
	ok, err := c.advance()
	if !ok {
		c.stop() // closes the file if there was an error
		return err
	}
	h.cursors = append(h.cursors, c)
	return nil
}

func (h *mergeHeap[T]) Len() int { return len(h.cursors) }
func (h *mergeHeap[T]) Less(i, j int) bool {
	return h.compare(h.cursors[i].value, h.cursors[j].value) < 0
}
func (h *mergeHeap[T]) Swap(i, j int) { h.cursors[i], h.cursors[j] = h.cursors[j], h.cursors[i] }
func (h *mergeHeap[T]) Push(x any)    { h.cursors = append(h.cursors, x.(*cursor[T])) }

// Pop removes the last cursor, whose sequence has ended.
func (h *mergeHeap[T]) Pop() any {
	last := len(h.cursors) - 1
	c := h.cursors[last]
	h.cursors = h.cursors[:last]
	return c
}

// stop closes the sequences that have not ended.
func (h *mergeHeap[T]) stop() {
	for _, c := range h.cursors {
		c.stop()
	}
}
