package matcher

import "hash/maphash"

// tokenSet numbers the words of dictionary names, from 1, and finds the number of a
// word by its hash alone.
//
// It is an open-addressing table with 8 bytes a slot: the upper half of a word's hash
// as a tag, and the word's number. The lower half of the hash is the first slot to
// probe. The word itself is not stored, so about one in 2^32 words that are in no
// name is mistaken for a word that is. The caller that finds a name compares its
// bytes (see Tagger.longest).
//
// INVARIANT: a word of the set is found under its own number. newTokenSet takes another
// seed of the hash until no two words of the set collide.
type tokenSet struct {
	slots []uint64 // tag<<32 | number, or 0
	mask  uint64   // len(slots) - 1, a power of 2 less 1
	seed  maphash.Seed
	keep  uint64 // bits of the hash in use: all, except in tests of collisions
}

const allBits = ^uint64(0)

// newTokenSet makes the set of distinct words. keep masks the bits of the hash.
func newTokenSet(words []string, keep uint64) *tokenSet {
	size := 16
	for size < 2*len(words) { // at most half full: a failing lookup probes 1.5 slots or fewer on average
		size *= 2
	}
	t := &tokenSet{slots: make([]uint64, size), mask: uint64(size - 1), seed: maphash.MakeSeed(), keep: keep}
	for !t.fill(words) {
		clear(t.slots)
		t.seed = maphash.MakeSeed()
	}
	return t
}

// fill puts words into the empty table. It returns false if two of them collide.
//
// It is enough to check the slots up to the new word's own: those before it are full,
// so no later word is put there.
func (t *tokenSet) fill(words []string) bool {
	for i, word := range words {
		hash := t.hash([]byte(word))
		slot := hash & t.mask
		for ; t.slots[slot] != 0; slot = (slot + 1) & t.mask {
			if t.slots[slot]>>32 == hash>>32 {
				return false
			}
		}
		t.slots[slot] = hash&^(1<<32-1) | uint64(i+1)
	}
	return true
}

// find returns the number of the word with this hash, or 0.
func (t *tokenSet) find(hash uint64) uint32 {
	for slot := hash & t.mask; ; slot = (slot + 1) & t.mask {
		value := t.slots[slot]
		if value>>32 == hash>>32 && value != 0 {
			return uint32(value)
		}
		if value == 0 {
			return 0
		}
	}
}

// hash returns the hash of a word.
func (t *tokenSet) hash(word []byte) uint64 { return maphash.Bytes(t.seed, word) & t.keep }

// filter is a Bloom filter with one bit per hash: it rejects most hashes that are not
// in a set. It is small enough for the first-level cache: 32 kB for 84 k names.
type filter struct {
	bits []uint64
	mask uint64 // number of bits - 1
}

// newFilter makes a filter with at least 16 bits for each hash, so that it accepts at
// most one in 16 of the hashes that are not in the set.
func newFilter(hashes []uint64) filter {
	words := 1
	for words < len(hashes)/4 {
		words *= 2
	}
	f := filter{bits: make([]uint64, words), mask: uint64(64*words - 1)}
	for _, hash := range hashes {
		bit := hash >> 32 & f.mask
		f.bits[bit/64] |= 1 << (bit % 64)
	}
	return f
}

func (f *filter) has(hash uint64) bool {
	bit := hash >> 32 & f.mask
	return f.bits[bit/64]&(1<<(bit%64)) != 0
}
