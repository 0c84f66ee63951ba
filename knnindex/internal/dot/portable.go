package dot

// dotPortable is the Go twin of the assembly: four sums, so that an addition
// need not wait for the one before it.
func dotPortable(a, b []float32) float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float32
	for len(a) >= 4 {
		x, y := a[:4:4], b[:4:4]
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
		a, b = a[4:], b[4:]
	}
	for i := range a {
		s0 += a[i] * b[i]
	}
	return (s0 + s2) + (s1 + s3)
}

func fourPortable(out *[4]float32, query, r0, r1, r2, r3 []float32) {
	out[0] = dotPortable(query, r0)
	out[1] = dotPortable(query, r1)
	out[2] = dotPortable(query, r2)
	out[3] = dotPortable(query, r3)
}
