//go:build generate

package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// genEncode takes a group of a row at a time. The processor's conversion
// truncates, which rounds down what is not below 0.
func genEncode() {
	TEXT("encodeAVX2", NOSPLIT, "func(codes *byte, rest *float32, groups int, step, scale float32) float32")
	Pragma("noescape")
	Doc("encodeAVX2 is encodePortable, but for the order of the additions.")
	codes, rest, groups := pointer("codes"), pointer("rest"), pointer("groups")
	step, scale := argument("step"), argument("scale")
	half, top, middle := YMM(), YMM(), YMM()
	VMOVUPS(table("eight", U32(math.Float32bits(8))), half)
	VMOVUPS(table("fifteen", U32(math.Float32bits(15))), top)
	VMOVUPS(table("middle", U32(math.Float32bits(7.5))), middle)
	zero, squares := zeroY(), zeroY()

	Label("group")
	r, code, lost := YMM(), YMM(), YMM()
	VMOVUPS(Mem{Base: rest}, r)
	VMULPS(scale, r, code)
	VADDPS(half, code, code)
	VMAXPS(zero, code, code)
	VMINPS(top, code, code)
	VCVTTPS2DQ(code, code)
	VCVTDQ2PS(code, lost)
	VSUBPS(middle, lost, lost)
	VMULPS(step, lost, lost)
	VSUBPS(lost, r, lost)
	VMULPS(lost, lost, lost)
	VADDPS(lost, squares, squares)
	low, high, word := code.AsX(), XMM(), GP32()
	VEXTRACTI128(U8(1), code, high)
	VPSLLD(U8(4), high, high)
	VPOR(high, low, high)
	VPACKUSDW(high, high, high)
	VPACKUSWB(high, high, high)
	VMOVD(high, word)
	MOVL(word, Mem{Base: codes})
	ADDQ(U32(32), rest)
	ADDQ(U32(groupBytes), codes)
	DECQ(groups)
	JNZ(LabelRef("group"))

	sum, x := XMM(), XMM()
	VEXTRACTF128(U8(1), squares, sum)
	VADDPS(squares.AsX(), sum, sum)
	VHADDPS(sum, sum, sum)
	VHADDPS(sum, sum, x)
	VZEROUPPER()
	Store(x, ReturnIndex(0))
	RET()
}

func argument(name string) reg.VecVirtual {
	x, y := XMM(), YMM()
	Load(Param(name), x)
	VBROADCASTSS(x, y)
	return y
}

func zeroY() reg.VecVirtual {
	y := YMM()
	VPXOR(y, y, y)
	return y
}
