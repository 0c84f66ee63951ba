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

// flatBytes is the size of the vectors up to which exact search is chosen. A
// query alone reads them all, at some 8 GB/s a core: 64 MiB take 8 ms, no more
// than the encoding of its sentence (10 ms), and a batch of queries reads them
// once. That is 43,690 rows of 384 numbers.
const flatBytes = 64 << 20

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
