//go:build generate

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// set is an instruction set: how its registers are named and how the end of a
// vector, which fills no whole register, is read.
type set struct {
	name   string
	lanes  int // float32 in a register
	vector func() reg.VecVirtual
	// tail makes the mask of the last n numbers (0 < n < lanes), and gives a
	// function that reads so many and leaves the other lanes zero.
	tail func(n reg.GPVirtual) func(from Mem, to reg.VecVirtual)
}

var avx512 = set{
	name:   "AVX512",
	lanes:  16,
	vector: ZMM,
	tail: func(n reg.GPVirtual) func(Mem, reg.VecVirtual) {
		ones, mask := GP32(), K()
		MOVL(I32(-1), ones)
		BZHIL(n.As32(), ones, ones) // the n low bits
		KMOVW(ones, mask)
		return func(from Mem, to reg.VecVirtual) { VMOVUPS_Z(from, mask, to) }
	},
}

var avx2 = set{
	name:   "AVX2",
	lanes:  8,
	vector: YMM,
	tail: func(n reg.GPVirtual) func(Mem, reg.VecVirtual) {
		// The eight words that start n before the zeros: n of all ones, then zeros.
		masks, start, mask := GP64(), GP64(), YMM()
		LEAQ(tailMasks(), masks)
		MOVQ(U32(8), start)
		SUBQ(n, start)
		VMOVUPS(Mem{Base: masks, Index: start, Scale: 4}, mask)
		return func(from Mem, to reg.VecVirtual) { VMASKMOVPS(from, mask, to) }
	},
}

var masks *Mem

// tailMasks is a table of eight words of ones and eight of zeros.
func tailMasks() Mem {
	if masks == nil {
		table := GLOBL("tailMasks", RODATA|NOPTR)
		for i := range 16 {
			word := U32(0)
			if i < 8 {
				word = 0xffffffff
			}
			DATA(4*i, word)
		}
		masks = &table
	}
	return *masks
}

// zeros is count registers of zeros.
func (s set) zeros(count int) []reg.VecVirtual {
	registers := make([]reg.VecVirtual, count)
	for i := range registers {
		registers[i] = s.vector()
		if s.lanes == 16 {
			VPXORD(registers[i], registers[i], registers[i]) // VXORPS would need AVX512DQ
		} else {
			VXORPS(registers[i], registers[i], registers[i])
		}
	}
	return registers
}

// each walks n numbers, a register at a time: body is generated once for whole
// registers and once for the end, with the offset in bytes and the way to read.
func (s set) each(n reg.GPVirtual, body func(offset reg.GPVirtual, read func(Mem, reg.VecVirtual))) {
	offset, whole, rest := GP64(), GP64(), GP64()
	XORQ(offset, offset)
	MOVQ(n, whole)
	ANDQ(I32(-s.lanes), whole)
	SHLQ(U8(2), whole) // bytes
	MOVQ(n, rest)
	ANDQ(U32(s.lanes-1), rest)

	Label("loop")
	CMPQ(offset, whole)
	JGE(LabelRef("tail"))
	body(offset, func(from Mem, to reg.VecVirtual) { VMOVUPS(from, to) })
	ADDQ(U32(4*s.lanes), offset)
	JMP(LabelRef("loop"))

	Label("tail")
	TESTQ(rest, rest)
	JZ(LabelRef("done"))
	body(offset, s.tail(rest))
	Label("done")
}
