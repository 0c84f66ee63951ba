package dot

// InOrder returns the dot product of a and the first elements of b, summed in order in float64: the same bits on every
// processor. Use it for values that are computed a few times per mention.
func InOrder[T float32 | float64](a, b []T) float64 {
	sum := 0.
	for i := range a {
		sum += float64(float64(a[i]) * float64(b[i])) // the conversion keeps processors from fusing the two steps
	}
	return sum
}
