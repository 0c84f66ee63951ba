package gunzip

import "math/bits"

// entry says what the code means that a table was looked up by:
//
//	bits 0-3   length of the code
//	bits 4-7   number of extra bits behind it
//	bits 8-23  a literal byte, the least length or distance, or where a second table begins
//	bits 29-31 what it is; none of them for a length or distance
//
// The entry 0 is no code.
type entry uint32

const (
	literal  entry = 1 << 31
	endBlock entry = 1 << 30
	second   entry = 1 << 29 // the code is longer than the first table's bits
)

func (e entry) length() uint    { return uint(e & 15) }
func (e entry) extra() uint     { return uint(e >> 4 & 15) }
func (e entry) value() int      { return int(e >> 8 & 0xffff) }
func (e entry) is(f entry) bool { return e&f != 0 }

const maxCode = 15 // bits

// table finds codes by the bits that follow in the input: most by the first bits
// of them, long ones by the rest in a second table that the first one names. All
// second tables are as long.
type table struct {
	first   uint // bits
	rest    uint // bits of a second table
	entries []entry
}

// build makes the table of codes of these lengths, 0 for none, that mean what
// meanings says (RFC 1951, section 3.2.2). It reports whether they are codes:
// complete, or none, or one alone of a single bit.
func (t *table) build(lengths []uint8, meanings []entry) bool {
	var count [maxCode + 1]int
	for _, n := range lengths {
		count[n]++
	}
	count[0] = 0
	var next [maxCode + 2]int // code of each length
	longest := 0
	for n := 1; n <= maxCode; n++ {
		next[n+1] = (next[n] + count[n]) << 1
		if count[n] > 0 {
			longest = n
		}
	}
	if end := next[longest] + count[longest]; longest > 0 && end != 1<<longest && !(end == 1 && longest == 1) {
		return false
	}
	t.rest = uint(max(0, longest-int(t.first)))
	if size := 1 << t.first; cap(t.entries) < size {
		t.entries = make([]entry, size)
	} else {
		t.entries = t.entries[:size]
		clear(t.entries)
	}
	for symbol, n := range lengths {
		if n == 0 {
			continue
		}
		code := uint(bits.Reverse16(uint16(next[n])) >> (16 - n)) // its first bit lowest
		next[n]++
		t.put(code, uint(n), meanings[symbol]|entry(n))
	}
	return true
}

// put puts the entry of a code of n bits wherever its bits come first.
func (t *table) put(code, n uint, e entry) {
	if n <= t.first {
		for ; code < 1<<t.first; code += 1 << n {
			t.entries[code] = e
		}
		return
	}
	from := code & (1<<t.first - 1)
	if t.entries[from] == 0 {
		t.entries[from] = second | entry(len(t.entries))<<8
		t.entries = append(t.entries, make([]entry, 1<<t.rest)...)
	}
	rest := t.entries[t.entries[from].value():][:1<<t.rest]
	for code >>= t.first; code < 1<<t.rest; code += 1 << (n - t.first) {
		rest[code] = e
	}
}

// find is the entry for the bits that follow.
func (t *table) find(next uint64) entry {
	e := t.entries[next&(1<<t.first-1)]
	if e.is(second) {
		e = t.entries[e.value()+int(next>>t.first&(1<<t.rest-1))]
	}
	return e
}

// What symbols mean (RFC 1951, section 3.2.5).
var (
	literals  = newLiterals() // and lengths
	distances = newDistances()
	ordinals  = newOrdinals() // the lengths of codes
)

const maxLength = 258

func newLiterals() []entry {
	m := make([]entry, 288)
	for c := range 256 {
		m[c] = literal | entry(c)<<8
	}
	m[256] = endBlock
	least := 3
	for i := range 28 {
		extra := max(0, i/4-1)
		m[257+i] = entry(least)<<8 | entry(extra)<<4
		least += 1 << extra
	}
	m[285] = entry(maxLength) << 8 // the last two mean nothing
	return m
}

func newDistances() []entry {
	m := make([]entry, 32)
	least := 1
	for i := range 30 { // the last two mean nothing
		extra := max(0, i/2-1)
		m[i] = entry(least)<<8 | entry(extra)<<4
		least += 1 << extra
	}
	return m
}

func newOrdinals() []entry {
	m := make([]entry, 19)
	for i := range m {
		m[i] = entry(i) << 8
	}
	return m
}
