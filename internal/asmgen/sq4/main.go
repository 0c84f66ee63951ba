// Command sq4 writes the assembly of package knnindex/internal/sq4.
package main

import . "github.com/mmcloughlin/avo/build"

func main() {
	ConstraintExpr("amd64")
	for _, queries := range []int{1, 16} {
		genAVX512(queries)
		genAVX2(queries)
	}
	genEncode()
	Generate()
}
