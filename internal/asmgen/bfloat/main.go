// Command bfloat writes the assembly of package bfloat.
package main

import . "github.com/mmcloughlin/avo/build"

func main() {
	ConstraintExpr("amd64")
	genExpand()
	genTranspose()
	genProduct()
	genSoftmax()
	genRound()
	genAddNorm()
	Generate()
}
