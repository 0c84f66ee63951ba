// Package bert computes BERT encoders: token ids -> hidden states -> unit vectors of spans.
//
// To find or download the model that training starts from, call [ResolveBaseModel]. To read the weights of a folder in
// the Hugging Face layout, call [ReadCheckpoint]. To compute vectors with fixed weights in Go, call [NewPacked], then
// [Packed.Vectors] for each batch of [Packed.Batches]. With the build tag torch, [LoadModel] reads the weights into
// tensors of libtorch, [NewInference] computes vectors with fixed weights on a GPU, and [Model.Network] also computes
// gradients. To encode queries instead of tokens, use package encoder.
//
//	config.json          sizes, activation, layer_norm_eps       config.go
//	model.safetensors    the weights, or pytorch_model.bin       weights.go, checkpoint.go
//
// The files, in reading order; those after int8.go need the tag:
//
//	basemodel.go, hub.go     the folder of a base model
//	params.go                names and shapes of the weights
//	checkpoint.go            the weights of a folder
//	inputs.go                distinct sentences, batches of them, spans that are pooled
//	packed.go, forward.go    hidden states and unit vectors in Go, in the instruction set of the processor
//	int8.go                  the same in 8-bit integers
//	model.go                 all weights in one buffer, and views of it
//	network.go               embeddings and layers -> hidden states
//	batch.go, shapes.go      token ids -> padded batches, of few shapes
//	outputtokens.go          the tokens that the last layer computes
//	pool.go                  hidden states -> unit vectors
//	inference.go             vectors with fixed weights
package bert
