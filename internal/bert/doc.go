// Package bert computes BERT encoders: token ids -> hidden states -> unit vectors of
// spans.
//
// To read the weights of a folder in the Hugging Face layout, call [LoadModel]. To compute
// vectors with fixed weights, use [NewInference]; to compute gradients as well,
// [Model.Network]. For queries and not tokens, use package encoder. Everything but this
// comment needs the build tag torch.
//
//	config.json          sizes, activation, layer_norm_eps       config.go
//	model.safetensors    the weights, or pytorch_model.bin       weights.go
//
// The files, in the order in which to read them:
//
//	params.go, model.go      all weights in one buffer, and views of it
//	network.go               embeddings and layers -> hidden states
//	batch.go, shapes.go      token ids -> padded batches, of few shapes
//	outputtokens.go          the tokens that the last layer computes
//	pool.go                  hidden states -> unit vectors
//	inference.go, packed.go  vectors with fixed weights, which are packed for oneDNN
//	sequences.go, fused.go   batches without padding, and layers over them in bfloat16,
//	                         with attention and norms by package bfloat
package bert
