package corpus

import (
	"bufio"
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

// sortedSeq is a sorted sequence. An error ends it.
type sortedSeq[T any] = iter.Seq2[T, error]

// mapped returns the results of f for each value. An error of either ends the sequence.
func mapped[T, U any](values iter.Seq2[T, error], f func(T) (U, error)) iter.Seq2[U, error] {
	return func(yield func(U, error) bool) {
		for value, err := range values {
			var result U
			if err == nil {
				result, err = f(value)
			}
			if !yield(result, err) || err != nil {
				return
			}
		}
	}
}

// where returns the values for which keep reports true.
func where[T any](values iter.Seq2[T, error], keep func(T) bool) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for value, err := range values {
			if (err != nil || keep(value)) && (!yield(value, err) || err != nil) {
				return
			}
		}
	}
}

// runBlockSize is the size of the blocks of a run, in bytes.
const runBlockSize = 256 << 10

// writeRun writes a run and returns the number of its values. A run is an intermediate file of a shard or a merge that
// only this program reads, soon and twice. It is a stream of gob compressed with S2, whose blocks have checksums.
// Parquet takes several times as long.
func writeRun[T any](path string, values sortedSeq[*T]) (n int, err error) {
	file, err := artifact.Create(path)
	if err != nil {
		return 0, err
	}
	defer file.Discard()
	compressed := s2.NewWriter(file, s2.WriterConcurrency(1), s2.WriterBlockSize(runBlockSize))
	encoder := gob.NewEncoder(compressed)
	for value, err := range values {
		if err == nil {
			err = encoder.Encode(value)
		}
		if err != nil {
			return 0, err
		}
		n++
	}
	if err := compressed.Close(); err != nil {
		return 0, err
	}
	return n, file.Commit()
}

// readRun returns the values of a run, each in memory of its own. The run must have length values, or any number if
// length is negative. A damaged file yields a [*files.DamagedError], unless length is negative and the file is cut off
// between two blocks and two values: openShard compares whole files with their checksums.
func readRun[T any](path string, length int) sortedSeq[*T] {
	return func(yield func(*T, error) bool) {
		f, err := os.Open(path)
		if err != nil {
			yield(nil, err)
			return
		}
		defer f.Close()
		decoder := gob.NewDecoder(bufio.NewReader(s2.NewReader(f, s2.ReaderMaxBlockSize(runBlockSize))))
		for n := 0; ; n++ {
			value := new(T)
			switch err := decoder.Decode(value); {
			case err == io.EOF && (length < 0 || n == length):
				return
			case err != nil:
				yield(nil, artifact.Damaged(path, "after %d values: %v", n, err))
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

// maxFanIn is the number of files merged at a time, each with about 1.5 MB of buffers. Two levels merge 40 * 40 = 1,600
// files, more than PubMed has in a year.
const maxFanIn = 40

// mergeSorted returns the k-way merge of sorted sequences, in O(log k) comparisons per element. More than maxFanIn
// sequences are merged externally: groups of maxFanIn are first merged into runs in the folder dir, with names that end
// in suffix. So memory is that of maxFanIn open files, whatever the number and size of the sequences.
func mergeSorted[T any](ctx context.Context, dir, suffix string, compare func(a, b *T) int,
	inputs []sortedSeq[*T]) sortedSeq[*T] {
	return func(yield func(*T, error) bool) {
		var paths []string
		defer func() {
			for _, path := range paths {
				_ = artifact.Remove(path) // its folder is removed in the end
			}
		}()
		inputs := inputs // an iteration must not change the sequences of the next
		for len(inputs) > maxFanIn {
			var merged []sortedSeq[*T]
			for group := range slices.Chunk(inputs, maxFanIn) {
				path := filepath.Join(dir, fmt.Sprintf("merged-%d.%s", len(paths), suffix))
				paths = append(paths, path)
				n, err := writeRun(path, mergeOnce(ctx, compare, group))
				if err != nil {
					yield(nil, err)
					return
				}
				merged = append(merged, readRun[T](path, n))
			}
			inputs = merged
		}
		mergeOnce(ctx, compare, inputs)(yield)
	}
}

// mergeOnce merges sequences that are all open at the same time.
func mergeOnce[T any](ctx context.Context, compare func(a, b *T) int, inputs []sortedSeq[*T]) sortedSeq[*T] {
	type cursor struct {
		value *T // the next one of a sequence
		next  func() (*T, error, bool)
	}
	return func(yield func(*T, error) bool) {
		var cursors []cursor // in the order of their values
		advance := func(next func() (*T, error, bool)) error {
			value, err, ok := next()
			if ok && err == nil {
				at, _ := slices.BinarySearchFunc(cursors, value, func(c cursor, v *T) int { return compare(c.value, v) })
				cursors = slices.Insert(cursors, at, cursor{value, next})
			}
			return err
		}
		for _, seq := range inputs {
			next, stop := iter.Pull2(seq)
			defer stop()
			if err := advance(next); err != nil {
				yield(nil, err)
				return
			}
		}
		for len(cursors) > 0 {
			first := cursors[0]
			if !yield(first.value, nil) {
				return
			}
			cursors = slices.Delete(cursors, 0, 1)
			err := ctx.Err()
			if err == nil {
				err = advance(first.next)
			}
			if err != nil {
				yield(nil, err)
				return
			}
		}
	}
}
