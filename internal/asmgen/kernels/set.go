package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "github.com/ctxnorm/ctxnorm/internal/asmgen"
)

// set is an instruction set.
type set struct {
	name   string
	lanes  int // float32 in a register
	vector func() reg.VecVirtual
	tiles  []tile
}

// tile is a part of a product that is summed in registers.
type tile struct{ rows, columns int }

var (
	avx512 = set{"AVX512", 16, ZMM, []tile{{12, 32}, {4, 32}}}
	avx2   = set{"AVX2", 8, YMM, []tile{{6, 16}, {3, 16}}}
)

// step is the number of float32 that a loop over a row takes at a time: rows are a multiple of it long.
const step = 32

// vectors is the number of registers of a step.
func (s set) vectors() int { return step / s.lanes }

// zeros returns a register of zeros for each vector of a step.
func (s set) zeros() []reg.VecVirtual { return Zeros(s.lanes, s.vectors()) }

// and clears the bits of x that mask has not.
func (s set) and(mask, x reg.VecVirtual) {
	if s.lanes == 16 {
		VPANDD(mask, x, x)
	} else {
		VPAND(mask, x, x)
	}
}

// constant returns a register whose lanes are x.
func (s set) constant(x float64) reg.VecVirtual { return s.word(math.Float32bits(float32(x))) }

// word returns a register whose lanes have these bits.
func (s set) word(bits uint32) reg.VecVirtual {
	w, x, v := GP32(), XMM(), s.vector()
	MOVL(U32(bits), w)
	VMOVD(w, x)
	VPBROADCASTD(x, v)
	return v
}

// broadcastFrom returns a register whose lanes are the number at m.
func (s set) broadcastFrom(m Mem) reg.VecVirtual {
	v := s.vector()
	VBROADCASTSS(m, v)
	return v
}

// at returns the address of vector u of the step at offset, in numbers, of base.
func (s set) at(base, offset reg.GPVirtual, u int) Mem {
	return Mem{Base: base, Index: offset, Scale: 4, Disp: 4 * s.lanes * u}
}

// each generates a loop over a row of width numbers, with body for each vector of a step.
func (s set) each(label string, width reg.GPVirtual, body func(offset reg.GPVirtual, u int)) {
	offset := GP64()
	XORQ(offset, offset)
	Label(label)
	for u := range s.vectors() {
		body(offset, u)
	}
	ADDQ(U8(step), offset)
	CMPQ(offset, width)
	JLT(LabelRef(label))
}

// eachRow generates a loop over rows, at least one, and the end of the function.
func eachRow(rows reg.GPVirtual, body func()) {
	Label("row")
	body()
	DECQ(rows)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	RET()
}

// reduce combines the lanes of all registers; every lane of the result, the first register, is the same.
func (s set) reduce(all []reg.VecVirtual, operation func(a, b, to reg.VecVirtual)) reg.VecVirtual {
	for n := len(all); n > 1; n /= 2 {
		for i := range n / 2 {
			operation(all[i+n/2], all[i], all[i])
		}
	}
	x, other := all[0], s.vector()
	if s.lanes == 16 {
		VSHUFF32X4(U8(0b01_00_11_10), x, x, other)
		operation(other, x, x)
		VSHUFF32X4(U8(0b10_11_00_01), x, x, other)
		operation(other, x, x)
	} else {
		VPERM2F128(U8(1), x, x, other)
		operation(other, x, x)
	}
	VPERMILPS(U8(0b01_00_11_10), x, other)
	operation(other, x, x)
	VPERMILPS(U8(0b10_11_00_01), x, other)
	operation(other, x, x)
	return x
}

func add(a, b, to reg.VecVirtual)     { VADDPS(a, b, to) }
func greater(a, b, to reg.VecVirtual) { VMAXPS(a, b, to) }
