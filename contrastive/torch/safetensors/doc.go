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
// as https://github.com/huggingface/safetensors#format describes it. Every offset
// is checked against the shape and against the file when a file is opened, so a
// damaged header gives an error that names the tensor, and never a wrong number.
package safetensors
