// Package encoder turns mentions in their sentences into vectors, by a BERT in the
// Hugging Face layout.
//
// To encode queries, call [Open] and [Encoder.Encode]. To train an encoder first, use
// package train. To use a base model untrained, write it with [SaveUntrained]
// and open what it wrote. Everything but this comment needs the build tag torch.
//
// The folder of an encoder holds
//
//	config.json          the sizes of the network
//	model.safetensors    the weights, or pytorch_model.bin
//	tokenizer.json       or vocab.txt: see package tokenizer
//	ctxnorm.json         [Settings]; a base model has none
//
// The folders that are written here also open in Python, with AutoModel and AutoTokenizer.
package encoder
