package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "github.com/ctxnorm/ctxnorm/internal/asmgen"
)

func at(base, offset reg.GPVirtual) Mem { return Mem{Base: base, Index: offset, Scale: 1} }

// genDot writes the dot product of one pair of vectors.
func (s set) genDot() {
	Begin("dot"+s.name, "func(a, b *float32, n int) float32")
	a, b, n := Argument("a"), Argument("b"), Argument("n")
	sum := Zeros(s.lanes, 1)
	s.each(n, func(offset reg.GPVirtual, read read) {
		x, y := s.vector(), s.vector()
		read(at(a, offset), x)
		read(at(b, offset), y)
		VFMADD231PS(x, y, sum[0])
	})
	four := s.interleave(sum[0], sum[0], sum[0], sum[0])
	total := s.addLanes(four)
	VZEROUPPER()
	Store(total, ReturnIndex(0))
	RET()
}

// genFour writes the dot products of one query with four rows at any address.
func (s set) genFour() {
	Begin("four"+s.name, "func(query, r0, r1, r2, r3 *float32, n int, out *[4]float32)")
	query := Argument("query")
	var rows [4]reg.GPVirtual
	for j := range rows {
		rows[j] = Argument(fmt.Sprintf("r%d", j))
	}
	n, out := Argument("n"), Argument("out")
	sums := Zeros(s.lanes, 4)
	s.each(n, func(offset reg.GPVirtual, read read) {
		x := s.vector()
		read(at(query, offset), x)
		for j, row := range rows {
			y := s.vector()
			read(at(row, offset), y)
			VFMADD231PS(x, y, sums[j])
		}
	})
	total := s.addLanes(s.interleave(sums[0], sums[1], sums[2], sums[3]))
	VMOVUPS(total, Mem{Base: out})
	VZEROUPPER()
	RET()
}

// genTile writes a tile of a product of matrices: the dot products of consecutive rows of a, as many as the registers
// have sums for, with four consecutive rows of b.
func (s set) genTile() {
	Begin("tile"+s.name, "func(a, b *float32, n int, out *float32, columns int)")
	a, b, n := Argument("a"), Argument("b"), Argument("n")
	stride, stride3 := GP64(), GP64() // bytes of a row, and of three
	MOVQ(n, stride)
	SHLQ(U8(2), stride)
	LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, stride3)
	row := func(base reg.GPVirtual, i int) Mem {
		return []Mem{{Base: base}, {Base: base, Index: stride, Scale: 1}, {Base: base, Index: stride, Scale: 2},
			{Base: base, Index: stride3, Scale: 1}}[i]
	}
	sums := Zeros(s.lanes, 4*s.tileRows)
	s.each(n, func(_ reg.GPVirtual, read read) {
		var rows [4]reg.VecVirtual
		for j := range rows {
			rows[j] = s.vector()
			read(row(b, j), rows[j])
		}
		for i := range s.tileRows {
			x := s.vector()
			read(row(a, i), x)
			for j := range rows {
				VFMADD231PS(x, rows[j], sums[4*i+j])
			}
		}
		ADDQ(U32(4*s.lanes), a)
		ADDQ(U32(4*s.lanes), b)
	})
	out, columns := Argument("out"), Argument("columns")
	SHLQ(U8(2), columns)
	for ; len(sums) > 0; sums = sums[4:] {
		VMOVUPS(s.addLanes(s.interleave(sums[0], sums[1], sums[2], sums[3])), Mem{Base: out})
		ADDQ(columns, out)
	}
	VZEROUPPER()
	RET()
}
