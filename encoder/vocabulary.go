package encoder

import (
	"fmt"

	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

var _ model.TokenCounter = (*Encoder)(nil)

// CountTokens returns the number of tokens of a text, and of those among them that the vocabulary lacks.
func (e *Encoder) CountTokens(s string) (tokens, unknown int) { return e.tokenizer.Count(s) }

// Vocabulary counts tokens as the encoder of its folder would, without its weights.
type Vocabulary struct{ tokenizer *tokenizer.Tokenizer }

// OpenVocabulary opens the tokenizer of an encoder folder. The caller must call Close.
func OpenVocabulary(dir string) (*Vocabulary, error) {
	t, err := tokenizer.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("encoder: %w", err)
	}
	return &Vocabulary{t}, nil
}

// CountTokens returns the number of tokens of a text, and of those among them that the vocabulary lacks.
func (v *Vocabulary) CountTokens(s string) (tokens, unknown int) { return v.tokenizer.Count(s) }

// Close frees the tokenizer.
func (v *Vocabulary) Close() error { return v.tokenizer.Close() }
