// Package train fine-tunes a BERT by metric learning: mentions of the same concept move together, mentions of different
// concepts apart.
//
// To train, call [Train] with a [Training]. Its [contrastive.Task] determines what is encoded and what the loss is;
// [contrastive.Config] documents the hyperparameters that all tasks share. To continue a training that was stopped,
// call Train again with the same Training. Package encoder opens the folder that it writes. Everything except this
// comment needs the build tag torch.
//
// The files, in reading order:
//
//	train.go, trainer.go        input and summary; the steps in their order
//	dataloader.go               the tokenized batch of a step
//	trainstate.go, adamw.go     forward, backward and the optimizer
//	parameters.go               trained numbers besides the encoder
//	validate.go                 the accuracy that chooses the weights to write
//	checkpoint.go, identity.go  stopping and resuming
package train
