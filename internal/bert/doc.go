// Package bert computes BERT encoders: token ids -> hidden states -> unit vectors of
// spans.
//
// To read the weights of a folder in the Hugging Face layout, call [ReadCheckpoint]. To compute
// vectors with fixed weights in Go, use package infer. With the build tag torch, [LoadModel] reads the
// weights into tensors of libtorch, [NewInference] computes vectors with fixed weights on a GPU, and
// [Model.Network] gradients as well. For queries and not tokens, use package encoder.
//
//	config.json          sizes, activation, layer_norm_eps       config.go
//	model.safetensors    the weights, or pytorch_model.bin       weights.go, checkpoint.go
//
// The files, in the order in which to read them; those after inputs.go need the tag:
//
//	params.go                names and shapes of the weights
//	checkpoint.go            the weights of a folder
//	inputs.go                distinct sentences, batches of them, spans that are pooled
//	model.go                 all weights in one buffer, and views of it
//	network.go               embeddings and layers -> hidden states
//	batch.go, shapes.go      token ids -> padded batches, of few shapes
//	outputtokens.go          the tokens that the last layer computes
//	pool.go                  hidden states -> unit vectors
//	inference.go             vectors with fixed weights
package bert
