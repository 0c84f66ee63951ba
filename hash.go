package ctxnorm

// Hash is the hash by which samples are drawn: of names by [Dictionary.Fraction],
// of sentences by the corpus, of exemplars by the index. It depends on its
// arguments alone, so a sample is the same whatever the order of files, the
// number of workers or the machine. The parts are kept apart: ("ab", "c") and
// ("a", "bc") differ.
//
// FNV-1a over the parts, each closed by a byte that UTF-8 never holds, then the
// finaliser of SplitMix64 so that all 64 bits are usable:
// http://www.isthe.com/chongo/tech/comp/fnv/ and Steele, Lea & Flood, "Fast
// Splittable Pseudorandom Number Generators", OOPSLA 2014.
func Hash(seed uint64, parts ...string) uint64 {
	const (
		fnvOffset = 0xcbf29ce484222325
		fnvPrime  = 0x100000001b3
		endOfPart = 0xff // no byte of valid UTF-8
	)
	h := mix(seed) ^ fnvOffset
	for _, part := range parts {
		for i := 0; i < len(part); i++ {
			h = (h ^ uint64(part[i])) * fnvPrime
		}
		h = (h ^ endOfPart) * fnvPrime
	}
	return mix(h)
}

// HashUnit is [Hash] as a number in [0, 1).
func HashUnit(seed uint64, parts ...string) float64 {
	return float64(Hash(seed, parts...)>>11) / (1 << 53) // the 53 bits that a float64 holds exactly
}

// mix is the finaliser of SplitMix64.
func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	return z ^ (z >> 31)
}
