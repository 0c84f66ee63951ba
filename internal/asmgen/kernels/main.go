// Command kernels writes the assembly of package internal/bert/kernels.
package main

import . "github.com/mmcloughlin/avo/build"

func main() {
	ConstraintExpr("amd64")
	for _, s := range []set{avx512, avx2} {
		for _, t := range s.tiles {
			s.genMultiply(t)
		}
		s.genAddNorm()
		s.genGELU()
		s.genSoftmax()
	}
	for _, t := range []tile{{12, 32}, {4, 32}} {
		genMultiplyBFloat16(t)
	}
	genRound()
	for _, s := range []int8Set{avx512VNNI, avxVNNI} {
		for _, t := range s.tiles {
			s.genMultiply(t)
		}
		s.genQuantize()
	}
	Generate()
}
