package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"

	. "github.com/ctxnorm/ctxnorm/internal/asmgen"
)

// genEncode encodes one group of a row at a time. The processor's conversion to
// integers truncates, which is rounding down as no number is below 0.
func genEncode() {
	Begin("encodeAVX2", "func(codes *byte, residual *float32, groups int, step, scale float32) float32")
	codes, residual, groups := Argument("codes"), Argument("residual"), Argument("groups")
	step, scale := Broadcast("step", YMM), Broadcast("scale", YMM)
	eight, fifteen, middle := YMM(), YMM(), YMM()
	VMOVUPS(floats("eight", 8), eight)
	VMOVUPS(floats("fifteen", 15), fifteen)
	VMOVUPS(floats("middle", 7.5), middle)
	zeros := Zeros(8, 2)
	zero, squares := zeros[0], zeros[1]

	Label("group")
	r, code, lost := YMM(), YMM(), YMM()
	VMOVUPS(Mem{Base: residual}, r)
	VMULPS(scale, r, code)
	VADDPS(eight, code, code)
	VMAXPS(zero, code, code)
	VMINPS(fifteen, code, code)
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
	ADDQ(U32(32), residual)
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

// floats returns a table of one number for all lanes of a register.
func floats(name string, x float32) Mem { return Table(name, Repeat(math.Float32bits(x), 8)...) }
