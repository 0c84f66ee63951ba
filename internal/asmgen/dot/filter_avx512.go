package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"

	. "github.com/ctxnorm/ctxnorm/internal/asmgen"
)

// genFilterAVX512 keeps the sums of the 16 rows of a block in one register per query. Each
// VPDPBUSD adds the products of 4 numbers to each of 16 sums.
func genFilterAVX512(queries int) {
	generate("AVX512", queries, func(f *function) {
		nibbles, word := ZMM(), GP32()
		MOVL(U32(0x0f0f0f0f), word)
		VPBROADCASTD(word, nibbles)
		sums := Zeros(16, queries)
		highs := sums
		if queries == 1 { // two sums, so that an addition does not wait for the one before it
			highs = Zeros(16, 1)
		}
		f.each("groups", 0, func(codes Mem, query func(half, q int) Mem) {
			low, high := ZMM(), ZMM()
			VMOVDQU32(codes, low)
			VPSRLD(U8(4), low, high)
			VPANDD(nibbles, low, low)
			VPANDD(nibbles, high, high)
			for q := range sums {
				VPDPBUSD_BCST(query(0, q), low, sums[q])
			}
			for q := range sums {
				VPDPBUSD_BCST(query(1, q), high, highs[q])
			}
		})
		if queries == 1 {
			VPADDD(highs[0], sums[0], sums[0])
		}
		steps, errors := ZMM(), ZMM()
		VMOVUPS(Mem{Base: f.steps}, steps)
		VMOVUPS(Mem{Base: f.errors}, errors)
		for q, sum := range sums {
			slack, mask, bits := ZMM(), K(), GP32()
			VCVTDQ2PS(sum, sum)
			VSUBPS_BCST(number(f.biases, q), sum, sum)
			VMULPS_BCST(number(f.units, q), sum, sum)
			VMULPS(steps, sum, sum)
			VMULPS_BCST(number(f.norms, q), errors, slack)
			VADDPS(slack, sum, sum)
			VCMPPS_BCST(notAtMost, number(f.limits, q), sum, mask)
			KMOVW(mask, bits)
			MOVW(bits.As16(), Mem{Base: f.masks, Disp: 2 * q})
		}
	})
}
