// Command dot writes the assembly of package internal/dot.
package main

import . "github.com/mmcloughlin/avo/build"

func main() {
	ConstraintExpr("amd64")
	for _, s := range []set{avx512, avx2} {
		s.genDot()
		s.genFour()
		s.genTile()
	}
	for _, queries := range []int{1, 16} {
		genFilterAVX512(queries)
		genFilterAVX2(queries)
	}
	genEncode()
	Generate()
}
