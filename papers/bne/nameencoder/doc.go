// Package nameencoder is the network of package bne: two BiLSTMs on libtorch.
//
// Training goes through package train, which makes a [Model] of word vectors with
// [New], trains its weights, and writes a folder with [Model.Write]. [Open] reads it:
//
//	bne.json            form of the network, and the format
//	model.safetensors   weights, named and laid out as torch.nn.LSTM, Embedding and Linear have them
//	word-vectors/       the word vectors that it reads, as package wordvec writes them
package nameencoder
