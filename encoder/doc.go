// Package encoder turns mentions in their sentences into vectors, with a BERT in the Hugging Face layout.
//
// To encode queries, call [Open] and [Encoder.Encode]. To train an encoder first, use Train of package ctxnorm. To use
// a base model without training, write it with [SaveUntrained] and open the result.
//
// Every build computes in Go, in float32 or, if the processor has AVX512-BF16, in bfloat16. A build with the tag torch
// also uses GPUs, by libtorch, and reads weights in PyTorch's own format and other tokenizers: see package tokenizer.
//
// The folder of an encoder holds
//
//	config.json          the sizes of the network
//	model.safetensors    the weights, or pytorch_model.bin
//	tokenizer.json       or vocab.txt: see package tokenizer
//	ctxnorm.json         [Settings]; a base model has none
//
// Folders written by this package also open in Python, with AutoModel and AutoTokenizer.
package encoder
