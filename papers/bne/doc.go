// Package bne is the biomedical name encoder of Phan, Sun & Tay, "Robust Representation
// Learning of Biomedical Names", ACL 2019: [Recipe] is its recipe. The losses and their targets are in plain arithmetic;
// the network, two BiLSTMs on libtorch, needs the build tag torch.
//
//	word ── characters ── BiLSTM, last states ─┐
//	  └──── word vector (package wordvec) ─────┴─ BiLSTM, max ── W h + b ── f(s)
//
// Training pulls f(s) towards the vectors of the concept's other names (synonyms), towards
// that of the concept and towards that of the name's contexts. Package train makes a [Model] of word vectors with
// [NewModel], trains its weights, and writes a folder with [Model.Write], which [Open] reads:
//
//	bne.json            form of the network, and the format
//	model.safetensors   weights, named and laid out as torch.nn.LSTM, Embedding and Linear have them
//	word-vectors/       the word vectors that it reads, as package wordvec writes them
package bne
