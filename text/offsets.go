package text

import (
	"sort"
	"unicode/utf8"
)

// checkpointStep is the number of code points between two checkpoints. Walking 64 code
// points is fast, and a checkpoint costs eight bytes for 64 characters.
const checkpointStep = 64

// Offsets converts between offsets of a text in bytes and in code points. A byte that is
// not valid UTF-8 counts as one code point. [NewOffsets] takes one pass over the text,
// two if it is not ASCII; each conversion takes at most 64 steps, none for ASCII.
type Offsets struct {
	text        string
	oneByte     bool  // each code point has one byte
	checkpoints []int // byte offsets of code points 0, 64, 128, …; nil if oneByte
	count       int   // number of code points in the text
}

// NewOffsets returns the offsets of a text.
func NewOffsets(text string) *Offsets {
	o := &Offsets{text: text, count: utf8.RuneCountInString(text)}
	if o.count == len(text) {
		o.oneByte = true
		return o
	}
	o.checkpoints = make([]int, 0, o.count/checkpointStep+1)
	count := 0
	for i := range text {
		if count%checkpointStep == 0 {
			o.checkpoints = append(o.checkpoints, i)
		}
		count++
	}
	return o
}

// Text returns the text.
func (o *Offsets) Text() string { return o.text }

// Len returns the number of code points.
func (o *Offsets) Len() int { return o.count }

// Byte returns the byte offset of a code point; that of Len is the length of the
// text. It returns false if the code point is outside the text.
func (o *Offsets) Byte(codePoint int) (int, bool) {
	switch {
	case codePoint < 0 || codePoint > o.count:
		return 0, false
	case codePoint == o.count:
		return len(o.text), true
	case o.oneByte:
		return codePoint, true
	}
	at := o.checkpoints[codePoint/checkpointStep]
	for range codePoint % checkpointStep {
		_, size := utf8.DecodeRuneInString(o.text[at:])
		at += size
	}
	return at, true
}

// Bytes returns a span of code points as one of bytes. It returns false if that is not a span of the text.
func (o *Offsets) Bytes(codePoints Span) (Span, bool) {
	start, isStart := o.Byte(codePoints.Start)
	end, isEnd := o.Byte(codePoints.End)
	return Span{start, end}, isStart && isEnd && start <= end
}

// CodePoints returns a span of bytes as one of code points, see [Offsets.CodePoint].
func (o *Offsets) CodePoints(bytes Span) Span {
	return Span{o.CodePoint(bytes.Start), o.CodePoint(bytes.End)}
}

// CodePoint returns the number of code points before a byte offset. An offset within a
// character counts as its start, an offset outside the text as the nearer end.
func (o *Offsets) CodePoint(byteOffset int) int {
	switch {
	case byteOffset <= 0:
		return 0
	case byteOffset >= len(o.text):
		return o.count
	case o.oneByte:
		return byteOffset
	}
	checkpoint := sort.SearchInts(o.checkpoints, byteOffset+1) - 1 // the last one at or before the offset
	at, count := o.checkpoints[checkpoint], checkpoint*checkpointStep
	for {
		_, size := utf8.DecodeRuneInString(o.text[at:])
		if at += size; at > byteOffset {
			return count
		}
		count++
	}
}
