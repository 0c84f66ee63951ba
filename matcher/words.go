package matcher

import (
	"encoding/binary"
	"maps"
	"math/bits"
	"slices"
)

// hashOf returns the hash of a word or of initials, which is not 0. It is part of the format of a file, and no two words
// are taken to have the same: one of 2^64 does by chance. It is the hash of wyhash, https://github.com/wangyi-fudan/wyhash,
// in its simplest form.
func hashOf(word []byte) uint64 {
	mix := func(a uint64) uint64 {
		high, low := bits.Mul64(a, 0xa0761d6478bd642f)
		return high ^ low
	}
	hash := mix(uint64(len(word)) ^ 0xe7037ed1a0b428db)
	for ; len(word) >= 8; word = word[8:] {
		hash = mix(hash ^ binary.LittleEndian.Uint64(word))
	}
	rest := uint64(0)
	for _, b := range word {
		rest = rest<<8 | uint64(b)
	}
	return max(mix(hash^rest), 1)
}

// firstWords knows the words that keys begin with. Most words of a text begin no key.
type firstWords struct {
	// filter is a Bloom filter with at least 16 bits for each word, so that it accepts at most one in 16 of the others.
	// It is small enough for the first-level cache: 32 kB for 84,000 names.
	filter []uint64
	// table is an open-addressing table of slots, two thirds full: a lookup probes 1 to 3 of them on average.
	table []uint64
}

// The numbers of a slot of firstWords.table, which are 0 in an empty one.
const (
	slotHash      = iota // of the word
	slotPlace            // in the transducer behind the word, see sumShift
	slotFollowing        // a bit for each word that follows the word in a key, see bitOf
	slotSize
)

// Parts of a place in the transducer: the sum of the outputs before it, whether a key ends there, and the state.
const (
	sumShift  = 32
	endsHere  = 1 << 31
	stateMask = endsHere - 1
)

// firstWord is a word that keys begin with, while they are collected.
type firstWord struct {
	word      string
	following uint64
}

// newFirstWords makes the table of words by their hashes.
func newFirstWords(words map[uint64]firstWord, keys transducer) (f firstWords) {
	const bitsOfWord = 16
	f.filter = make([]uint64, 1<<bits.Len(uint(len(words)*bitsOfWord/64)))
	f.table = make([]uint64, slotSize*(len(words)+len(words)/2+1))
	for _, hash := range slices.Sorted(maps.Keys(words)) {
		w, state, sum := words[hash], keys.root(), 0
		for _, label := range []byte(w.word) {
			to, output := keys.next(state, label)
			state, sum = to, sum+output
		}
		f.filter[hash>>6&uint64(len(f.filter)-1)] |= 1 << (hash & 63)
		slot := f.slot(hash)
		slot[slotHash], slot[slotPlace], slot[slotFollowing] = hash, uint64(sum)<<sumShift|uint64(state), w.following
		if keys.ends(state) {
			slot[slotPlace] |= endsHere
		}
	}
	return f
}

// bitOf returns the bit of a word among those that follow another.
func bitOf(hash uint64) uint64 { return 1 << (hash >> 58) }

// slot returns the slot of a word, or an empty one.
func (f *firstWords) slot(hash uint64) []uint64 {
	n := uint64(len(f.table) / slotSize)
	for i, _ := bits.Mul64(hash, n); ; i++ {
		if i == n {
			i = 0
		}
		if slot := f.table[i*slotSize : (i+1)*slotSize]; slot[slotHash] == hash || slot[slotHash] == 0 {
			return slot
		}
	}
}

// mayBegin reports whether a key may begin with a word.
func (f *firstWords) mayBegin(hash uint64) bool {
	return f.filter[hash>>6&uint64(len(f.filter)-1)]&(1<<(hash&63)) != 0
}
