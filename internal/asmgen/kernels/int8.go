package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "github.com/ctxnorm/ctxnorm/internal/asmgen"
)

// genMultiplyInt8 writes the product of tiles below each other, of 8-bit integers with sums of 32 bits
// (VPDPBUSD). A step of the loop takes four numbers of each row of a and four rows of b, number by number.
func genMultiplyInt8(t tile) {
	name := fmt.Sprintf("multiply%dx%dInt8", t.rows, t.columns)
	Begin(name, "func(c *float32, a *int8, b *uint8, bias, scales, rowScales *float32, corrections *int32, "+
		"ldc, lda, ldb, depth, blocks int)",
		fmt.Sprintf("%s computes bias plus scales times rowScales times the sum of corrections and the product of", name),
		fmt.Sprintf("blocks times %d rows of a and %d columns of b. Rows of c and a, and fours of rows", t.rows, t.columns),
		"of b, are ldc, lda and ldb bytes apart; depth is the number of fours.")
	c, a, b := Argument("c"), Argument("a"), Argument("b")
	lda, ldb := Argument("lda"), Argument("ldb")
	rowScales, corrections := Argument("rowScales"), Argument("corrections")
	vectors := t.columns / avx512.lanes
	sums := make([][]reg.VecVirtual, t.rows)
	rows := newTileRows(t, a, lda)

	Label("block")
	for r := range sums {
		for range vectors {
			sums[r] = append(sums[r], ZMM())
			VPBROADCASTD(Mem{Base: corrections, Disp: 4 * r}, sums[r][len(sums[r])-1])
		}
	}
	rows.eachStep(b, ldb, func(from reg.GPVirtual) {
		columns := make([]reg.VecVirtual, vectors)
		for v := range columns {
			columns[v] = ZMM()
			VMOVUPS(Mem{Base: from, Disp: 64 * v}, columns[v])
		}
		for r := range sums {
			four := ZMM()
			VPBROADCASTD(rows.at(r), four)
			for v := range columns {
				VPDPBUSD(four, columns[v], sums[r][v])
			}
		}
	})

	ldc, bias, scales := Argument("ldc"), Argument("bias"), Argument("scales")
	for r := range sums {
		rowScale := avx512.broadcastFrom(Mem{Base: rowScales, Disp: 4 * r})
		for v := range sums[r] {
			x := sums[r][v]
			VCVTDQ2PS(x, x)
			VMULPS(rowScale, x, x)
			VMULPS(Mem{Base: scales, Disp: 64 * v}, x, x)
			VADDPS(Mem{Base: bias, Disp: 64 * v}, x, x)
			VMOVUPS(x, Mem{Base: c, Disp: 64 * v})
		}
		ADDQ(ldc, c)
	}
	ADDQ(U8(4*t.rows), rowScales)
	ADDQ(U8(4*t.rows), corrections)
	rows.nextBlock()
}

// genQuantize writes the quantization of rows.
func genQuantize() {
	Begin("quantizeInt8", "func(to *int8, scales *float32, corrections *int32, from, smoothing *float32, rows, width int)",
		"quantizeInt8 multiplies each row by smoothing, and quantizes it to integers from -127 to 127 of a scale of",
		"the row's own. The correction is -128 times their sum. width is a multiple of 32.")
	to, scales, corrections := Argument("to"), Argument("scales"), Argument("corrections")
	from, smoothing, rows, width := Argument("from"), Argument("smoothing"), Argument("rows"), Argument("width")
	s := avx512
	magnitude, most, least := s.word(0x7fffffff), s.constant(127), s.constant(1e-30)
	eachRow(rows, func() {
		all := s.zeros()
		s.each("greatest", width, func(offset reg.GPVirtual, u int) {
			x := ZMM()
			VMOVUPS(s.at(from, offset, u), x)
			VMULPS(s.at(smoothing, offset, u), x, x)
			VPANDD(magnitude, x, x)
			VMAXPS(all[u], x, all[u])
		})
		greatest := s.reduce(all, greater)
		VMAXPS(least, greatest, greatest)
		scale, inverse := ZMM(), ZMM()
		VDIVPS(most, greatest, scale)
		VMOVSS(scale.AsX(), Mem{Base: scales})
		VDIVPS(greatest, most, inverse)
		sums := s.zeros()
		s.each("quantize", width, func(offset reg.GPVirtual, u int) {
			x := ZMM()
			VMOVUPS(s.at(from, offset, u), x)
			VMULPS(s.at(smoothing, offset, u), x, x)
			VMULPS(inverse, x, x)
			VCVTPS2DQ(x, x)
			VPADDD(x, sums[u], sums[u])
			VPMOVSDB(x, Mem{Base: to, Index: offset, Scale: 1, Disp: 16 * u})
		})
		sum, negated := s.reduce(sums, func(a, b, to reg.VecVirtual) { VPADDD(a, b, to) }), s.zero()
		VPSLLD(U8(7), sum, sum)
		VPSUBD(sum, negated, negated)
		VMOVD(negated.AsX(), Mem{Base: corrections})
		ADDQ(U8(4), scales)
		ADDQ(U8(4), corrections)
		ADDQ(width, to)
		LEAQ(Mem{Base: from, Index: width, Scale: 4}, from)
	})
}
