//go:build generate

package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const together = 8 // queries at a time: their sums fill half of the registers

// genAVX2 takes a block in two halves of 8 rows, and a panel eight queries at a
// time. VPMADDUBSW adds products of bytes two by two, at most 2 x 15 x 127 = 3,810,
// of which a word holds eight.
func genAVX2(queries int) {
	nibbles, ones := table("nibbles", 0x0f0f0f0f), table("ones", 0x00010001)
	generate("AVX2", queries, func(f *function) {
		for half := range 2 {
			for first := 0; first < queries; first += together {
				f.halfBlock(half, first, min(together, queries), nibbles, ones)
			}
		}
	})
}

func (f *function) halfBlock(half, first, count int, nibbles, ones Mem) {
	mask, one := YMM(), YMM()
	VMOVDQU(nibbles, mask)
	VMOVDQU(ones, one)
	sums := make([]reg.VecVirtual, count)
	for q := range sums {
		sums[q] = zeroY()
	}
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
		spread := func(array reg.GPVirtual) reg.VecVirtual {
			VBROADCASTSS(number(array, q), x)
			return x
		}
		VCVTDQ2PS(sum, sum)
		VSUBPS(spread(f.biases), sum, sum)
		VMULPS(spread(f.units), sum, sum)
		VMULPS(steps, sum, sum)
		VMULPS(spread(f.norms), errors, x)
		VADDPS(x, sum, sum)
		VCMPPS(notAtMost, spread(f.limits), sum, x)
		VMOVMSKPS(x, bits)
		MOVB(bits.As8(), Mem{Base: f.masks, Disp: 2*q + half})
	}
}

var tables = map[string]Mem{}

// table is a constant register: a word over and over.
func table(name string, word U32) Mem {
	if _, known := tables[name]; !known {
		t := GLOBL(name, RODATA|NOPTR)
		for i := range 8 {
			DATA(4*i, word)
		}
		tables[name] = t
	}
	return tables[name]
}
