package dot

import "math"

// InOrder returns the dot product of a and the first elements of b, summed in order in float64: the same bits on every
// processor. Use it for values that are computed a few times per mention.
func InOrder[T float32 | float64](a, b []T) float64 {
	sum := 0.
	for i := range a {
		sum += float64(float64(a[i]) * float64(b[i])) // the conversion keeps processors from fusing the two steps
	}
	return sum
}

// Normalize scales a vector to length 1, unless it is zero, and reports whether it did.
func Normalize(vector []float32) bool {
	squares := InOrder(vector, vector)
	if squares == 0 {
		return false
	}
	scale := float32(1 / math.Sqrt(squares))
	for i := range vector {
		vector[i] *= scale
	}
	return true
}
