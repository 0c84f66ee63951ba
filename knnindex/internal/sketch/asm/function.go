//go:build generate

package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	groupBytes = 64 // of a block: 16 rows x 4 bytes
	blockRows  = 16
)

// function is what the kernels of both instruction sets share: the arguments and
// the walk over blocks.
type function struct {
	queries                      int // 1 or 16
	codes, groups                reg.GPVirtual
	steps, errors                reg.GPVirtual // of the block
	query                        reg.GPVirtual // the panel's codes
	biases, units, norms, limits reg.GPVirtual
	masks                        reg.GPVirtual // of the block
}

// generate writes a function: body is the inside of its loop over blocks.
func generate(set string, queries int, body func(f *function)) {
	name := fmt.Sprintf("filter%d%s", queries, set)
	TEXT(name, NOSPLIT, "func(codes *byte, groups int, steps, errors *float32, blocks int, "+
		"queries *int8, biases, units, norms, limits *float32, masks *uint16)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s is filterPortable for a panel of width %d.", name, queries))
	f := &function{
		queries: queries,
		codes:   pointer("codes"), groups: pointer("groups"), steps: pointer("steps"), errors: pointer("errors"),
		query: pointer("queries"), biases: pointer("biases"), units: pointer("units"), norms: pointer("norms"),
		limits: pointer("limits"), masks: pointer("masks"),
	}
	blocks, size := pointer("blocks"), GP64()
	MOVQ(f.groups, size)
	SHLQ(U8(6), size) // x groupBytes
	Label("block")
	body(f)
	ADDQ(size, f.codes)
	ADDQ(U32(4*blockRows), f.steps)
	ADDQ(U32(4*blockRows), f.errors)
	ADDQ(U32(2*queries), f.masks)
	DECQ(blocks)
	JNZ(LabelRef("block"))
	VZEROUPPER()
	RET()
}

func pointer(name string) reg.GPVirtual { return Load(Param(name), GP64()).(reg.GPVirtual) }

// each walks the groups of a block: body is given where a group's codes and the
// queries' numbers for it are.
func (f *function) each(label string, start int, body func(codes Mem, query func(half, q int) Mem)) {
	codes, query, left := GP64(), GP64(), GP64()
	LEAQ(Mem{Base: f.codes, Disp: start}, codes)
	MOVQ(f.query, query)
	MOVQ(f.groups, left)
	Label(label)
	body(Mem{Base: codes}, func(half, q int) Mem { return Mem{Base: query, Disp: 4 * (half*f.queries + q)} })
	ADDQ(U32(groupBytes), codes)
	ADDQ(U32(2*4*f.queries), query)
	DECQ(left)
	JNZ(LabelRef(label))
}

func number(array reg.GPVirtual, q int) Mem { return Mem{Base: array, Disp: 4 * q} }

// notAtMost is the predicate of VCMPPS that says "not less or equal",
// without an exception for NaN.
const notAtMost = U8(0x16)
