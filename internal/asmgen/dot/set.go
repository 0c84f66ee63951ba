package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "github.com/ctxnorm/ctxnorm/internal/asmgen"
)

// set is an instruction set: its registers, and how it reads the tail of a vector, which is shorter than a register.
type set struct {
	name   string
	lanes  int // float32 in a register
	vector func() reg.VecVirtual
	// tileRows is the number of rows of the first matrix in a tile.
	tileRows int
	// tail makes the mask of the last n numbers (0 < n < lanes).
	tail func(n reg.GPVirtual) read
}

// read reads numbers to a register: a whole one, or the tail of a vector, with zeros in the lanes after it.
type read func(from Mem, to reg.VecVirtual)

func whole(from Mem, to reg.VecVirtual) { VMOVUPS(from, to) }

var avx512 = set{
	name:     "AVX512",
	lanes:    16,
	vector:   ZMM,
	tileRows: 4,
	tail: func(n reg.GPVirtual) read {
		mask := K()
		LowBits(n, mask)
		return func(from Mem, to reg.VecVirtual) { VMOVUPS_Z(from, mask, to) }
	},
}

var avx2 = set{
	name:     "AVX2",
	lanes:    8,
	vector:   YMM,
	tileRows: 2,
	tail: func(n reg.GPVirtual) read {
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

// each loops over n numbers, one register at a time. It generates body twice, for whole
// registers and for the tail, with the offset in bytes and how to read numbers.
func (s set) each(n reg.GPVirtual, body func(offset reg.GPVirtual, read read)) {
	offset, end, residual := GP64(), GP64(), GP64()
	XORQ(offset, offset)
	MOVQ(n, end)
	ANDQ(I32(-s.lanes), end)
	SHLQ(U8(2), end) // bytes
	MOVQ(n, residual)
	ANDQ(U32(s.lanes-1), residual)

	Label("loop")
	CMPQ(offset, end)
	JGE(LabelRef("tail"))
	body(offset, whole)
	ADDQ(U32(4*s.lanes), offset)
	JMP(LabelRef("loop"))

	Label("tail")
	TESTQ(residual, residual)
	JZ(LabelRef("done"))
	body(offset, s.tail(residual))
	Label("done")
}
