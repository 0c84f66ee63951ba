package matcher

// hashOf returns the hash of a text. Hashes are part of the format of a file, and no two texts are taken to have the same:
// one of 2^64 does by chance.
func hashOf[T string | []byte](text T) uint64 {
	hash := uint64(0xe7037ed1a0b428db)
	for i := range len(text) {
		hash = (hash ^ uint64(text[i])) * 0xa0761d6478bd642f
		hash ^= hash >> 32
	}
	return hash
}
