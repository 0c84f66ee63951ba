package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "github.com/ctxnorm/ctxnorm/internal/asmgen"
)

// genAddNorm writes the LayerNorm of a sum. It passes over a row three times, and a row stays in the
// cache between them.
func (s set) genAddNorm() {
	Begin("addNorm"+s.name, "func(h, y, weight, bias *float32, rows, width int, share, eps float32)")
	h, y, weight, bias := Argument("h"), Argument("y"), Argument("weight"), Argument("bias")
	rows, width := Argument("rows"), Argument("width")
	share, eps := Broadcast("share", s.vector), Broadcast("eps", s.vector)
	one := s.constant(1)
	eachRow(rows, func() {
		sums := s.zeros()
		s.each("sum", width, func(offset reg.GPVirtual, u int) {
			x := s.vector()
			VMOVUPS(s.at(h, offset, u), x)
			VADDPS(s.at(y, offset, u), x, x)
			VADDPS(x, sums[u], sums[u])
			VMOVUPS(x, s.at(h, offset, u))
		})
		mean := s.reduce(sums, add)
		VMULPS(share, mean, mean)
		squares := s.zeros()
		s.each("squares", width, func(offset reg.GPVirtual, u int) {
			x := s.vector()
			VMOVUPS(s.at(h, offset, u), x)
			VSUBPS(mean, x, x)
			VFMADD231PS(x, x, squares[u])
		})
		variance := s.reduce(squares, add)
		VFMADD213PS(eps, share, variance)
		scale := s.vector()
		VSQRTPS(variance, scale)
		VDIVPS(scale, one, scale)
		s.each("norm", width, func(offset reg.GPVirtual, u int) {
			x, shift := s.vector(), s.vector()
			VMOVUPS(s.at(h, offset, u), x)
			VSUBPS(mean, x, x)
			VMULPS(scale, x, x)
			VMOVUPS(s.at(bias, offset, u), shift)
			VFMADD132PS(s.at(weight, offset, u), shift, x)
			VMOVUPS(x, s.at(h, offset, u))
		})
		LEAQ(Mem{Base: h, Index: width, Scale: 4}, h)
		LEAQ(Mem{Base: y, Index: width, Scale: 4}, y)
	})
}

// The error function is x p(x²)/q(x²) for |x| up to 4, of the highest power first: the rational
// approximation of Eigen (unsupported/Eigen/SpecialFunctions, generic_fast_erf_float).
var (
	erfOdd = []float64{-2.72614225801306e-10, 2.77068142495902e-08, -2.10102402082508e-06, -5.69250639462346e-05,
		-7.34990630326855e-04, -2.95459980854025e-03, -1.60960333262415e-02}
	erfEven = []float64{-1.45660718464996e-05, -2.13374055278905e-04, -1.68282697438203e-03, -7.37332916720468e-03,
		-1.42647390514189e-02}
)

// table returns the coefficients as a table in memory.
func table(name string, coefficients []float64) Mem {
	words := make([]uint32, len(coefficients))
	for i, c := range coefficients {
		words[i] = math.Float32bits(float32(c))
	}
	return Table(name, words...)
}

// horner adds to the polynomial p the coefficient i of a table: p = p*x + table[i].
func (s set) horner(base reg.GPVirtual, i int, x, p reg.VecVirtual) {
	c := s.broadcastFrom(Mem{Base: base, Disp: 4 * i})
	VFMADD213PS(c, x, p)
}

// address returns a register with the address of a table.
func address(m Mem) reg.GPVirtual {
	r := GP64()
	LEAQ(m, r)
	return r
}

// genGELU writes x Φ(x) = x/2 (1 + erf(x/√2)).
func (s set) genGELU() {
	Begin("gelu"+s.name, "func(x *float32, n int)")
	x, n := Argument("x"), Argument("n")
	odd, even := address(table("erfOdd", erfOdd)), address(table("erfEven", erfEven))
	root, bound, low, half := s.constant(math.Sqrt(.5)), s.constant(4), s.constant(-4), s.constant(.5)
	s.each("gelu", n, func(offset reg.GPVirtual, u int) {
		v, z, square, p := s.vector(), s.vector(), s.vector(), s.vector()
		VMOVUPS(s.at(x, offset, u), v)
		VMULPS(root, v, z)
		VMINPS(bound, z, z)
		VMAXPS(low, z, z)
		VMULPS(z, z, square)
		VBROADCASTSS(Mem{Base: odd}, p)
		for i := 1; i < len(erfOdd); i++ {
			s.horner(odd, i, square, p)
		}
		VMULPS(z, p, p)
		q := s.broadcastFrom(Mem{Base: even})
		for i := 1; i < len(erfEven); i++ {
			s.horner(even, i, square, q)
		}
		VDIVPS(q, p, p) // erf
		VMULPS(half, v, v)
		VFMADD213PS(v, v, p)
		VMOVUPS(p, s.at(x, offset, u))
	})
	VZEROUPPER()
	RET()
}

// power2 returns 2^x, for x up to 126, in the memory of x: 2^n by the exponent of a number, n the
// nearest integer, times the Taylor polynomial of 2^(x-n) of degree 6, whose error is 1.2e-7.
type power2 struct {
	set
	coefficients  reg.GPVirtual
	least, shift  reg.VecVirtual
	exponentsBias reg.VecVirtual
}

// power2Degree is the degree of the polynomial.
const power2Degree = 6

func (s set) newPower2() *power2 {
	coefficients := make([]float64, power2Degree+1) // of the highest power first
	c := 1.0
	for k := range coefficients {
		coefficients[power2Degree-k] = c
		c *= math.Ln2 / float64(k+1)
	}
	return &power2{s, address(table("power2", coefficients)), s.constant(-126), s.constant(3 << 22), s.word(127)}
}

func (p *power2) of(x reg.VecVirtual) reg.VecVirtual {
	n, exponent := p.vector(), p.vector()
	VMAXPS(x, p.least, x) // in this order NaN stays NaN
	VADDPS(p.shift, x, n) // adding 1.5 2^23 rounds to integers
	VSUBPS(p.shift, n, n)
	VSUBPS(n, x, x)
	VCVTPS2DQ(n, exponent)
	VPADDD(p.exponentsBias, exponent, exponent)
	VPSLLD(U8(23), exponent, exponent)
	y := p.broadcastFrom(Mem{Base: p.coefficients})
	for i := 1; i <= power2Degree; i++ {
		p.horner(p.coefficients, i, x, y)
	}
	VMULPS(exponent, y, y)
	return y
}

// genSoftmax writes the softmax with powers of two.
func (s set) genSoftmax() {
	Begin("softmax"+s.name, "func(x *float32, rows, width int)")
	x, rows, width := Argument("x"), Argument("rows"), Argument("width")
	power, one := s.newPower2(), s.constant(1)
	eachRow(rows, func() {
		most := make([]reg.VecVirtual, s.vectors())
		for u := range most {
			most[u] = s.vector()
			VMOVUPS(Mem{Base: x, Disp: 4 * s.lanes * u}, most[u])
		}
		s.each("greatest", width, func(offset reg.GPVirtual, u int) { VMAXPS(s.at(x, offset, u), most[u], most[u]) })
		greatest := s.reduce(most, greater)
		sums := s.zeros()
		s.each("powers", width, func(offset reg.GPVirtual, u int) {
			v := s.vector()
			VMOVUPS(s.at(x, offset, u), v)
			VSUBPS(greatest, v, v)
			v = power.of(v)
			VADDPS(v, sums[u], sums[u])
			VMOVUPS(v, s.at(x, offset, u))
		})
		sum := s.reduce(sums, add)
		VDIVPS(sum, one, sum)
		s.each("shares", width, func(offset reg.GPVirtual, u int) {
			v := s.vector()
			VMULPS(s.at(x, offset, u), sum, v)
			VMOVUPS(v, s.at(x, offset, u))
		})
		LEAQ(Mem{Base: x, Index: width, Scale: 4}, x)
	})
}
