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

// bloomFilter is a Bloom filter of hashes with one bit for each, of 16 bits or more: it accepts at most one in 16 of the
// others. Its length is a power of 2.
type bloomFilter []uint64

func newBloomFilter(hashes []uint64) bloomFilter {
	f := make(bloomFilter, 1<<bits.Len(uint(len(hashes)/4)))
	for _, hash := range hashes {
		f[hash>>6&uint64(len(f)-1)] |= 1 << (hash & 63)
	}
	return f
}

func (f bloomFilter) has(hash uint64) bool { return f[hash>>6&uint64(len(f)-1)]&(1<<(hash&63)) != 0 }

// pairHash returns the hash of a word and the one behind it.
func pairHash(first, second uint64) uint64 { return first ^ bits.RotateLeft64(second, 32) }

// firstWords knows the words that keys begin with. Most words of a text begin no key, and most others are followed by
// words that do not follow them in a key.
type firstWords struct {
	filter bloomFilter // of the words: 32 kB for 84,000 names, which stay in the first-level cache
	pairs  bloomFilter // of the words and those behind them, see pairHash
	table  []uint64    // an open-addressing table of slots, two thirds full: a lookup probes 1 to 3 of them on average
}

// The numbers of a slot of firstWords.table, which are 0 in an empty one.
const (
	slotHash  = iota // of the word
	slotPlace        // in the transducer behind the word, see sumShift
	slotSize
)

// Parts of a place in the transducer: the sum of the outputs before it, whether a key ends there, and the state.
const (
	sumShift  = 32
	endsHere  = 1 << 31
	stateMask = endsHere - 1
)

// newFirstWords makes the table of words by their hashes. pairs are the hashes of pairs, which it sorts.
func newFirstWords(words map[uint64]string, pairs []uint64, keys transducer) (f firstWords) {
	hashes := slices.Sorted(maps.Keys(words))
	slices.Sort(pairs)
	f.filter, f.pairs = newBloomFilter(hashes), newBloomFilter(slices.Compact(pairs))
	f.table = make([]uint64, slotSize*(len(words)+len(words)/2+1))
	for _, hash := range hashes {
		state, sum := keys.root(), 0
		for _, label := range []byte(words[hash]) {
			to, output := keys.next(state, label)
			state, sum = to, sum+output
		}
		slot := f.slot(hash)
		slot[slotHash], slot[slotPlace] = hash, uint64(sum)<<sumShift|uint64(state)
		if keys.ends(state) {
			slot[slotPlace] |= endsHere
		}
	}
	return f
}

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
