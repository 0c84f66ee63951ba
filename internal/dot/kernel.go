package dot

// Kernel is one implementation of the dot products. Its methods may only be called on a machine that supports it: get
// it from [Best] or [Supported].
type Kernel uint8

// The kernels, from slow to fast.
const (
	Portable Kernel = iota // Go, on every machine
	NEON                   // 4 lanes; on every arm64 machine
	AVX2                   // 8 lanes; needs AVX2 and FMA
	AVX512                 // 16 lanes; needs AVX512F, AVX512_VNNI and BMI2
)

// Best returns the fastest kernel that this machine supports.
func Best() Kernel {
	supported := Supported()
	return supported[len(supported)-1]
}

// String returns the kernel's name: "portable", "neon", "avx2" or "avx512".
func (k Kernel) String() string {
	switch k {
	case AVX512:
		return "avx512"
	case AVX2:
		return "avx2"
	case NEON:
		return "neon"
	}
	return "portable"
}

// Dot returns the dot product of a and the first len(a) numbers of b.
func (k Kernel) Dot(a, b []float32) float32 {
	return k.dot(a, b[:len(a)])
}

// Scan sets out[i] to the dot product of query and row i of rows, a row-major matrix of
// len(out) rows of len(query) numbers.
func (k Kernel) Scan(out, query, rows []float32) {
	dim := len(query)
	rows = rows[:len(out)*dim]
	for len(out) >= 4 {
		k.four((*[4]float32)(out), query, rows[:dim], rows[dim:2*dim], rows[2*dim:3*dim], rows[3*dim:4*dim])
		out, rows = out[4:], rows[4*dim:]
	}
	for i := range out {
		out[i] = k.dot(query, rows[i*dim:(i+1)*dim])
	}
}

// blockNumbers is the number of numbers of the second matrix that Multiply compares with all rows of the first one at a
// time, so that they stay in the nearest cache of a core.
const blockNumbers = 6 << 10

// Multiply sets product to the product of a and the transpose of b, all row-major: row i of product holds the dot
// products of row i of a with the rows of b. Rows of a and b have dim numbers, 1 or more.
func (k Kernel) Multiply(product, a, b []float32, dim int) {
	rows, columns := len(a)/dim, len(b)/dim
	a, b, product = a[:rows*dim], b[:columns*dim], product[:rows*columns]
	tile, tileRows := k.tile()
	tiled := 0 // rows of a that fill tiles
	if tile != nil {
		tiled = rows - rows%tileRows
	}
	const tileColumns = 4
	width := max(1, blockNumbers/dim/tileColumns) * tileColumns
	for first := 0; first < columns; first += width {
		end := min(first+width, columns)
		rest := end - (end-first)%tileColumns
		for i := 0; i < tiled; i += tileRows {
			for j := first; j < rest; j += tileColumns {
				tile(&a[i*dim], &b[j*dim], dim, &product[i*columns+j], columns)
			}
		}
		for i := range rows {
			from := first
			if i < tiled {
				from = rest
			}
			k.Scan(product[i*columns+from:i*columns+end], a[i*dim:(i+1)*dim], b[from*dim:])
		}
	}
}

// Gather sets out[i] to the dot product of query and row rows[i] of data, a row-major matrix of rows of len(query)
// numbers.
func (k Kernel) Gather(out, query, data []float32, rows []uint32) {
	dim := len(query)
	out = out[:len(rows)]
	at := func(row uint32) []float32 { return data[int(row)*dim : (int(row)+1)*dim] }
	for len(rows) >= 4 {
		k.four((*[4]float32)(out), query, at(rows[0]), at(rows[1]), at(rows[2]), at(rows[3]))
		out, rows = out[4:], rows[4:]
	}
	for i, row := range rows {
		out[i] = k.dot(query, at(row))
	}
}

// dotPortable is the Go version of the assembly. It has four sums, so an addition does not wait for the previous one.
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
