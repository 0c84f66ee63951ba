package dot

// Kernel is one implementation of the dot products. Its methods may be used
// only on a machine that has it: take it from [Best] or [Supported].
type Kernel uint8

// The kernels, the slowest first.
const (
	Portable Kernel = iota // Go, on every machine
	AVX2                   // 8 lanes; needs AVX2 and FMA
	AVX512                 // 16 lanes; needs AVX512F, AVX512_VNNI and BMI2
)

// Best is the fastest kernel that this machine has.
func Best() Kernel {
	supported := Supported()
	return supported[len(supported)-1]
}

// String is the kernel's name: "portable", "avx2" or "avx512".
func (k Kernel) String() string {
	switch k {
	case AVX512:
		return "avx512"
	case AVX2:
		return "avx2"
	}
	return "portable"
}

// Dot is the dot product of a and of the first len(a) numbers of b.
func (k Kernel) Dot(a, b []float32) float32 {
	return k.dot(a, b[:len(a)])
}

// Scan writes to out[i] the dot product of query and row i of rows, which holds
// len(out) rows of len(query) numbers, one after another.
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

// Gather writes to out[i] the dot product of query and row rows[i] of data, a
// matrix of rows of len(query) numbers.
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
