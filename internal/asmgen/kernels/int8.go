package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "github.com/ctxnorm/ctxnorm/internal/asmgen"
)

// int8Set is an instruction set with products of 8-bit integers.
type int8Set struct {
	set
	tiles     []tile
	registers tileRegisters
	// addFours writes VPDPBUSD: each lane of sum gets the products of the four signed integers of the lane of
	// a and the unsigned ones of b.
	addFours func(sum, a, b reg.VecPhysical)
	// pack stores the integers of a step, each of 32 bits, in 8 bits.
	pack func(step []reg.VecVirtual, to Mem)
}

var (
	avx512VNNI = int8Set{avx512, []tile{{12, 32}, {4, 32}}, zmmRegisters,
		func(sum, a, b reg.VecPhysical) { VPDPBUSD(a, b, sum) },
		func(step []reg.VecVirtual, to Mem) {
			for u, x := range step {
				VPMOVSDB(x, to.Offset(16*u))
			}
		}}
	avxVNNI = int8Set{avx2, []tile{{6, 16}, {3, 16}}, ymmRegisters,
		func(sum, a, b reg.VecPhysical) { vex256(0x50, sum, b, a) }, packAVX2}
)

// vex256 writes an instruction of 256 bits with three registers, of the opcode map 0F38 with the prefix 66
// (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, section 2.3).
func vex256(opcode byte, to, first, second reg.VecPhysical) {
	const map0F38, prefix66, length256 = 0b00010, 0b01, 1
	t, f, s := number(to), number(first), number(second)
	write(0xc4, inverted(t, 3)<<7|1<<6|inverted(s, 3)<<5|map0F38, (^f&0b1111)<<3|length256<<2|prefix66,
		opcode, 0b11<<6|t&7<<3|s&7)
}

// packAVX2 packs within blocks of 128 bits and puts the blocks in order then.
func packAVX2(step []reg.VecVirtual, to Mem) {
	VPACKSSDW(step[1], step[0], step[0])
	VPACKSSDW(step[3], step[2], step[2])
	VPACKSSWB(step[2], step[0], step[0])
	order := YMM()
	VMOVDQU(Table("packed", 0, 4, 1, 5, 2, 6, 3, 7), order)
	VPERMD(step[0], order, step[0])
	VMOVDQU(step[0], to)
}

// genMultiply writes the product of tiles below each other, of 8-bit integers with sums of 32 bits. A step of
// the loop takes four numbers of each row of a and four rows of b, number by number.
func (s int8Set) genMultiply(t tile) {
	name := fmt.Sprintf("multiply%dx%dInt8%s", t.rows, t.columns, s.name)
	Begin(name, "func(c *float32, a *int8, b *uint8, bias, scales, rowScales *float32, corrections *int32, "+
		"ldc, lda, ldb, depth, blocks int)")
	c, a, b := Argument("c"), Argument("a"), Argument("b")
	lda, ldb := Argument("lda"), Argument("ldb")
	rowScales, corrections := Argument("rowScales"), Argument("corrections")
	vectors, size := t.columns/s.lanes, 4*s.lanes // of the registers, in bytes
	columns, x := s.registers.columns, s.registers.x
	sum := func(row, vector int) reg.VecPhysical { return s.registers.sums[row*vectors+vector] }
	rows := newTileRows(t, a, lda)

	Label("block")
	for r := range t.rows {
		for v := range vectors {
			VPBROADCASTD(Mem{Base: corrections, Disp: 4 * r}, sum(r, v))
		}
	}
	rows.eachStep(b, ldb, func(from reg.GPVirtual) {
		for v := range vectors {
			VMOVUPS(Mem{Base: from, Disp: size * v}, columns[v])
		}
		for r := range t.rows {
			four := x[r%len(x)]
			VPBROADCASTD(rows.at(r), four)
			for v := range vectors {
				s.addFours(sum(r, v), four, columns[v])
			}
		}
	})

	ldc, bias, scales := Argument("ldc"), Argument("bias"), Argument("scales")
	for r := range t.rows {
		rowScale := x[0]
		VBROADCASTSS(Mem{Base: rowScales, Disp: 4 * r}, rowScale)
		for v := range vectors {
			y := sum(r, v)
			VCVTDQ2PS(y, y)
			VMULPS(rowScale, y, y)
			VMULPS(Mem{Base: scales, Disp: size * v}, y, y)
			VADDPS(Mem{Base: bias, Disp: size * v}, y, y)
			VMOVUPS(y, Mem{Base: c, Disp: size * v})
		}
		ADDQ(ldc, c)
	}
	ADDQ(U8(4*t.rows), rowScales)
	ADDQ(U8(4*t.rows), corrections)
	rows.nextBlock()
}

// genQuantize writes the quantization of rows.
func (s int8Set) genQuantize() {
	name := "quantize" + s.name
	Begin(name, "func(to *int8, scales *float32, corrections *int32, from, smoothing *float32, rows, width int)")
	to, scales, corrections := Argument("to"), Argument("scales"), Argument("corrections")
	from, smoothing, rows, width := Argument("from"), Argument("smoothing"), Argument("rows"), Argument("width")
	magnitude, most, least := s.word(0x7fffffff), s.constant(127), s.constant(1e-30)
	eachRow(rows, func() {
		all := s.zeros()
		s.each("greatest", width, func(offset reg.GPVirtual, u int) {
			x := s.vector()
			VMOVUPS(s.at(from, offset, u), x)
			VMULPS(s.at(smoothing, offset, u), x, x)
			s.and(magnitude, x)
			VMAXPS(all[u], x, all[u])
		})
		greatest := s.reduce(all, greater)
		VMAXPS(least, greatest, greatest)
		scale, inverse := s.vector(), s.vector()
		VDIVPS(most, greatest, scale)
		VMOVSS(scale.AsX(), Mem{Base: scales})
		VDIVPS(greatest, most, inverse)
		sums := s.zeros()
		step := make([]reg.VecVirtual, s.vectors())
		s.each("quantize", width, func(offset reg.GPVirtual, u int) {
			x := s.vector()
			VMOVUPS(s.at(from, offset, u), x)
			VMULPS(s.at(smoothing, offset, u), x, x)
			VMULPS(inverse, x, x)
			VCVTPS2DQ(x, x)
			VPADDD(x, sums[u], sums[u])
			if step[u] = x; u == len(step)-1 {
				s.pack(step, Mem{Base: to, Index: offset, Scale: 1})
			}
		})
		sum, negated := s.reduce(sums, func(a, b, to reg.VecVirtual) { VPADDD(a, b, to) }), Zeros(s.lanes, 1)[0]
		VPSLLD(U8(7), sum, sum)
		VPSUBD(sum, negated, negated)
		VMOVD(negated.AsX(), Mem{Base: corrections})
		ADDQ(U8(4), scales)
		ADDQ(U8(4), corrections)
		ADDQ(width, to)
		LEAQ(Mem{Base: from, Index: width, Scale: 4}, from)
	})
}
