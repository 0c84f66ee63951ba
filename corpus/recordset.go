package corpus

import (
	"iter"
	"math/bits"
)

// recordSet is a set of records of a file, by their numbers. nil is the empty set.
type recordSet struct {
	words []uint64 // bit i%64 of word i/64 is record i
}

func (s *recordSet) add(record int32) {
	word := int(record / 64)
	if word >= len(s.words) {
		s.words = append(s.words, make([]uint64, word+1-len(s.words))...)
	}
	s.words[word] |= 1 << (record % 64)
}

func (s *recordSet) has(record int32) bool {
	return s != nil && int(record/64) < len(s.words) && s.words[record/64]&(1<<(record%64)) != 0
}

// all returns the records in order.
func (s *recordSet) all() iter.Seq[int32] {
	return func(yield func(int32) bool) {
		if s == nil {
			return
		}
		for i, word := range s.words {
			for ; word != 0; word &= word - 1 {
				if !yield(int32(64*i + bits.TrailingZeros64(word))) {
					return
				}
			}
		}
	}
}
