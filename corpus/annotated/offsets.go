package annotated

import (
	"sort"
	"unicode/utf8"
)

// offsetsStep is the number of code points between two noted bytes: few enough
// to walk, and eight bytes for 64 characters.
const offsetsStep = 64

// Offsets converts between byte offsets of a text and counts of code points.
// Bytes that are not UTF-8 count as one each. It costs one pass over the text,
// two where there is more than ASCII in it, and then at most 64 steps a call,
// none for ASCII.
type Offsets struct {
	text   string
	single bool  // every code point is one byte
	every  []int // byte offset of code points 0, 64, 128, …; nil if single
	count  int   // code points of the text
}

// NewOffsets prepares the offsets of a text.
func NewOffsets(text string) *Offsets {
	o := &Offsets{text: text, count: utf8.RuneCountInString(text)}
	if o.count == len(text) {
		o.single = true
		return o
	}
	o.every = make([]int, 0, o.count/offsetsStep+1)
	count := 0
	for i := range text {
		if count%offsetsStep == 0 {
			o.every = append(o.every, i)
		}
		count++
	}
	return o
}

// Len is the number of code points.
func (o *Offsets) Len() int { return o.count }

// Byte is the byte offset of a code point. The offset behind the last one, Len,
// is that of the text's end; false is for what lies outside the text.
func (o *Offsets) Byte(codePoint int) (int, bool) {
	switch {
	case codePoint < 0 || codePoint > o.count:
		return 0, false
	case codePoint == o.count:
		return len(o.text), true
	case o.single:
		return codePoint, true
	}
	at := o.every[codePoint/offsetsStep]
	for range codePoint % offsetsStep {
		_, size := utf8.DecodeRuneInString(o.text[at:])
		at += size
	}
	return at, true
}

// CodePoint is the number of code points before a byte offset. An offset within
// a character counts as its start, one outside the text as the nearer end.
func (o *Offsets) CodePoint(byteOffset int) int {
	switch {
	case byteOffset <= 0:
		return 0
	case byteOffset >= len(o.text):
		return o.count
	case o.single:
		return byteOffset
	}
	step := sort.SearchInts(o.every, byteOffset+1) - 1 // the last noted byte at or before the offset
	at, count := o.every[step], step*offsetsStep
	for {
		_, size := utf8.DecodeRuneInString(o.text[at:])
		if at += size; at > byteOffset {
			return count
		}
		count++
	}
}
