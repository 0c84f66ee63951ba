package corpus

import "slices"

// sample keeps the smallest hashes of every name: which sentences stand for it.
// Hashes offered again count once, and the order of offers does not matter.
//
// Memory is size hashes of 8 bytes for every name that was offered.
type sample struct {
	size  int
	names map[string]*smallest
}

func newSample(size int) *sample {
	return &sample{size: size, names: make(map[string]*smallest)}
}

// offer reports whether hash is now among the smallest of name. A later offer
// may push it out again.
func (s *sample) offer(name string, hash uint64) bool {
	kept := s.names[name]
	if kept == nil {
		kept = new(smallest)
		s.names[name] = kept
	}
	switch {
	case len(*kept) == s.size && hash >= (*kept)[0]:
		return hash == (*kept)[0]
	case slices.Contains(*kept, hash):
	case len(*kept) < s.size:
		kept.push(hash)
	default:
		kept.replaceLargest(hash)
	}
	return true
}

// join offers all that another sample keeps.
func (s *sample) join(other *sample) {
	for name, kept := range other.names {
		for _, hash := range *kept {
			s.offer(name, hash)
		}
	}
}

// keeps reports whether hash is among the smallest of name.
func (s *sample) keeps(name string, hash uint64) bool {
	kept := s.names[name]
	return kept != nil && len(*kept) > 0 && hash <= (*kept)[0] && slices.Contains(*kept, hash)
}

// limit is the largest hash kept of name, and whether size are kept: only then
// may there have been larger ones.
func (s *sample) limit(name string) (largest uint64, full bool) {
	kept := s.names[name]
	if kept == nil || len(*kept) < s.size {
		return 0, false
	}
	return (*kept)[0], true
}

// lower lowers the bounds of names to their limits.
func (s *sample) lower(bounds map[string]uint64) {
	for name := range s.names {
		limit, full := s.limit(name)
		if bound, ok := bounds[name]; full && (!ok || limit < bound) {
			bounds[name] = limit
		}
	}
}

// smallest is a binary heap with the largest hash first.
type smallest []uint64

func (h *smallest) push(hash uint64) {
	s := append(*h, hash)
	*h = s
	for i := len(s) - 1; i > 0; {
		parent := (i - 1) / 2
		if s[parent] >= s[i] {
			return
		}
		s[parent], s[i] = s[i], s[parent]
		i = parent
	}
}

func (h *smallest) replaceLargest(hash uint64) {
	s := *h
	s[0] = hash
	for i := 0; ; {
		child := 2*i + 1
		if child >= len(s) {
			return
		}
		if child+1 < len(s) && s[child+1] > s[child] {
			child++
		}
		if s[i] >= s[child] {
			return
		}
		s[i], s[child] = s[child], s[i]
		i = child
	}
}
