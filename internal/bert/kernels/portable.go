package kernels

import (
	"math"
	"unsafe"
)

// rowsOf returns n numbers of memory from p as a slice. The methods of [Set] have checked the bounds.
func rowsOf(p *float32, n int) []float32 { return unsafe.Slice(p, n) }

// multiply4x16Go computes blocks of 4 rows and 16 columns, two columns at a time, which fit in the registers of any
// processor.
func multiply4x16Go(c, a, b, bias *float32, ldc, lda, ldb, depth, blocks int) {
	const rows, columns, size = 4, 16, 4
	ldc, lda, ldb = ldc/size, lda/size, ldb/size
	to := rowsOf(c, (rows*blocks-1)*ldc+columns)
	from := rowsOf(a, (rows*blocks-1)*lda+depth)
	weights, start := rowsOf(b, (depth-1)*ldb+columns), rowsOf(bias, columns)
	for range blocks {
		a0, a1, a2, a3 := from[:depth], from[lda:][:depth], from[2*lda:][:depth], from[3*lda:][:depth]
		for column := 0; column < columns; column += 2 {
			s0, t0 := start[column], start[column+1]
			s1, t1, s2, t2, s3, t3 := s0, t0, s0, t0, s0, t0
			at := column
			for k, v := range a0 {
				w0, w1 := weights[at], weights[at+1]
				s0 += v * w0
				t0 += v * w1
				s1 += a1[k] * w0
				t1 += a1[k] * w1
				s2 += a2[k] * w0
				t2 += a2[k] * w1
				s3 += a3[k] * w0
				t3 += a3[k] * w1
				at += ldb
			}
			to[column], to[column+1] = s0, t0
			to[ldc+column], to[ldc+column+1] = s1, t1
			to[2*ldc+column], to[2*ldc+column+1] = s2, t2
			to[3*ldc+column], to[3*ldc+column+1] = s3, t3
		}
		if len(to) > rows*ldc {
			to, from = to[rows*ldc:], from[rows*lda:]
		}
	}
}

func addNormPortable(h, y, weight, bias *float32, rows, width int, _, eps float32) {
	addNormGo(rowsOf(h, rows*width), rowsOf(y, rows*width), rowsOf(weight, width), rowsOf(bias, width), width, eps)
}

// addNormGo is [Set.AddNorm] for rows with a distance of stride numbers.
func addNormGo(h, y, weight, bias []float32, stride int, eps float32) {
	width := float32(len(weight))
	for start := 0; start < len(h); start += stride {
		row, more := h[start:start+len(weight)], y[start:start+len(weight)]
		sum := float32(0)
		for i, v := range more {
			row[i] += v
			sum += row[i]
		}
		mean, squares := sum/width, float32(0)
		for _, v := range row {
			squares += (v - mean) * (v - mean)
		}
		scale := float32(1 / math.Sqrt(float64(squares/width+eps)))
		for i, v := range row {
			row[i] = (v-mean)*scale*weight[i] + bias[i]
		}
	}
}

func geluGo(x *float32, n int) {
	for i, v := range rowsOf(x, n) {
		rowsOf(x, n)[i] = v / 2 * (1 + erf(v*(math.Sqrt2/2)))
	}
}

// erf is the error function, computed with the rational approximation of Eigen (unsupported/Eigen/SpecialFunctions,
// generic_fast_erf_float).
func erf(x float32) float32 {
	x = min(max(x, -erfBound), erfBound)
	s := x * x
	p := float32(erf13)
	p = p*s + erf11
	p = p*s + erf9
	p = p*s + erf7
	p = p*s + erf5
	p = p*s + erf3
	p = p*s + erf1
	q := float32(erf8)
	q = q*s + erf6
	q = q*s + erf4
	q = q*s + erf2
	q = q*s + erf0
	return x * p / q
}

// The coefficients of [erf] by the power of its argument, odd in the numerator and even in the denominator, and the
// bound of the argument.
const (
	erf13, erf11, erf9     = -2.72614225801306e-10, 2.77068142495902e-08, -2.10102402082508e-06
	erf7, erf5, erf3, erf1 = -5.69250639462346e-05, -7.34990630326855e-04, -2.95459980854025e-03, -1.60960333262415e-02
	erf8, erf6             = -1.45660718464996e-05, -2.13374055278905e-04
	erf4, erf2, erf0       = -1.68282697438203e-03, -7.37332916720468e-03, -1.42647390514189e-02
	erfBound               = 4
)

// tanhGELU is plain Go in every set, because few models use it.
func tanhGELU(x []float32) {
	const factor = -2 * 0.7978845608028654 * log2e // √(2/π)
	for i, v := range x {
		z := v * (factor*.044715*v*v + factor)
		x[i] = v / (1 + power2(min(z, 126)))
	}
}

func softmaxGo(x *float32, rows, width int) {
	all := rowsOf(x, rows*width)
	for r := range rows {
		row := all[r*width : (r+1)*width]
		greatest, sum := row[0], float32(0)
		for _, v := range row {
			greatest = max(greatest, v)
		}
		for i, v := range row {
			row[i] = power2(v - greatest)
			sum += row[i]
		}
		share := 1 / sum
		for i := range row {
			row[i] *= share
		}
	}
}

// power2 returns 2^x for x up to 126: 2^n, set as the exponent of a number, where n is the nearest integer, times the
// Taylor polynomial of 2^(x-n) of degree 6.
func power2(x float32) float32 {
	x = max(x, -126)
	const shift = 3 << 22 // adding 1.5 2^23 rounds to integers
	n := float32(x+shift) - shift
	f := x - n
	y := float32(math.Ln2 * math.Ln2 * math.Ln2 * math.Ln2 * math.Ln2 * math.Ln2 / 720)
	y = y*f + math.Ln2*math.Ln2*math.Ln2*math.Ln2*math.Ln2/120
	y = y*f + math.Ln2*math.Ln2*math.Ln2*math.Ln2/24
	y = y*f + math.Ln2*math.Ln2*math.Ln2/6
	y = y*f + math.Ln2*math.Ln2/2
	y = y*f + math.Ln2
	y = y*f + 1
	return y * math.Float32frombits(uint32(int32(n)+127)<<23)
}
