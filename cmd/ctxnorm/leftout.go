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

// logLeftOut says what linking goes without if the model's encoder was left out.
func (p *program) logLeftOut(leftOut bool) {
	if !leftOut {
		return
	}
	p.warn("this build of ctxnorm cannot run the model's encoder: its vectors are left out, and short forms "+
		"that a document does not define are resolved without them", torchBuild)
}

// waiting returns what is called when another process is writing what the command writes: nil unless wait is set.
func (p *program) waiting(wait bool) func(*ctxnorm.LockedError) {
	if !wait {
		return nil
	}
	return func(held *ctxnorm.LockedError) { p.logf("waiting: %v", held) }
}
