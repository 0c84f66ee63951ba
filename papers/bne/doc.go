// Package bne implements the biomedical name encoder of Phan, Sun & Tay, "Robust Representation Learning of Biomedical
// Names", ACL 2019. [Recipe] is its recipe. The losses and their targets are in plain Go; the network, two BiLSTMs on
// libtorch, needs the build tag torch.
//
//	word ── characters ── BiLSTM, last states ─┐
//	  └──── word vector (package wordvec) ─────┴─ BiLSTM, max ── W h + b ── f(s)
//
// Training pulls f(s) toward the vectors of the concept's other names (synonyms), of the concept and of the name's
// contexts. Package train makes a [Model] from word vectors with [NewModel], trains its weights, and writes a folder
// with [Model.Write], which [Open] reads:
//
//	bne.json            form of the network, and the format
//	model.safetensors   weights, with the names and layout of torch.nn.LSTM, Embedding and Linear
//	word-vectors/       the word vectors that it reads, in the format of package wordvec
package bne
