//go:build torch

package nameencoder

// Names of the other files of a folder.
const (
	weightsFile   = "model.safetensors"
	vectorsFolder = "word-vectors"
)
