//go:build generate

// Command asm writes the assembly of package sketch with avo. It is built with
// the tag generate alone, so that avo is no part of the program: run it by go
// generate in the package's folder.
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
