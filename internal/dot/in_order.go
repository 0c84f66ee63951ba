package dot

// InOrder returns the dot product of a and the first elements of b, summed in float64 in their order: the same bits on
// every processor, for what is computed a few times for each mention.
func InOrder[T float32 | float64](a, b []T) float64 {
	sum := 0.
	for i := range a {
		sum += float64(float64(a[i]) * float64(b[i])) // a conversion, so that no processor fuses the two steps
	}
	return sum
}
