package corpus

import (
	"bufio"
	"container/heap"
	"context"
	"encoding/gob"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"github.com/klauspost/compress/s2"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
)

// sortedSeq is a sequence in order. An error ends it.
type sortedSeq[T any] = iter.Seq2[T, error]

// runBlockSize is the size of the blocks of a run, in bytes.
const runBlockSize = 256 << 10

// writeRun writes a run: values of a shard, or of a merge, that are read twice, right away and only by this program. It
// is a stream of gob, compressed with S2, whose blocks have checksums. Parquet takes several times as long.
func writeRun[T any](path string, values sortedSeq[*T]) error {
	file, err := artifact.Create(path)
	if err != nil {
		return err
	}
	defer file.Discard()
	compressed := s2.NewWriter(file, s2.WriterConcurrency(1), s2.WriterBlockSize(runBlockSize))
	encoder := gob.NewEncoder(compressed)
	for value, err := range values {
		if err == nil {
			err = encoder.Encode(value)
		}
		if err != nil {
			return err
		}
	}
	if err := compressed.Close(); err != nil {
		return err
	}
	return file.Commit()
}

// readRun returns the values of a run, each in memory of its own. A damaged file yields an [*files.DamagedError],
// unless it is cut off between two blocks and two values: openShard compares whole files with their checksums.
func readRun[T any](path string) sortedSeq[*T] {
	return func(yield func(*T, error) bool) {
		f, err := os.Open(path)
		if err != nil {
			yield(nil, err)
			return
		}
		defer f.Close()
		decoder := gob.NewDecoder(bufio.NewReader(s2.NewReader(f, s2.ReaderMaxBlockSize(runBlockSize))))
		for {
			value := new(T)
			switch err := decoder.Decode(value); {
			case err == io.EOF:
				return
			case err != nil:
				yield(nil, artifact.Damaged(path, "%v", err))
				return
			}
			if !yield(value, nil) {
				return
			}
		}
	}
}

// valuesOf returns the values as a sequence.
func valuesOf[T any](values []T) sortedSeq[*T] {
	return func(yield func(*T, error) bool) {
		for i := range values {
			if !yield(&values[i], nil) {
				return
			}
		}
	}
}

// maxFanIn is how many files are merged at a time, each with about 1.5 MB of
// buffers. Two levels merge 40 * 40 = 1,600 files, more than PubMed has in a year.
const maxFanIn = 40

// mergeSorted returns the k-way merge of sorted sequences, in O(log k) comparisons per element. If there are more than
// maxFanIn sequences, it is an external merge: groups of maxFanIn are first merged into runs in the folder dir, whose
// names end in suffix. So memory is that of maxFanIn open files, whatever their number and size.
func mergeSorted[T any](ctx context.Context, dir, suffix string, compare func(a, b *T) int,
	inputs []sortedSeq[*T]) sortedSeq[*T] {
	return func(yield func(*T, error) bool) {
		var paths []string
		defer func() {
			for _, path := range paths {
				_ = artifact.Remove(path) // its folder is removed in the end
			}
		}()
		inputs := inputs // an iteration does not change those of the next
		for len(inputs) > maxFanIn {
			var merged []sortedSeq[*T]
			for group := range slices.Chunk(inputs, maxFanIn) {
				path := filepath.Join(dir, fmt.Sprintf("merged-%d.%s", len(paths), suffix))
				paths, merged = append(paths, path), append(merged, readRun[T](path))
				if err := writeRun(path, mergeOnce(ctx, compare, group)); err != nil {
					yield(nil, err)
					return
				}
			}
			inputs = merged
		}
		mergeOnce(ctx, compare, inputs)(yield)
	}
}

// mergeOnce merges sequences that are all open at the same time.
func mergeOnce[T any](ctx context.Context, compare func(a, b *T) int, inputs []sortedSeq[*T]) sortedSeq[*T] {
	return func(yield func(*T, error) bool) {
		h := mergeHeap[T]{compare: compare}
		defer h.stop()
		for _, seq := range inputs {
			c := new(cursor[T])
			c.next, c.stop = iter.Pull2(seq)
			h.cursors = append(h.cursors, c)
			if err := c.advance(); err != nil {
				yield(nil, err)
				return
			}
		}
		h.cursors = slices.DeleteFunc(h.cursors, func(c *cursor[T]) bool { return c.value == nil })
		heap.Init(&h)
		for h.Len() > 0 {
			first := h.cursors[0]
			err := ctx.Err()
			if err == nil {
				if !yield(first.value, nil) {
					return
				}
				err = first.advance()
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if first.value != nil {
				heap.Fix(&h, 0)
			} else {
				heap.Pop(&h)
			}
		}
	}
}

// cursor is the position of a merge in one sequence.
type cursor[T any] struct {
	value *T // nil at the end
	next  func() (*T, error, bool)
	stop  func()
}

// advance moves to the next element.
func (c *cursor[T]) advance() (err error) {
	c.value, err, _ = c.next()
	return err
}

// mergeHeap is a [heap.Interface] with the smallest current element on top.
type mergeHeap[T any] struct {
	compare func(a, b *T) int
	cursors []*cursor[T]
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
