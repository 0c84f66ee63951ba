package corpus

import "slices"

// sample is a bottom-k sample of sentences for every name: it keeps the size
// smallest distinct hashes that were added for the name. The order of adding does
// not matter, and the bottom-k sample of a union is that of the merged samples.
//
// Memory is at most size hashes of 8 bytes per name. Adding a hash above the
// threshold costs O(1), any other O(size).
type sample struct {
	size  int
	names map[string]*bottomK
}

func newSample(size int) *sample {
	return &sample{size: size, names: make(map[string]*bottomK)}
}

// add adds a hash of name.
func (s *sample) add(name string, hash uint64) {
	kept := s.names[name]
	if kept == nil {
		kept = new(bottomK)
		s.names[name] = kept
	}
	switch {
	case len(*kept) == s.size && hash >= (*kept)[0], slices.Contains(*kept, hash):
	case len(*kept) < s.size:
		kept.push(hash)
	default:
		kept.replaceLargest(hash)
	}
}

// merge adds all hashes of another sample.
func (s *sample) merge(other *sample) {
	for name, kept := range other.names {
		for _, hash := range *kept {
			s.add(name, hash)
		}
	}
}

// contains reports whether hash is in the sample of name.
func (s *sample) contains(name string, hash uint64) bool {
	kept := s.names[name]
	return kept != nil && len(*kept) > 0 && hash <= (*kept)[0] && slices.Contains(*kept, hash)
}

// threshold returns the largest hash in the sample of name if the sample is full.
// If it is not full, it has all hashes that were added, and full is false.
func (s *sample) threshold(name string) (largest uint64, full bool) {
	kept := s.names[name]
	if kept == nil || len(*kept) < s.size {
		return 0, false
	}
	return (*kept)[0], true
}

// lowerThresholds lowers the thresholds in the map to those of this sample.
func (s *sample) lowerThresholds(thresholds map[string]uint64) {
	for name := range s.names {
		own, full := s.threshold(name)
		if threshold, ok := thresholds[name]; full && (!ok || own < threshold) {
			thresholds[name] = own
		}
	}
}

// bottomK is a binary max-heap of hashes.
type bottomK []uint64

func (h *bottomK) push(hash uint64) {
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

func (h *bottomK) replaceLargest(hash uint64) {
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
