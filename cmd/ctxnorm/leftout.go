package main

import "github.com/ctxnorm/ctxnorm"

// trainProgramName is the name of the build with libtorch, which takes .5 s to load. It has all commands.
const trainProgramName = "ctxnorm-train"

// trainProgram runs the build with libtorch in the place of this one, to train an encoder or to compute on a GPU. If
// this is it, or there is none, it returns missing.
func (p *program) trainProgram(missing error) error {
	if ctxnorm.CanTrain {
		return missing
	}
	path := findTrainProgram()
	if path == "" {
		return missing
	}
	return become(path, p.args)
}

// torchBuild says where the build comes from that trains, and runs every encoder, at the end of a hint.
const torchBuild = trainProgramName + ", which make build makes (Linux on amd64), has the same commands with libtorch"

// logLeftOut says what linking goes without if the model's encoder was left out.
func (p *program) logLeftOut(leftOut bool) {
	if !leftOut {
		return
	}
	p.warn("this build of ctxnorm cannot run the model's encoder: its vectors are left out, and short forms "+
		"that a document does not define are resolved without them", torchBuild)
}
