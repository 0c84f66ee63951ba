//go:build generate

package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const lanes = 16 // float32 in a register

func begin(name, signature string, doc ...string) {
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
	Doc(doc...)
}

func argument(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }

// spreadArgument loads a float32 argument into all lanes.
func spreadArgument(name string) reg.VecVirtual {
	x, z := XMM(), ZMM()
	Load(Param(name), x)
	VBROADCASTSS(x, z)
	return z
}

// words loads a constant word into all lanes.
func words(word uint32) reg.VecVirtual {
	w, z := GP32(), ZMM()
	MOVL(U32(word), w)
	VPBROADCASTD(w, z)
	return z
}

func floats(x float32) reg.VecVirtual { return words(math.Float32bits(x)) }

func zero() reg.VecVirtual {
	z := ZMM()
	VPXORD(z, z, z)
	return z
}

// span is a number of values to loop over: full registers, and a rest.
type span struct {
	whole, rest reg.GPVirtual
	mask        reg.OpmaskVirtual // of the rest
}

func spanOf(n reg.GPVirtual) span {
	s := span{GP64(), GP64(), K()}
	MOVQ(n, s.whole)
	ANDQ(I32(-lanes), s.whole)
	MOVQ(n, s.rest)
	ANDQ(U32(lanes-1), s.rest)
	ones := GP32()
	MOVL(I32(-1), ones)
	BZHIL(s.rest.As32(), ones, ones) // the rest low bits
	KMOVW(ones, s.mask)
	return s
}

// each generates body for full registers, without a mask, and for the rest, with one.
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
	TESTQ(s.rest, s.rest)
	JZ(LabelRef(label + "_done"))
	body(i, &s.mask)
	Label(label + "_done")
}

// eachRow generates a loop that runs body count times, at least once.
func eachRow(count reg.GPVirtual, body func()) {
	Label("row")
	body()
	DECQ(count)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	RET()
}

// eachRegister generates a loop over n values, a positive multiple of 16.
func eachRegister(label string, n reg.GPVirtual, body func(i reg.GPVirtual)) {
	i := GP64()
	XORQ(i, i)
	Label(label)
	body(i)
	ADDQ(U32(lanes), i)
	CMPQ(i, n)
	JLT(LabelRef(label))
}

func halves(base, i reg.GPVirtual) Mem { return Mem{Base: base, Index: i, Scale: 2} }
func fulls(base, i reg.GPVirtual) Mem  { return Mem{Base: base, Index: i, Scale: 4} }

// load reads bfloat16 in the lanes of the mask as float32, and zeros in the others.
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

// rounding rounds float32 to bfloat16.
type rounding struct{ one, half reg.VecVirtual }

func newRounding() rounding { return rounding{words(1), words(0x7fff)} }

// store rounds z to nearest, ties to even, and changes it: half a unit of the last place
// is added, less one bit if the upper half is even.
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

// acrossLanes reduces the lanes of z by the operation and leaves the result in all lanes.
func acrossLanes(z reg.VecVirtual, operation func(a, b, to reg.VecVirtual)) {
	other := ZMM()
	VSHUFF32X4(U8(0b01_00_11_10), z, z, other) // quarters 2 3 0 1
	operation(other, z, z)
	VSHUFF32X4(U8(0b10_11_00_01), z, z, other) // quarters 1 0 3 2
	operation(other, z, z)
	VPERMILPS(U8(0b01_00_11_10), z, other) // the same within each quarter
	operation(other, z, z)
	VPERMILPS(U8(0b10_11_00_01), z, other)
	operation(other, z, z)
}

func add(a, b, to reg.VecVirtual)     { VADDPS(a, b, to) }
func greater(a, b, to reg.VecVirtual) { VMAXPS(a, b, to) }
