package knnindex

import (
	"context"
	"fmt"
)

// Kind names a kind of index.
type Kind string

// The kinds of index. KindAuto stands for one of the others, by size.
const (
	KindAuto Kind = "auto"
	KindFlat Kind = "flat"
	KindHNSW Kind = "hnsw"
)

// ParseKind gives the kind with this name.
func ParseKind(s string) (Kind, error) {
	switch kind := Kind(s); kind {
	case KindAuto, KindFlat, KindHNSW:
		return kind, nil
	}
	return "", fmt.Errorf("kind of index: want %s, %s or %s, got %q", KindAuto, KindFlat, KindHNSW, s)
}

// flatBytes is the size of the vectors up to which exact search is chosen: 174,762
// rows of 384 numbers. Measured on one core, for the nearest 15 of clustered vectors
// and with a graph of default options:
//
//	           exact: in a batch   alone    made in   graph: a query   built in
//	 50,000          .2 ms         .8 ms    .08 s            .9 ms       40 s
//	326,575         1.1 ms          8 ms     .6 s           1.9 ms      590 s
//
// In a batch, which is how texts are linked, exact search is the faster at both; for
// a query alone up to some 60,000 rows. The line is where a query alone takes 4 ms,
// less than the encoding of its sentence (10 ms), and the sketches, which are made at
// every start, .3 s.
const flatBytes = 256 << 20

// Choose settles which kind of index to make for rows of dim numbers, and says
// why, in words for the user: "flat: 1000 x 384 vectors are 1.5 MB, …".
func Choose(kind Kind, rows, dim int) (Kind, string) {
	if kind != KindAuto {
		return kind, fmt.Sprintf("%s: as asked for", kind)
	}
	bytes := 4 * rows * dim
	size := fmt.Sprintf("%d x %d vectors are %.1f MB", rows, dim, float64(bytes)/1e6)
	if bytes <= flatBytes {
		return KindFlat, fmt.Sprintf("%s: %s, up to %.1f MB are searched exactly", KindFlat, size, float64(flatBytes)/1e6)
	}
	return KindHNSW, fmt.Sprintf("%s: %s, over %.1f MB are searched by graph", KindHNSW, size, float64(flatBytes)/1e6)
}

// Build makes an index of the kind that [Choose] settles on.
func Build(ctx context.Context, v *Vectors, kind Kind, o HNSWOptions) (Index, error) {
	if err := v.checkShape(); err != nil {
		return nil, err
	}
	switch kind, _ := Choose(kind, v.Len(), v.Dim); kind {
	case KindFlat:
		return NewFlat(v), nil
	case KindHNSW:
		return BuildHNSW(ctx, v, o)
	default:
		return nil, fmt.Errorf("kind of index: want %s, %s or %s, got %q", KindAuto, KindFlat, KindHNSW, kind)
	}
}
