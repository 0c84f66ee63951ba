package knnindex

import (
	"cmp"
	"slices"
)

// copies lists the rows that are equal, bit for bit, to a row before them, in
// the order of the first and then of the copy.
//
// In a graph, many equal rows would be linked to each other only, and either
// hide from a search or trap it. So the first of them stands for all.
type copies []copyOf

type copyOf struct{ first, row uint32 }

func compareCopies(a, b copyOf) int {
	return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.row, b.row))
}

// findCopies also lists the rows that are not copies.
func findCopies(v *Vectors) (found copies, firsts []uint32) {
	seen := make(map[uint64]uint32, v.Len()) // checksum -> first row with it
	for row := range v.Len() {
		sum := checksum64(asBytes(v.Row(row)))
		first, known := seen[sum]
		if known && slices.Equal(v.Row(int(first)), v.Row(row)) {
			found = append(found, copyOf{first, uint32(row)})
			continue
		}
		if !known {
			seen[sum] = uint32(row)
		}
		firsts = append(firsts, uint32(row))
	}
	slices.SortFunc(found, compareCopies)
	return found, firsts
}

// appendHits appends up to limit copies of a hit's row.
func (c copies) appendHits(dst []Hit, hit Hit, limit int) []Hit {
	if len(c) == 0 {
		return dst
	}
	at, _ := slices.BinarySearchFunc(c, copyOf{uint32(hit.Row), 0}, compareCopies)
	for _, twin := range c[at:min(len(c), at+limit)] {
		if twin.first != uint32(hit.Row) {
			break
		}
		dst = append(dst, Hit{int32(twin.row), hit.Similarity})
	}
	return dst
}
