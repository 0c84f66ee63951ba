package matcher

import (
	"encoding/binary"
	"math/bits"
)

// tokenSet numbers the words that dictionary names are made of, from 1, and
// finds the number of a word by its hash alone.
//
// It is an open-addressing table of 8 bytes a slot: the upper half of a word's
// hash as a tag, and its number. The lower half of the hash is the slot to begin
// at. The word itself is not looked at, so a word that is in no name may be
// taken for one that is, about once in 2^32 words; whoever finds a name
// compares its bytes (see trie.longest).
//
// INVARIANT: a word of the set is found under its own number. newTokenSet
// changes the seed of the hash until no two words are confused.
type tokenSet struct {
	slots []uint64 // tag<<32 | number, or 0
	mask  uint64   // len(slots) - 1, a power of 2 less 1
	seed  uint64
	keep  uint64 // bits of the hash in use: all, but in tests of what collisions do
}

const allBits = ^uint64(0)

func newTokenSet(words []string, keep uint64) *tokenSet {
	size := 16
	for size < 2*len(words) { // at most half full: a failing probe looks at 1.5 slots or fewer
		size *= 2
	}
	t := &tokenSet{slots: make([]uint64, size), mask: uint64(size - 1), keep: keep}
	for !t.fill(words) {
		clear(t.slots)
		t.seed++
	}
	return t
}

// fill puts words in the empty table, or reports that two are confused.
//
// It is enough to look at the slots up to the new word's own: those before it
// are full, so no later word comes to stand there.
func (t *tokenSet) fill(words []string) bool {
	for i, word := range words {
		hash := t.hashOf(word)
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

// find is the number of the word with this hash, or 0.
func (t *tokenSet) find(hash uint64) uint32 {
	for slot := hash & t.mask; ; slot = (slot + 1) & t.mask {
		entry := t.slots[slot]
		if entry>>32 == hash>>32 && entry != 0 {
			return uint32(entry)
		}
		if entry == 0 {
			return 0
		}
	}
}

// hashOf is the hash of a word.
func (t *tokenSet) hashOf(word string) uint64 {
	var buf [64]byte // longer words are few
	padded := append(append(buf[:0], word...), make([]byte, padding)...)
	return t.hash(padded, 0, len(word))
}

// hash is the hash of the word buf[start:end]. It loads 8 bytes at a time and
// needs [padding] bytes after the word, of any value.
//
// Each load is folded into the hash by a 64 x 64 -> 128 bit product, as in
// wyhash (https://github.com/wangyi-fudan/wyhash); most words are one load.
func (t *tokenSet) hash(buf []byte, start, end int) uint64 {
	const (
		k0 = 0xa0761d6478bd642f
		k1 = 0xe7037ed1a0b428db
	)
	h := t.seed ^ k0*uint64(end-start)
	for ; end-start > 8; start += 8 {
		h = fold(h^binary.LittleEndian.Uint64(buf[start:]), k0)
	}
	last := binary.LittleEndian.Uint64(buf[start:]) & (^uint64(0) >> (64 - 8*uint(end-start)))
	return fold(h^last, k1) & t.keep
}

func fold(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}

// filter tells most hashes that are not in a set from those that are. It is a
// Bloom filter of one bit a hash, small enough for the cache next to the core:
// 32 kB for 84 k names.
type filter struct {
	bits []uint64
	mask uint64 // number of bits - 1
}

// newFilter has at least 16 bits for each hash, so that it takes one in 16 of
// the others, or fewer, for one of the set.
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
