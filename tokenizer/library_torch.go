//go:build torch

package tokenizer

import (
	"encoding/json"

	"github.com/daulet/tokenizers"
)

// library is Hugging Face's tokenizers library, through github.com/daulet/tokenizers.
type library struct{ native *tokenizers.Tokenizer }

// openLibrary returns the tokenizer of a definition. It must be closed.
func openLibrary(d *definition) (segmenter, error) {
	data, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	// Special tokens in the text are tokenized as text; Encode inserts the real ones.
	native, err := tokenizers.FromBytes(data, tokenizers.WithEncodeSpecialTokens())
	if err != nil {
		return nil, err
	}
	return library{native}, nil
}

// segment implements [segmenter].
func (l library) segment(text string) []token {
	encoding := l.native.EncodeWithOptions(text, false, tokenizers.WithReturnOffsets())
	tokens := make([]token, len(encoding.IDs))
	for i, id := range encoding.IDs {
		tokens[i] = token{int32(id), int(encoding.Offsets[i][0]), int(encoding.Offsets[i][1])}
	}
	return tokens
}

// Close frees the memory of the library.
func (l library) Close() error { return l.native.Close() }
