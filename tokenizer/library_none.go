//go:build !torch

package tokenizer

// openLibrary returns an error: this build lacks Hugging Face's library, which reads the other tokenizers.
func openLibrary(*definition) (segmenter, error) { return nil, ErrUnsupported }
