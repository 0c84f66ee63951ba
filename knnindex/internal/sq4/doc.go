// Package sq4 keeps a small copy of each row of a matrix, half a byte a
// number, and bounds by it how large the row's dot product with a query can be: so
// most rows are told apart from the nearest without being read.
//
// For basic usage, make the sketches with [New] and panels of the queries with
// [Sketches.Panels]. [Sketches.Filter] then names the rows whose product with a query
// may be over a limit, which [Panel.Limit] gives. It leaves out none that is; what the
// caller computes of those named is exact.
//
// A row x is the centre m, about the mean of all rows, and a rest r. The rest is
// kept as codes c of four bits and a step, and a query q as signed bytes b and a
// unit. They stand for
//
//	r'[i] = step (c[i] - 7.5)        q'[i] = unit b[i]
//
// and then
//
//	q·x = q·m + q'·r' + q'·(r - r') + (q - q')·r
//	    ≤ q·m + unit step (Σ b c - 7.5 Σ b) + |q'| |r - r'| + |q - q'| |r|
//
// where only the sum of the products of whole numbers is to be computed for a pair. |r - r'|
// is kept for each row, |r| for the longest. Nothing is assumed of the vectors; but
// the nearer their rests are to normally distributed, and the farther the nearest
// rows are from the others, the fewer are named in vain. At 384 numbers |r - r'| is
// .11 |r|, so that rows up to .1 less similar than the nearest are named.
//
// Sums and bounds are computed by AVX-512 (VNNI), AVX2 or portable Go, with the
// same bits.
package sq4

//go:generate go -C ../../../internal/asmgen run ./sq4 -out ../../knnindex/internal/sq4/sq4_amd64.s -stubs ../../knnindex/internal/sq4/stubs_amd64.go -pkg sq4
