package sq4

import "encoding/binary"

// encodePortable writes the codes of a row, whose rest is filled up to whole
// groups, and gives |r - r'|². It is the Go twin of the assembly.
func encodePortable(codes []byte, rest []float32, step float32) float32 {
	scale := inverse(step)
	var squares float32
	for len(rest) > 0 {
		var word uint32
		for i, r := range rest[:groupNumbers] {
			code := min(max(int32(r*scale+(middle+.5)), 0), 15) // rounds down; what is below 0 is 0
			lost := r - step*(float32(code)-middle)
			squares += lost * lost
			word |= uint32(code) << (i%4*8 + i/4*4)
		}
		binary.LittleEndian.PutUint32(codes, word)
		rest, codes = rest[groupNumbers:], codes[min(groupBytes, len(codes)):]
	}
	return squares
}

// inverse is 1/step, where that is a number.
func inverse(step float32) float32 {
	if step == 0 {
		return 0
	}
	return 1 / step
}
