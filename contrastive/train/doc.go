// Package train fine-tunes a BERT by metric learning: mentions of one concept move
// together, and those of others apart.
//
// To train, call [Train] with a [Training]; [contrastive.Config] documents every
// hyperparameter. To go on with a training that was stopped, call it again with the same
// Training. Package encoder opens the folder that it writes. Everything but this comment
// needs the build tag torch.
//
// The method is that of the BioCoM paper (see package contrastive), with the
// Multi-Similarity loss. The files, in the order in which to read them:
//
//	train.go, trainer.go        input and summary; the steps in their order
//	dataloader.go               the batch of a step, with synonyms in place of mentions
//	trainstate.go, adamw.go     forward, backward and the optimizer
//	loss.go                     Multi-Similarity on tensors
//	validate.go                 the accuracy that chooses the weights to write
//	checkpoint.go, identity.go  stopping and resuming
package train
