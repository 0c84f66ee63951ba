package matcher

import "math/bits"

// noText is the hash of no text.
const noText = 0xe7037ed1a0b428db

// hashOn returns the hash of a text that goes on with more, given that of its beginning. Hashes are part of the format of
// a file, and no two texts are taken to have the same: one of 2^64 does by chance.
func hashOn[T string | []byte](hash uint64, more T) uint64 {
	for i := range len(more) {
		hash = (hash ^ uint64(more[i])) * 0xa0761d6478bd642f
		hash ^= hash >> 32
	}
	return hash
}

// hashOf returns the hash of a text.
func hashOf[T string | []byte](text T) uint64 { return hashOn(noText, text) }

// bloomFilter is a Bloom filter of hashes with one bit for each, of 16 bits or more: it accepts at most one in 16 of the
// others. Its length is a power of 2.
type bloomFilter []uint64

func newBloomFilter(hashes map[uint64]bool) bloomFilter {
	f := make(bloomFilter, 1<<bits.Len(uint(len(hashes)/4)))
	for hash := range hashes {
		f[hash>>6&uint64(len(f)-1)] |= 1 << (hash & 63)
	}
	return f
}

func (f bloomFilter) has(hash uint64) bool { return f[hash>>6&uint64(len(f)-1)]&(1<<(hash&63)) != 0 }
