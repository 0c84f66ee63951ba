package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "github.com/ctxnorm/ctxnorm/internal/asmgen"
)

const lanes = 16 // float32 in a register

// words returns a register with word in all lanes.
func words(word uint32) reg.VecVirtual {
	w, z := GP32(), ZMM()
	MOVL(U32(word), w)
	VPBROADCASTD(w, z)
	return z
}

func floats(x float32) reg.VecVirtual { return words(math.Float32bits(x)) }

// span is a number of lanes to loop over: whole registers, and a residual.
type span struct {
	whole, residual reg.GPVirtual     // lanes
	mask            reg.OpmaskVirtual // of the residual
}

func spanOf(n reg.GPVirtual) span {
	s := span{GP64(), GP64(), K()}
	MOVQ(n, s.whole)
	ANDQ(I32(-lanes), s.whole)
	MOVQ(n, s.residual)
	ANDQ(U32(lanes-1), s.residual)
	LowBits(s.residual, s.mask)
	return s
}

// each generates body for whole registers, with a nil mask, and for the residual, with
// its mask.
func (s span) each(label string, body func(i reg.GPVirtual, mask *reg.OpmaskVirtual)) {
	i := GP64()
	XORQ(i, i)
	Label(label)
	CMPQ(i, s.whole)
	JGE(LabelRef(label + "_rest"))
	body(i, nil)
	ADDQ(U32(lanes), i)
	JMP(LabelRef(label))

	Label(label + "_rest")
	TESTQ(s.residual, s.residual)
	JZ(LabelRef(label + "_done"))
	body(i, &s.mask)
	Label(label + "_done")
}

// eachRow generates body to run count times, at least once.
func eachRow(count reg.GPVirtual, body func()) {
	Label("row")
	body()
	DECQ(count)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	RET()
}

// eachRegister generates body for n lanes, a multiple of 16 and not 0.
func eachRegister(label string, n reg.GPVirtual, body func(i reg.GPVirtual)) {
	i := GP64()
	XORQ(i, i)
	Label(label)
	body(i)
	ADDQ(U32(lanes), i)
	CMPQ(i, n)
	JLT(LabelRef(label))
}

// halves and fulls are the addresses of number i of bfloat16 and of float32.
func halves(base, i reg.GPVirtual) Mem { return Mem{Base: base, Index: i, Scale: 2} }
func fulls(base, i reg.GPVirtual) Mem  { return Mem{Base: base, Index: i, Scale: 4} }

// load reads 16 bfloat16 as float32, and zeros in lanes that the mask excludes.
func load(from Mem, mask *reg.OpmaskVirtual) reg.VecVirtual {
	z := ZMM()
	if mask == nil {
		VPMOVZXWD(from, z)
	} else {
		VPMOVZXWD_Z(from, *mask, z)
	}
	VPSLLD(U8(16), z, z)
	return z
}

// rounding writes numbers as bfloat16.
type rounding struct{ one, half reg.VecVirtual }

func newRounding() rounding { return rounding{words(1), words(0x7fff)} }

// store writes z rounded to the nearest, ties to even, and overwrites z: it adds half a
// unit in the last place, less one bit where the upper half is even.
func (r rounding) store(z reg.VecVirtual, to Mem, mask *reg.OpmaskVirtual) {
	odd := ZMM()
	VPSRLD(U8(16), z, odd)
	VPANDD(r.one, odd, odd)
	VPADDD(r.half, odd, odd)
	VPADDD(odd, z, z)
	VPSRLD(U8(16), z, z)
	if mask == nil {
		VPMOVDW(z, to)
	} else {
		VPMOVDW(z, *mask, to)
	}
}

// acrossLanes reduces the lanes of z by operation, and sets all lanes to the result.
func acrossLanes(z reg.VecVirtual, operation func(a, b, to reg.VecVirtual)) {
	other := ZMM()
	VSHUFF32X4(U8(0b01_00_11_10), z, z, other) // blocks 2 3 0 1
	operation(other, z, z)
	VSHUFF32X4(U8(0b10_11_00_01), z, z, other) // blocks 1 0 3 2
	operation(other, z, z)
	VPERMILPS(U8(0b01_00_11_10), z, other) // the same with the numbers of each block
	operation(other, z, z)
	VPERMILPS(U8(0b10_11_00_01), z, other)
	operation(other, z, z)
}

func add(a, b, to reg.VecVirtual)     { VADDPS(a, b, to) }
func greater(a, b, to reg.VecVirtual) { VMAXPS(a, b, to) }
