package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "github.com/ctxnorm/ctxnorm/internal/asmgen"
)

// genExpand converts rows of bfloat16 that are stride numbers apart to consecutive rows
// of float32.
func genExpand() {
	Begin("expandAVX512", "func(to *float32, from *uint16, rows, width, stride int)",
		"expandAVX512 converts rows to float32, one after another. width is a multiple of 16.")
	to, from := Argument("to"), Argument("from")
	rows, width, stride := Argument("rows"), Argument("width"), Argument("stride")
	eachRow(rows, func() {
		eachRegister("expand", width, func(i reg.GPVirtual) {
			VMOVUPS(load(halves(from, i), nil), fulls(to, i))
		})
		LEAQ(Mem{Base: from, Index: stride, Scale: 2}, from)
		LEAQ(Mem{Base: to, Index: width, Scale: 4}, to)
	})
}

// genRound converts consecutive rows of float32 to rows of bfloat16 that are stride
// numbers apart.
func genRound() {
	Begin("roundAVX512", "func(to *uint16, from *float32, rows, width, stride int)",
		"roundAVX512 rounds rows that lie one after another to bfloat16 rows stride numbers apart. width is a multiple of 16.")
	to, from := Argument("to"), Argument("from")
	rows, width, stride := Argument("rows"), Argument("width"), Argument("stride")
	round := newRounding()
	eachRow(rows, func() {
		eachRegister("round", width, func(i reg.GPVirtual) {
			x := ZMM()
			VMOVUPS(fulls(from, i), x)
			round.store(x, halves(to, i), nil)
		})
		LEAQ(Mem{Base: to, Index: stride, Scale: 2}, to)
		LEAQ(Mem{Base: from, Index: width, Scale: 4}, from)
	})
}

// genTranspose gathers one 32-bit word, two numbers, from each of 16 rows at a time.
func genTranspose() {
	Begin("transposeAVX512", "func(to *float32, from *uint16, rows, width, stride, columns int)",
		"transposeAVX512 converts number i of row j to float32 and writes it to to[i*columns+j]. Rows are stride numbers",
		"apart. width is even; columns is rows rounded up to 16, and the surplus columns are zero.")
	to, from := Argument("to"), Argument("from")
	rows, width, stride, columns := Argument("rows"), Argument("width"), Argument("stride"), Argument("columns")
	upper, offsets := words(0xffff0000), lanesTimes(stride)
	SHLQ(U8(2), columns) // bytes
	Label("rows")
	mask, ones := K(), GP32()
	MOVL(I32(-1), ones)
	CMPQ(rows, U8(lanes))
	JGE(LabelRef("whole"))
	BZHIL(rows.As32(), ones, ones) // the remaining rows
	Label("whole")
	KMOVW(ones, mask)

	i, column := GP64(), GP64()
	XORQ(i, i)
	MOVQ(to, column)
	Label("numbers")
	pair, low, done := ZeroZMM(), ZMM(), K()
	KMOVW(mask, done) // a gather clears its mask
	VPGATHERDD(Mem{Base: from, Index: offsets, Scale: 2}, done, pair)
	VPSLLD(U8(16), pair, low)
	VPANDD(upper, pair, pair)
	VMOVUPS(low, Mem{Base: column})
	VMOVUPS(pair, Mem{Base: column, Index: columns, Scale: 1})
	LEAQ(Mem{Base: column, Index: columns, Scale: 2}, column)
	ADDQ(U8(4), from)
	ADDQ(U8(2), i)
	CMPQ(i, width)
	JLT(LabelRef("numbers"))

	SHLQ(U8(1), i)
	SUBQ(i, from) // back to the first number
	sixteen := GP64()
	MOVQ(stride, sixteen)
	SHLQ(U8(5), sixteen) // bytes of 16 rows
	ADDQ(sixteen, from)
	ADDQ(U8(4*lanes), to)
	SUBQ(U8(lanes), rows)
	JG(LabelRef("rows"))
	VZEROUPPER()
	RET()
}

// lanesTimes returns 0, n, 2 n, … in the lanes of a register.
func lanesTimes(n reg.GPVirtual) reg.VecVirtual {
	numbers := make([]uint32, lanes)
	for i := range numbers {
		numbers[i] = uint32(i)
	}
	counts := Table("counts", numbers...)
	z := ZMM()
	VPBROADCASTD(n.As32(), z)
	VPMULLD(counts, z, z)
	return z
}

const productRows = 8

// genProduct keeps the sums of 16 columns in one register per row, for eight rows.
func genProduct() {
	Begin("productAVX512", "func(to, a, b *float32, depth, columns, stride int)",
		"productAVX512 writes the product of a, 8 rows of depth numbers that are stride numbers apart, and b, depth rows",
		"of columns numbers. columns is a multiple of 16.")
	to, a, b := Argument("to"), Argument("a"), Argument("b")
	depth, columns, stride := Argument("depth"), Argument("columns"), Argument("stride")
	SHLQ(U8(2), stride) // bytes, as are three, five and seven times the stride
	three, five, seven, row := GP64(), GP64(), GP64(), GP64()
	LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, three)
	LEAQ(Mem{Base: stride, Index: stride, Scale: 4}, five)
	LEAQ(Mem{Base: three, Index: stride, Scale: 4}, seven)
	numbers := func(k reg.GPVirtual) [productRows]Mem {
		at := func(step reg.GPVirtual, scale uint8) Mem { return Mem{Base: k, Index: step, Scale: scale} }
		return [productRows]Mem{
			{Base: k}, at(stride, 1), at(stride, 2), at(three, 1),
			at(stride, 4), at(five, 1), at(three, 2), at(seven, 1),
		}
	}
	remaining := GP64()
	MOVQ(columns, remaining)
	SHLQ(U8(2), columns) // bytes
	Label("columns")
	var sums [productRows]reg.VecVirtual
	for r := range sums {
		sums[r] = ZeroZMM()
	}
	k, count := GP64(), GP64()
	MOVQ(a, k)
	MOVQ(b, row)
	MOVQ(depth, count)
	Label("depth")
	x := ZMM()
	VMOVUPS(Mem{Base: row}, x)
	for r, number := range numbers(k) {
		VFMADD231PS_BCST(number, x, sums[r])
	}
	ADDQ(U8(4), k)
	ADDQ(columns, row)
	DECQ(count)
	JNZ(LabelRef("depth"))

	MOVQ(to, row)
	for _, sum := range sums {
		VMOVUPS(sum, Mem{Base: row})
		ADDQ(columns, row)
	}
	ADDQ(U8(4*lanes), to)
	ADDQ(U8(4*lanes), b)
	SUBQ(U8(lanes), remaining)
	JG(LabelRef("columns"))
	VZEROUPPER()
	RET()
}

// genSoftmax makes three passes over a row: the maximum, the powers of 2 and their sum,
// and the quotients.
func genSoftmax() {
	Begin("softmaxAVX512", "func(numbers *float32, rows, length, columns int, scale float32)",
		"softmaxAVX512 replaces the first length numbers x of each row by the softmax with powers 2^(scale x), and those up",
		"to the next multiple of 16 by zero. Rows are columns numbers apart.")
	row, rows := Argument("numbers"), Argument("rows")
	length, columns := Argument("length"), Argument("columns")
	scale := Broadcast("scale", ZMM)
	inRow := spanOf(length)
	lowest, one, power := floats(float32(math.Inf(-1))), floats(1), newPower()
	eachRow(rows, func() {
		maximum, sum := ZMM(), ZeroZMM()
		VMOVAPS(lowest, maximum)
		inRow.each("most", func(i reg.GPVirtual, mask *reg.OpmaskVirtual) {
			if mask == nil {
				VMAXPS(fulls(row, i), maximum, maximum)
			} else {
				VMAXPS(fulls(row, i), maximum, *mask, maximum)
			}
		})
		acrossLanes(maximum, greater)
		inRow.each("powers", func(i reg.GPVirtual, mask *reg.OpmaskVirtual) {
			x := ZMM()
			VMOVUPS(fulls(row, i), x)
			VSUBPS(maximum, x, x)
			VMULPS(scale, x, x)
			power.of(x, mask)
			VADDPS(x, sum, sum)
			VMOVUPS(x, fulls(row, i))
		})
		acrossLanes(sum, add)
		VDIVPS(sum, one, sum)
		inRow.each("shares", func(i reg.GPVirtual, mask *reg.OpmaskVirtual) {
			x := ZMM()
			VMULPS(fulls(row, i), sum, x)
			VMOVUPS(x, fulls(row, i))
		})
		LEAQ(Mem{Base: row, Index: columns, Scale: 4}, row)
	})
}

// power computes 2^x = 2^n 2^f, with n the integer nearest to x, by the Taylor series of
// 2^f for |f| ≤ 1/2. Its relative error is 2.5e-6, a thousandth of what rounding to
// bfloat16 loses.
type power struct{ coefficients []reg.VecVirtual }

func newPower() power {
	p, c := power{}, 1.0
	for k := range 6 {
		p.coefficients = append(p.coefficients, floats(float32(c)))
		c *= math.Ln2 / float64(k+1)
	}
	return p
}

// of replaces x by 2^x, and lanes that the mask excludes by zero.
func (p power) of(x reg.VecVirtual, mask *reg.OpmaskVirtual) {
	const nearest = 8
	whole, y := ZMM(), ZMM()
	VRNDSCALEPS(U8(nearest), x, whole)
	VSUBPS(whole, x, x)
	last := len(p.coefficients) - 1
	VMOVAPS(p.coefficients[last], y)
	for k := last - 1; k >= 0; k-- {
		VFMADD213PS(p.coefficients[k], x, y)
	}
	if mask == nil {
		VSCALEFPS(whole, y, x)
	} else {
		VSCALEFPS_Z(whole, y, *mask, x)
	}
}
