// Package safetensors reads and writes the file format in which Hugging Face
// keeps weights. For reading, use [Open], [File.Tensors] and [File.Float32];
// for writing, [Write].
//
// A file is
//
//	8 bytes   N, the length of the header, little-endian
//	N bytes   JSON: {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, …,
//	                "__metadata__": {"format": "pt"}}
//	the rest  the tensors' bytes, row-major and little-endian; offsets count from here
//
// The format is described at https://github.com/huggingface/safetensors#format.
// This package is stricter than needed in nothing and laxer in nothing: every
// offset is checked against the shape and against the file before a byte of a
// tensor is read, so a damaged file gives an error and never a wrong number.
package safetensors
