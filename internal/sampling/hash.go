// Package sampling computes the hash that selects samples of names, sentences and exemplars.
package sampling

// Hash returns the hash that selects every pseudo-random sample: the names of kb.Dictionary.Fraction, the sentences of
// a corpus, the exemplars of an index. It depends only on its arguments, so a sample is the same for any order of
// files, number of workers and machine. Fields are delimited: ("ab", "c") and ("a", "bc") have different hashes.
//
// The hash is FNV-1a over the fields, each followed by a byte that UTF-8 never contains, then the finalizer of
// SplitMix64, which makes all 64 bits usable: http://www.isthe.com/chongo/tech/comp/fnv/ and Steele, Lea & Flood, "Fast
// Splittable Pseudorandom Number Generators", OOPSLA 2014.
func Hash(seed uint64, fields ...string) uint64 {
	const (
		fnvOffset  = 0xcbf29ce484222325
		fnvPrime   = 0x100000001b3
		endOfField = 0xff // no byte of valid UTF-8
	)
	h := Mix(seed) ^ fnvOffset
	for _, field := range fields {
		for i := 0; i < len(field); i++ {
			h = (h ^ uint64(field[i])) * fnvPrime
		}
		h = (h ^ endOfField) * fnvPrime
	}
	return Mix(h)
}

// Unit returns [Hash] scaled to a number in [0, 1).
func Unit(seed uint64, fields ...string) float64 {
	return float64(Hash(seed, fields...)>>11) / (1 << 53) // the 53 bits that a float64 holds exactly
}

// Mix is the finalizer of SplitMix64.
func Mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return z ^ (z >> 31)
}
