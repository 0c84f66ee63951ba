//go:build generate

// Command asm writes the assembly of package bfloat with avo. It has the build tag
// generate, so that avo is not part of the program. Run it by go generate in the
// package's folder.
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
