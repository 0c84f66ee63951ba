package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "github.com/ctxnorm/ctxnorm/internal/asmgen"
)

// Go's assembler knows no instruction of AVX512-BF16 or AVX-VNNI, so these are written as bytes. The registers
// of a function that has them are chosen here, since avo does not see what such an instruction uses.

// tileRegisters are the registers of a product: of a row of b, of numbers of rows of a, and of the sums.
type tileRegisters struct{ columns, x, sums []reg.VecPhysical }

var (
	zmmRegisters = tileRegisters{
		[]reg.VecPhysical{reg.Z0, reg.Z1}, []reg.VecPhysical{reg.Z2, reg.Z3, reg.Z4, reg.Z5},
		[]reg.VecPhysical{reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15, reg.Z16, reg.Z17,
			reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23, reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29,
			reg.Z30, reg.Z31},
	}
	ymmRegisters = tileRegisters{
		[]reg.VecPhysical{reg.Y0, reg.Y1}, []reg.VecPhysical{reg.Y2, reg.Y3},
		[]reg.VecPhysical{reg.Y4, reg.Y5, reg.Y6, reg.Y7, reg.Y8, reg.Y9, reg.Y10, reg.Y11, reg.Y12, reg.Y13,
			reg.Y14, reg.Y15},
	}
)

// number returns the number of a register.
func number(x reg.VecPhysical) byte { return byte(x.PhysicalIndex()) }

// inverted returns the inverse of a bit of n.
func inverted(n byte, bit int) byte { return ^n >> bit & 1 }

// write writes an instruction.
func write(codes ...byte) {
	for _, code := range codes {
		Instruction(&ir.Instruction{Opcode: "BYTE", Operands: []Op{U8(code)}})
	}
}

// evex512 writes an instruction of 512 bits with three registers, of the opcode map 0F38 with the prefix
// F3 (Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, section 2.7).
func evex512(opcode byte, to, first, second reg.VecPhysical) {
	const map0F38, prefixF3, length512 = 0b010, 0b10, 0b10
	t, f, s := number(to), number(first), number(second)
	write(
		0x62,
		inverted(t, 3)<<7|inverted(s, 4)<<6|inverted(s, 3)<<5|inverted(t, 4)<<4|map0F38,
		(^f&0b1111)<<3|1<<2|prefixF3,
		length512<<5|inverted(f, 4)<<3,
		opcode,
		0b11<<6|t&7<<3|s&7,
	)
}

// addPairs writes VDPBF16PS: each lane of sum gets the products of the two bfloat16 of the lane of a and b.
func addPairs(sum, a, b reg.VecPhysical) { evex512(0x52, sum, a, b) }

// genMultiplyBFloat16 writes the product of tiles below each other, of bfloat16 with sums in float32. A
// step of the loop takes two numbers of each row of a and the two rows of b, number by number.
func genMultiplyBFloat16(t tile) {
	name := fmt.Sprintf("multiply%dx%dBFloat16", t.rows, t.columns)
	Begin(name, "func(c *float32, a, b *uint16, bias *float32, ldc, lda, ldb, depth, blocks int)")
	c, a, b, bias := Argument("c"), Argument("a"), Argument("b"), Argument("bias")
	lda, ldb := Argument("lda"), Argument("ldb")
	vectors := t.columns / avx512.lanes
	columns, x := zmmRegisters.columns, zmmRegisters.x
	sum := func(row, vector int) reg.VecPhysical { return zmmRegisters.sums[row*vectors+vector] }
	rows := newTileRows(t, a, lda)

	Label("block")
	for v := range vectors {
		VMOVUPS(Mem{Base: bias, Disp: 64 * v}, sum(0, v))
		for r := 1; r < t.rows; r++ {
			VMOVAPS(sum(0, v), sum(r, v))
		}
	}
	rows.eachStep(b, ldb, func(from reg.GPVirtual) {
		for v := range vectors {
			VMOVUPS(Mem{Base: from, Disp: 64 * v}, columns[v])
		}
		for r := range t.rows {
			pair := x[r%len(x)]
			VPBROADCASTD(rows.at(r), pair)
			for v := range vectors {
				addPairs(sum(r, v), columns[v], pair)
			}
		}
	})

	ldc := Argument("ldc")
	for r := range t.rows {
		for v := range vectors {
			VMOVUPS(sum(r, v), Mem{Base: c, Disp: 64 * v})
		}
		ADDQ(ldc, c)
	}
	rows.nextBlock()
}

// genRound writes the rounding of float32 to the nearest bfloat16, to even (VCVTNEPS2BF16).
func genRound() {
	Begin("roundBFloat16", "func(to *uint16, from *float32, n int)")
	to, from, n := Argument("to"), Argument("from"), Argument("n")
	rounded := []reg.VecPhysical{reg.Y0, reg.Y1}
	avx512.each("round", n, func(offset reg.GPVirtual, u int) {
		x := []reg.VecPhysical{reg.Z0, reg.Z1}[u]
		VMOVUPS(avx512.at(from, offset, u), x)
		evex512(0x72, x, reg.Z0, x) // the second register is none
		VMOVUPS(rounded[u], Mem{Base: to, Index: offset, Scale: 2, Disp: 32 * u})
	})
	VZEROUPPER()
	RET()
}
