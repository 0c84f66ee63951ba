// Package asmgen is shared by the generators of the library's assembly: the commands dot and kernels below it, written
// with avo (https://github.com/mmcloughlin/avo). go generate runs each in the package of the same name.
//
// NB: like avo's own packages, it is made to be imported with a dot.
package asmgen

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Begin begins a function of the given name and Go signature. Pointers that it is called with do not escape.
func Begin(name, signature string) {
	TEXT(name, NOSPLIT, signature)
	Pragma("noescape")
}

// Argument loads an argument of 64 bits, a pointer or an int.
func Argument(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }

// Broadcast loads a float32 argument into all lanes of a register, which vector makes:
// YMM or ZMM.
func Broadcast(name string, vector func() reg.VecVirtual) reg.VecVirtual {
	x, lanes := XMM(), vector()
	Load(Param(name), x)
	VBROADCASTSS(x, lanes)
	return lanes
}

// Zeros returns registers of zeros, of 16 float32 or of 8.
func Zeros(lanes, count int) []reg.VecVirtual {
	registers := make([]reg.VecVirtual, count)
	for i := range registers {
		if lanes == 16 {
			registers[i] = ZMM()
			VPXORD(registers[i], registers[i], registers[i]) // VXORPS would need AVX512DQ
		} else {
			registers[i] = YMM()
			VXORPS(registers[i], registers[i], registers[i])
		}
	}
	return registers
}

// LowBits sets the n lowest bits of mask, for n up to 32, and clears the others.
func LowBits(n reg.GPVirtual, mask reg.OpmaskVirtual) {
	ones := GP32()
	MOVL(I32(-1), ones)
	BZHIL(n.As32(), ones, ones)
	KMOVW(ones, mask)
}

var tables = map[string]Mem{}

// Table returns the read-only table of the given name, which holds words. Tables of
// one name are one.
func Table(name string, words ...uint32) Mem {
	if table, known := tables[name]; known {
		return table
	}
	table := GLOBL(name, RODATA|NOPTR)
	for i, word := range words {
		DATA(4*i, U32(word))
	}
	tables[name] = table
	return table
}

// Repeat returns a word n times, for [Table].
func Repeat(word uint32, n int) []uint32 {
	words := make([]uint32, n)
	for i := range words {
		words[i] = word
	}
	return words
}
