//go:build !torch

package tokenizer

import "errors"

// openLibrary is for tokenizers that only Hugging Face's library reads, which is not in this build.
func openLibrary(*definition) (segmenter, error) {
	return nil, errors.New("this build reads the tokenizer of BERT alone; one made with -tags torch reads others")
}
