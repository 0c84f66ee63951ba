//go:build !torch

package tokenizer

// openLibrary is for tokenizers that only Hugging Face's library reads, which is not in this build.
func openLibrary(*definition) (segmenter, error) { return nil, ErrUnsupported }
