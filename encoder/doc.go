// Package encoder turns mentions in their sentences into vectors, by a BERT in the
// Hugging Face layout.
//
// To encode queries, call [Open] and [Encoder.Encode]. To train an encoder first, use
// Train of package ctxnorm. To use a base model untrained, write it with [SaveUntrained]
// and open what it wrote.
//
// Every build computes in Go, in float32, or in bfloat16 where the processor has AVX512-BF16. One with the
// tag torch uses GPUs besides, by libtorch, and reads weights in PyTorch's own format and other
// tokenizers: see package tokenizer.
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
