package corpus

import (
	"container/heap"
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
)

// sorted is some of T in order, or an error and no more. Each is good until the
// next.
type sorted[T any] = iter.Seq2[T, error]

// mostOpen is how many files are merged at once, each in some 1.5 MB of memory.
// Twice over it is 1,600 files, more than PubMed has in a year.
const mostOpen = 40

// merger merges what the sources of a corpus have, in order themselves, as it is
// read. So memory is that of mostOpen files, however many there are and whatever
// is in them: where there are more, as many at a time are first merged into a file.
type merger[T any] struct {
	compare func(a, b T) int
	write   func(path string, some sorted[T]) error
	read    func(path string) sorted[T] // what write wrote
	dir     string                      // of those files
	name    string                      // that theirs end with
}

// merge gives what all give, in order.
func (m *merger[T]) merge(ctx context.Context, all []sorted[T]) sorted[T] {
	return func(yield func(T, error) bool) {
		var paths []string
		defer func() {
			for _, path := range paths {
				os.Remove(path)
			}
		}()
		all := all // each time anew
		for len(all) > mostOpen {
			var fewer []sorted[T]
			for some := range slices.Chunk(all, mostOpen) {
				path := filepath.Join(m.dir, fmt.Sprintf("merged-%d.%s", len(paths), m.name))
				paths, fewer = append(paths, path), append(fewer, m.read(path))
				if err := m.write(path, m.merged(ctx, some)); err != nil {
					var none T
					yield(none, err)
					return
				}
			}
			all = fewer
		}
		m.merged(ctx, all)(yield)
	}
}

// merged gives what all give, in order, with all of them open.
func (m *merger[T]) merged(ctx context.Context, all []sorted[T]) sorted[T] {
	return func(yield func(T, error) bool) {
		var none T
		open := cursors[T]{compare: m.compare}
		defer open.stop()
		for _, some := range all {
			if err := open.add(some); err != nil {
				yield(none, err)
				return
			}
		}
		heap.Init(&open)
		for open.Len() > 0 {
			if err := ctx.Err(); err != nil {
				yield(none, err)
				return
			}
			first := open.all[0]
			if !yield(first.at, nil) {
				return
			}
			if ok, err := first.advance(); err != nil {
				yield(none, err)
				return
			} else if ok {
				heap.Fix(&open, 0)
			} else {
				heap.Pop(&open)
			}
		}
	}
}

// cursor is where a merge is in one source.
type cursor[T any] struct {
	at   T
	next func() (T, error, bool)
	stop func()
}

// advance goes to the next one, and reports whether there is one.
func (c *cursor[T]) advance() (bool, error) {
	at, err, ok := c.next()
	c.at = at
	return ok && err == nil, err
}

// cursors is a heap with the first in order on top.
type cursors[T any] struct {
	compare func(a, b T) int
	all     []*cursor[T]
}

// add adds a source, unless it has nothing.
func (c *cursors[T]) add(some sorted[T]) error {
	cur := &cursor[T]{}
	cur.next, cur.stop = iter.Pull2(some)
	ok, err := cur.advance()
	if ok {
		c.all = append(c.all, cur)
	}
	return err
}

func (c *cursors[T]) Len() int           { return len(c.all) }
func (c *cursors[T]) Less(i, j int) bool { return c.compare(c.all[i].at, c.all[j].at) < 0 }
func (c *cursors[T]) Swap(i, j int)      { c.all[i], c.all[j] = c.all[j], c.all[i] }
func (c *cursors[T]) Push(x any)         { c.all = append(c.all, x.(*cursor[T])) }

// Pop takes the last one off, which has come to its end.
func (c *cursors[T]) Pop() any {
	last := len(c.all) - 1
	top := c.all[last]
	c.all = c.all[:last]
	return top
}

// stop closes the files of those that have not come to their end.
func (c *cursors[T]) stop() {
	for _, cur := range c.all {
		cur.stop()
	}
}
