// Package train fine-tunes a BERT by metric learning: mentions of one concept move
// together, and those of others apart.
//
// To train, call [Train] with a [Training]. Its [contrastive.Task] says what is encoded and
// what the loss is; [contrastive.Config] documents the hyperparameters that all tasks share.
// To go on with a training that was stopped, call it again with the same Training. Package
// encoder opens the folder that it writes. Everything but this comment needs the build tag
// torch.
//
// The files, in the order in which to read them:
//
//	train.go, trainer.go        input and summary; the steps in their order
//	dataloader.go               the tokenized batch of a step
//	trainstate.go, adamw.go     forward, backward and the optimizer
//	parameters.go               trained numbers besides the encoder
//	validate.go                 the accuracy that chooses the weights to write
//	checkpoint.go, identity.go  stopping and resuming
package train
