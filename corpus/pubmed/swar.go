package pubmed

// Eight bytes are looked at together as the bytes of a word, the first of them
// the lowest. An answer has the top bit of each byte set for which it is yes.
// See Warren, "Hacker's Delight", 2nd edition, section 6-1.
const (
	eachByte = 0x0101010101010101
	topBits  = 0x80 * eachByte
	lowBits  = 0x7f * eachByte
)

// notASCII finds the bytes above 0x7f.
func notASCII(w uint64) uint64 { return w & topBits }

// controls finds the bytes under 0x20. The sum of the low bits and 0x60 reaches
// the top bit from 0x20 on, and the next byte never.
func controls(w uint64) uint64 { return ^(w&lowBits + 0x60*eachByte) &^ w & topBits }

// equals finds the bytes that are c.
func equals(w uint64, c byte) uint64 {
	x := w ^ uint64(c)*eachByte
	return ^(x&lowBits + lowBits | x) & topBits
}
