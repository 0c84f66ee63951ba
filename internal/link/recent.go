package link

import (
	"strings"
	"sync"
)

// recent remembers a value for each of the wordings that were asked for last, of which running
// text repeats a few often. It is safe for concurrent use.
type recent[V any] struct {
	size int // wordings after which a generation ends

	mu       sync.Mutex
	now, old map[string]V // the generation at hand and the one before
}

func newRecent[V any](size int) *recent[V] {
	return &recent[V]{size: size, now: make(map[string]V)}
}

// get returns the value of a wording, and false if it is not remembered.
func (r *recent[V]) get(wording string) (V, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	value, known := r.now[wording]
	if !known {
		if value, known = r.old[wording]; known {
			r.add(wording, value)
		}
	}
	return value, known
}

// set remembers the value of a wording.
func (r *recent[V]) set(wording string, value V) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.add(wording, value)
}

// add adds a wording to the generation at hand, and forgets the older one if that is full.
func (r *recent[V]) add(wording string, value V) {
	if len(r.now) == r.size {
		r.old, r.now = r.now, make(map[string]V)
	}
	r.now[strings.Clone(wording)] = value // the wording may be a part of a long text
}
