package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "github.com/ctxnorm/ctxnorm/internal/asmgen"
)

// genMultiply writes the product of tiles below each other. A step of the loop takes one number of
// each row of a and a row of b.
func (s set) genMultiply(t tile) {
	name := fmt.Sprintf("multiply%dx%d%s", t.rows, t.columns, s.name)
	Begin(name, "func(c, a, b, bias *float32, ldc, lda, ldb, depth, blocks int)")
	c, a, b, bias := Argument("c"), Argument("a"), Argument("b"), Argument("bias")
	lda, ldb := Argument("lda"), Argument("ldb")
	vectors := t.columns / s.lanes
	sums := make([][]reg.VecVirtual, t.rows)
	for r := range sums {
		for range vectors {
			sums[r] = append(sums[r], s.vector())
		}
	}
	rows := newTileRows(t, a, lda)

	Label("block")
	for v := range vectors {
		VMOVUPS(Mem{Base: bias, Disp: 4 * s.lanes * v}, sums[0][v])
	}
	for r := 1; r < t.rows; r++ {
		for v := range vectors {
			VMOVAPS(sums[0][v], sums[r][v])
		}
	}
	rows.eachStep(b, ldb, func(from reg.GPVirtual) {
		columns := make([]reg.VecVirtual, vectors)
		for v := range columns {
			columns[v] = s.vector()
			VMOVUPS(Mem{Base: from, Disp: 4 * s.lanes * v}, columns[v])
		}
		for r := range sums {
			x := s.broadcastFrom(rows.at(r))
			for v := range columns {
				VFMADD231PS(x, columns[v], sums[r][v])
			}
		}
	})

	ldc := Argument("ldc")
	for r := range sums {
		for v := range sums[r] {
			VMOVUPS(sums[r][v], Mem{Base: c, Disp: 4 * s.lanes * v})
		}
		ADDQ(ldc, c)
	}
	rows.nextBlock()
}

// tileRows addresses the rows of a tile, three by one register: without, with once and with twice the
// stride.
type tileRows struct {
	tile
	first, stride reg.GPVirtual // of the tile, in bytes
	bases         []reg.GPVirtual
}

func newTileRows(t tile, first, stride reg.GPVirtual) *tileRows {
	rows := &tileRows{t, first, stride, make([]reg.GPVirtual, (t.rows+2)/3)}
	for i := range rows.bases {
		rows.bases[i] = GP64()
	}
	return rows
}

// start goes to the first number of each row.
func (t *tileRows) start() {
	MOVQ(t.first, t.bases[0])
	for i := 1; i < len(t.bases); i++ {
		LEAQ(Mem{Base: t.bases[i-1], Index: t.stride, Scale: 2}, t.bases[i])
		ADDQ(t.stride, t.bases[i])
	}
}

// at returns the address of the 4 bytes of a row.
func (t *tileRows) at(row int) Mem {
	if row%3 == 0 {
		return Mem{Base: t.bases[row/3]}
	}
	return Mem{Base: t.bases[row/3], Index: t.stride, Scale: uint8(row % 3)}
}

// eachStep generates the loop over the depth: body for 4 bytes of each row and the row of b at from. The rows of b are
// ldb bytes apart.
func (t *tileRows) eachStep(b, ldb reg.GPVirtual, body func(from reg.GPVirtual)) {
	t.start()
	from, depth := GP64(), GP64()
	MOVQ(b, from)
	Load(Param("depth"), depth)
	Label("step")
	body(from)
	for i := range t.bases {
		ADDQ(U8(4), t.bases[i])
	}
	ADDQ(ldb, from)
	DECQ(depth)
	JNZ(LabelRef("step"))
}

// nextBlock goes on to the next tile, at the label block, or ends the function: 12, 6, 4 or 3 rows below.
func (t *tileRows) nextBlock() {
	for r := t.rows; r > 0; {
		scale := 1
		for _, power := range []int{8, 4, 2} {
			if r >= power {
				scale = power
				break
			}
		}
		LEAQ(Mem{Base: t.first, Index: t.stride, Scale: uint8(scale)}, t.first)
		r -= scale
	}
	blocks := GP64()
	Load(Param("blocks"), blocks)
	DECQ(blocks)
	Store(blocks, Param("blocks"))
	JNZ(LabelRef("block"))
	VZEROUPPER()
	RET()
}
