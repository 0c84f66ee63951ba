package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "github.com/ctxnorm/ctxnorm/internal/asmgen"
)

// set is an instruction set: its registers, and how it reads the tail of a vector,
// which is shorter than a register.
type set struct {
	name   string
	lanes  int // float32 in a register
	vector func() reg.VecVirtual
	// tail makes the mask of the last n numbers (0 < n < lanes) and returns a
	// function that reads n numbers and sets the other lanes to zero.
	tail func(n reg.GPVirtual) func(from Mem, to reg.VecVirtual)
}

var avx512 = set{
	name:   "AVX512",
	lanes:  16,
	vector: ZMM,
	tail: func(n reg.GPVirtual) func(Mem, reg.VecVirtual) {
		mask := K()
		LowBits(n, mask)
		return func(from Mem, to reg.VecVirtual) { VMOVUPS_Z(from, mask, to) }
	},
}

var avx2 = set{
	name:   "AVX2",
	lanes:  8,
	vector: YMM,
	tail: func(n reg.GPVirtual) func(Mem, reg.VecVirtual) {
		// The eight words that start n words before the zeros are n words of ones,
		// then zeros.
		masks, start, mask := GP64(), GP64(), YMM()
		LEAQ(tailMasks(), masks)
		MOVQ(U32(8), start)
		SUBQ(n, start)
		VMOVUPS(Mem{Base: masks, Index: start, Scale: 4}, mask)
		return func(from Mem, to reg.VecVirtual) { VMASKMOVPS(from, mask, to) }
	},
}

// tailMasks returns a table of eight words of ones and eight words of zeros.
func tailMasks() Mem {
	return Table("tailMasks", append(Repeat(0xffffffff, 8), Repeat(0, 8)...)...)
}

// zeros returns count registers of zeros.
func (s set) zeros(count int) []reg.VecVirtual {
	registers := make([]reg.VecVirtual, count)
	for i := range registers {
		if s.lanes == 16 {
			registers[i] = ZeroZMM()
		} else {
			registers[i] = s.vector()
			VXORPS(registers[i], registers[i], registers[i])
		}
	}
	return registers
}

// each loops over n numbers, one register at a time. It generates body twice, for whole
// registers and for the tail, with the offset in bytes and a function that reads.
func (s set) each(n reg.GPVirtual, body func(offset reg.GPVirtual, read func(Mem, reg.VecVirtual))) {
	offset, whole, residual := GP64(), GP64(), GP64()
	XORQ(offset, offset)
	MOVQ(n, whole)
	ANDQ(I32(-s.lanes), whole)
	SHLQ(U8(2), whole) // bytes
	MOVQ(n, residual)
	ANDQ(U32(s.lanes-1), residual)

	Label("loop")
	CMPQ(offset, whole)
	JGE(LabelRef("tail"))
	body(offset, func(from Mem, to reg.VecVirtual) { VMOVUPS(from, to) })
	ADDQ(U32(4*s.lanes), offset)
	JMP(LabelRef("loop"))

	Label("tail")
	TESTQ(residual, residual)
	JZ(LabelRef("done"))
	body(offset, s.tail(residual))
	Label("done")
}
