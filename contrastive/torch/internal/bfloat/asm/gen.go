//go:build generate

// Command asm writes the assembly of package bfloat with avo. It is built with the
// tag generate alone, so that avo is no part of the program: run it by go
// generate in the package's folder.
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
