package main

// torchBuild says where the build comes from that trains, and runs every encoder, at the end of a hint.
const torchBuild = "the build with libtorch is made by make build (Linux on amd64)"

// logLeftOut says what linking goes without if the model's encoder was left out.
func (p *program) logLeftOut(leftOut bool) {
	if !leftOut {
		return
	}
	p.warn("this build of ctxnorm cannot run the model's encoder: its vectors are left out, and short forms "+
		"that a document does not define are resolved without them", torchBuild)
}
