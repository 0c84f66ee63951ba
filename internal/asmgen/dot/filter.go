package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "github.com/ctxnorm/ctxnorm/internal/asmgen"
)

const (
	groupBytes = 64 // of a block: 16 rows x 4 bytes
	blockRows  = 16
)

// function is what the kernels of both instruction sets share: the arguments and the
// loop over blocks of rows.
type function struct {
	queries                      int // 1 or 16
	codes, groups                reg.GPVirtual
	steps, errors                reg.GPVirtual // of the block
	query                        reg.GPVirtual // the codes of the query block
	biases, units, norms, limits reg.GPVirtual
	masks                        reg.GPVirtual // of the block
}

// generate writes a function. body generates the inside of its loop over blocks.
func generate(set string, queries int, body func(f *function)) {
	name := fmt.Sprintf("filter%d%s", queries, set)
	Begin(name, "func(codes *byte, groups int, steps, errors *float32, blocks int, "+
		"queries *int8, biases, units, norms, limits *float32, masks *uint16)")
	f := &function{
		queries: queries,
		codes:   Argument("codes"), groups: Argument("groups"), steps: Argument("steps"), errors: Argument("errors"),
		query: Argument("queries"), biases: Argument("biases"), units: Argument("units"), norms: Argument("norms"),
		limits: Argument("limits"), masks: Argument("masks"),
	}
	blocks, size := Argument("blocks"), GP64()
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

// each loops over the groups of a block. body receives the address of the group's codes
// and, for each half of the group, the address of the four codes of query q.
func (f *function) each(label string, start int, body func(codes Mem, query func(half, q int) Mem)) {
	codes, query, count := GP64(), GP64(), GP64()
	LEAQ(Mem{Base: f.codes, Disp: start}, codes)
	MOVQ(f.query, query)
	MOVQ(f.groups, count)
	Label(label)
	body(Mem{Base: codes}, func(half, q int) Mem { return Mem{Base: query, Disp: 4 * (half*f.queries + q)} })
	ADDQ(U32(groupBytes), codes)
	ADDQ(U32(2*4*f.queries), query)
	DECQ(count)
	JNZ(LabelRef(label))
}

func number(array reg.GPVirtual, q int) Mem { return Mem{Base: array, Disp: 4 * q} }

// notAtMost is the predicate "not less or equal" of VCMPPS, which holds for NaN and
// raises no exception.
const notAtMost = U8(0x16)
