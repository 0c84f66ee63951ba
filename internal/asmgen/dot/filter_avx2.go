package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "github.com/ctxnorm/ctxnorm/internal/asmgen"
)

const queriesAtOnce = 8 // their sums fill half of the registers

// genFilterAVX2 computes a block as two halves of 8 rows, and eight queries of the query
// block at a time. VPMADDUBSW adds two products of bytes, at most 2 x 15 x 127 =
// 3,810; a signed 16-bit word holds eight of these sums.
func genFilterAVX2(queries int) {
	nibbles, ones := Table("nibbles", Repeat(0x0f0f0f0f, 8)...), Table("ones", Repeat(0x00010001, 8)...)
	generate("AVX2", queries, func(f *function) {
		for half := range 2 {
			for first := 0; first < queries; first += queriesAtOnce {
				f.halfBlock(half, first, min(queriesAtOnce, queries), nibbles, ones)
			}
		}
	})
}

func (f *function) halfBlock(half, first, count int, nibbles, ones Mem) {
	mask, one := YMM(), YMM()
	VMOVDQU(nibbles, mask)
	VMOVDQU(ones, one)
	sums := Zeros(8, count)
	f.each(fmt.Sprintf("groups%d_%d", half, first), 32*half, func(codes Mem, query func(half, q int) Mem) {
		low, high := YMM(), YMM()
		VMOVDQU(codes, low)
		VPSRLD(U8(4), low, high)
		VPAND(mask, low, low)
		VPAND(mask, high, high)
		for q, sum := range sums {
			x, y := YMM(), YMM()
			VPBROADCASTD(query(0, first+q), x)
			VPMADDUBSW(x, low, x)
			VPBROADCASTD(query(1, first+q), y)
			VPMADDUBSW(y, high, y)
			VPADDW(y, x, x)
			VPMADDWD(one, x, x)
			VPADDD(x, sum, sum)
		}
	})
	steps, errors := YMM(), YMM()
	VMOVUPS(Mem{Base: f.steps, Disp: 32 * half}, steps)
	VMOVUPS(Mem{Base: f.errors, Disp: 32 * half}, errors)
	for i, sum := range sums {
		q, x, bits := first+i, YMM(), GP32()
		broadcast := func(array reg.GPVirtual) reg.VecVirtual {
			VBROADCASTSS(number(array, q), x)
			return x
		}
		VCVTDQ2PS(sum, sum)
		VSUBPS(broadcast(f.biases), sum, sum)
		VMULPS(broadcast(f.units), sum, sum)
		VMULPS(steps, sum, sum)
		VMULPS(broadcast(f.norms), errors, x)
		VADDPS(x, sum, sum)
		VCMPPS(notAtMost, broadcast(f.limits), sum, x)
		VMOVMSKPS(x, bits)
		MOVB(bits.As8(), Mem{Base: f.masks, Disp: 2*q + half})
	}
}
