package text

import (
	"sort"
	"unicode/utf8"
)

// checkpointStep is the number of characters between two checkpoints. Walking over 64 characters is fast, and a
// checkpoint takes only 16 bytes.
const checkpointStep = 64

// Offsets converts between offsets in bytes and in code points, or in another unit, of a text. A byte that is not valid
// UTF-8 counts as one code point. [NewOffsets] takes one pass over the text, or two if it is not ASCII. A conversion
// takes at most 64 steps, and none for ASCII.
type Offsets struct {
	text        string
	first       func(s string) (size, count int) // size in bytes and in units of the first character
	oneByte     bool                             // each code point is one byte
	checkpoints []position                       // of characters 0, 64, 128, …; nil if oneByte
	count       int                              // length of the text in units
}

// position is the start of a character, in bytes and in units.
type position struct{ byte, count int }

// NewOffsets returns the Offsets of a text in code points.
func NewOffsets(text string) *Offsets {
	if utf8.RuneCountInString(text) == len(text) {
		return &Offsets{text: text, oneByte: true, count: len(text)}
	}
	return NewOffsetsIn(text, func(s string) (size, count int) {
		_, size = utf8.DecodeRuneInString(s)
		return size, 1
	})
}

// NewOffsetsIn returns the Offsets of a text in another unit. first returns the size of a string's first character in
// bytes and in this unit.
func NewOffsetsIn(text string, first func(s string) (size, count int)) *Offsets {
	o := &Offsets{text: text, first: first}
	for n, at := 0, 0; at < len(text); n++ {
		if n%checkpointStep == 0 {
			o.checkpoints = append(o.checkpoints, position{at, o.count})
		}
		size, count := first(text[at:])
		at, o.count = at+size, o.count+count
	}
	return o
}

// Text returns the text.
func (o *Offsets) Text() string { return o.text }

// Len returns the number of code points.
func (o *Offsets) Len() int { return o.count }

// Byte returns the byte offset of a code point; for Len it is the length of the text. It returns false if the code
// point is outside the text.
func (o *Offsets) Byte(codePoint int) (int, bool) {
	switch {
	case codePoint < 0 || codePoint > o.count:
		return 0, false
	case codePoint == o.count:
		return len(o.text), true
	case o.oneByte:
		return codePoint, true
	}
	at := o.last(func(p position) bool { return p.count > codePoint })
	return at.byte, at.count == codePoint
}

// last returns the last character that does not begin after an offset.
func (o *Offsets) last(isAfter func(position) bool) position {
	next := sort.Search(len(o.checkpoints), func(i int) bool { return isAfter(o.checkpoints[i]) })
	for at := o.checkpoints[next-1]; ; {
		size, count := o.first(o.text[at.byte:])
		after := position{at.byte + size, at.count + count}
		if isAfter(after) {
			return at
		}
		at = after
	}
}

// Bytes converts a span from code points to bytes. It returns false if it is not a span of the text.
func (o *Offsets) Bytes(codePoints Span) (Span, bool) {
	start, isStart := o.Byte(codePoints.Start)
	end, isEnd := o.Byte(codePoints.End)
	return Span{start, end}, isStart && isEnd && start <= end
}

// CodePoints converts a span from bytes to code points: see [Offsets.CodePoint].
func (o *Offsets) CodePoints(bytes Span) Span {
	return Span{o.CodePoint(bytes.Start), o.CodePoint(bytes.End)}
}

// CodePoint returns the number of code points before a byte offset. An offset within a character counts as its start,
// and an offset outside the text as the nearer end.
func (o *Offsets) CodePoint(byteOffset int) int {
	switch {
	case byteOffset <= 0:
		return 0
	case byteOffset >= len(o.text):
		return o.count
	case o.oneByte:
		return byteOffset
	}
	return o.last(func(p position) bool { return p.byte > byteOffset }).count
}
