package matcher

// hashOf returns the hash of a text. Hashes are part of the file format. The index assumes that two texts never have
// the same hash, which happens by chance once in 2^64.
func hashOf[T string | []byte](text T) uint64 {
	hash := uint64(0xe7037ed1a0b428db)
	for i := range len(text) {
		hash = (hash ^ uint64(text[i])) * 0xa0761d6478bd642f
		hash ^= hash >> 32
	}
	return hash
}
