package corpus

import "slices"

// sample is a bottom-k sample of sentences for every name: it keeps the size smallest distinct hashes added for the
// name. The order of adding does not matter, and merging the samples of several sets gives the sample of their union.
//
// Memory is at most size hashes of 8 bytes per name.
type sample struct {
	size  int
	names map[string]bottomK
}

func newSample(size int) *sample {
	return &sample{size: size, names: make(map[string]bottomK)}
}

// add adds a hash of name.
func (s *sample) add(name string, hash uint64) {
	kept := s.names[name]
	if _, found := slices.BinarySearch(kept, hash); !found && kept.add(hash, s.size) {
		s.names[name] = kept
	}
}

// merge adds all hashes of another sample.
func (s *sample) merge(other *sample) {
	for name, kept := range other.names {
		for _, hash := range kept {
			s.add(name, hash)
		}
	}
}

// threshold returns the largest hash in the sample of name if the sample is full. Otherwise full is false, and the
// sample has all hashes that were added.
func (s *sample) threshold(name string) (largest uint64, full bool) {
	kept := s.names[name]
	if len(kept) < s.size {
		return 0, false
	}
	return kept[s.size-1], true
}

// bottomK holds the smallest hashes that were added, in order.
type bottomK []uint64

// add adds a hash and drops the largest if there are more than size. It reports whether the new hash is kept.
func (h *bottomK) add(hash uint64, size int) bool {
	at, _ := slices.BinarySearch(*h, hash)
	if at >= size {
		return false
	}
	*h = slices.Insert((*h)[:min(len(*h), size-1)], at, hash)
	return true
}
