//go:build torch

// Package torch is the BERT encoder on libtorch: the only package that imports
// gotch.
//
// To turn queries into vectors, use [Open] and [Encoder.Encode]. To train an
// encoder, use [Train], which reads a base model's folder and writes a folder of
// the same kind. Both read any BERT in the Hugging Face layout:
//
//	config.json           sizes, activation, layer_norm_eps          config.go
//	model.safetensors     the weights, or pytorch_model.bin          weights.go
//	tokenizer.json        or vocab.txt                               package tokenizer
//	ctxnorm.json          pooling and marking, once trained by us    settings.go
//
// and what is written opens in Python with AutoModel and AutoTokenizer.
//
// The files, in the order in which to read them:
//
//	scope.go, ops.go      tensors dropped together; gotch's operations with errors kept
//	runtime.go            threads and their settings inside libtorch
//	params.go             all weights in one flat vector, and views into it
//	bert.go               embeddings and layers -> hidden states
//	packed.go, script.go  products of bfloat16 with packed weights, through TorchScript
//	batch.go, shapes.go   token ids -> padded batch, of few shapes
//	fused.go              the layers in bfloat16 without padding, attention and norms by package bfloat
//	sequences.go          token ids -> a batch without padding
//	sentenceset.go        queries of one sentence -> one row
//	kept.go, pool.go      the tokens that are pooled; hidden states -> unit vectors
//	encoder.go            Encoder
//	loss.go               Multi-Similarity
//	train.go, run.go      Train: what is given, what is done in what order
//	data.go, learner.go   the batch of a step; forward, backward and optimizer
//	adamw.go, validate.go, checkpoint.go
//
// # Memory
//
// Every gotch tensor owns memory that Go's collector does not see, and each call
// that makes one must be paired with a drop. All tensors here are made through a
// [scope], which drops what it made. gotch's operations in place (Add_, Lerp_ and
// the like) leak a reference each time, so none is used.
//
// # Errors
//
// libtorch keeps its last error and its gradient mode per thread of the system,
// so every goroutine that calls it is locked to its thread: see [onThread].
package torch
