package main

import "github.com/ctxnorm/ctxnorm"

// encoderBuild says where the build with the encoder comes from, at the end of a hint.
const encoderBuild = "the build with the encoder is made by make build (Linux on amd64)"

// notHere follows the description of an encoder that this build cannot run.
var notHere = func() string {
	if ctxnorm.HasEncoder {
		return ""
	}
	return " (this build of ctxnorm cannot run it)"
}()

// logLeftOut says what linking goes without if the model's encoder was left out.
func (p *program) logLeftOut(leftOut bool) {
	if !leftOut {
		return
	}
	p.warn("this build of ctxnorm has no encoder: the model's vectors are left out, and short forms that a document does not define are resolved without them", encoderBuild)
}
