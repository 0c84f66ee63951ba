package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "github.com/ctxnorm/ctxnorm/internal/asmgen"
)

// genAddNorm makes three passes over a row: the sums and their mean, the differences from
// the mean and their variance, and the result. Intermediate float32 are in the buffer.
func genAddNorm() {
	Begin("addNormAVX512", "func(to, a, b *uint16, count, width int, weight, bias *float32, share, eps float32, buffer *float32)",
		"addNormAVX512 is AddNorm for count rows, at least one. share is 1/width. The buffer has room for width",
		"numbers, rounded up to 16.")
	to, a, b := Argument("to"), Argument("a"), Argument("b")
	count, width := Argument("count"), Argument("width")
	weight, bias := Argument("weight"), Argument("bias")
	share, eps, buffer := Broadcast("share", ZMM), Broadcast("eps", ZMM), Argument("buffer")
	all := spanOf(width)
	one, round := floats(1), newRounding()
	eachRow(count, func() {
		mean, scale := ZeroZMM(), ZeroZMM()
		all.each("sums", func(i reg.GPVirtual, mask *reg.OpmaskVirtual) {
			x, y := load(halves(a, i), mask), load(halves(b, i), mask)
			VADDPS(y, x, x)
			VADDPS(x, mean, mean)
			VMOVUPS(x, fulls(buffer, i))
		})
		acrossLanes(mean, add)
		VMULPS(share, mean, mean)
		all.each("differences", func(i reg.GPVirtual, mask *reg.OpmaskVirtual) {
			x := ZMM()
			VMOVUPS(fulls(buffer, i), x)
			if mask == nil {
				VSUBPS(mean, x, x)
			} else {
				VSUBPS_Z(mean, x, *mask, x)
			}
			VFMADD231PS(x, x, scale)
			VMOVUPS(x, fulls(buffer, i))
		})
		acrossLanes(scale, add)
		VFMADD213PS(eps, share, scale) // variance + eps
		VSQRTPS(scale, scale)
		VDIVPS(scale, one, scale)
		all.each("norm", func(i reg.GPVirtual, mask *reg.OpmaskVirtual) {
			x, w, c := ZMM(), ZMM(), ZMM()
			VMULPS(fulls(buffer, i), scale, x)
			read(fulls(weight, i), mask, w)
			read(fulls(bias, i), mask, c)
			VFMADD213PS(c, w, x)
			round.store(x, halves(to, i), mask)
		})
		for _, row := range []reg.GPVirtual{to, a, b} {
			LEAQ(Mem{Base: row, Index: width, Scale: 2}, row)
		}
	})
}

// read reads float32, and zeros in lanes that the mask excludes.
func read(from Mem, mask *reg.OpmaskVirtual, to reg.VecVirtual) {
	if mask == nil {
		VMOVUPS(from, to)
	} else {
		VMOVUPS_Z(from, *mask, to)
	}
}
