package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Every kernel of a set adds the lanes of a register in one order: (0+2)+(1+3) within
// each 128-bit block, then the blocks in the same way (AVX2 has two: 0+1). Several
// registers are summed together by interleaving them, which costs a third of summing
// them one by one.

// interleave sums each 128-bit block of a, b, c and d: block i of the result holds the
// sums of block i of a, b, c and d, in this order.
func (s set) interleave(a, b, c, d reg.VecVirtual) reg.VecVirtual {
	half := func(x, y reg.VecVirtual) reg.VecVirtual {
		low, high := s.vector(), s.vector()
		VUNPCKLPS(y, x, low)  // x0 y0 x1 y1
		VUNPCKHPS(y, x, high) // x2 y2 x3 y3
		VADDPS(high, low, low)
		return low // x0+x2 y0+y2 x1+x3 y1+y3
	}
	ab := half(a, b)
	cd := ab
	if c != a || d != b {
		cd = half(c, d)
	}
	low, high := s.vector(), s.vector()
	VUNPCKLPD(cd, ab, low)
	VUNPCKHPD(cd, ab, high)
	VADDPS(high, low, low)
	return low
}

// addLanes returns the sum of the 128-bit blocks of x.
func (s set) addLanes(x reg.VecVirtual) reg.VecVirtual {
	y := x.AsY()
	if s.lanes == 16 {
		high := YMM()
		VEXTRACTF64X4(U8(1), x, high)
		VADDPS(high, y, y) // blocks 0+2 1+3
	}
	high, low := XMM(), XMM()
	VEXTRACTF128(U8(1), y, high)
	VADDPS(high, y.(reg.Vec).AsX(), low)
	return low
}
