//go:build torch

package tokenizer

import (
	"encoding/json"
	"fmt"

	"github.com/daulet/tokenizers"
)

// Tokenizer is a WordPiece tokenizer with the markers among its tokens. It is
// safe for concurrent use.
type Tokenizer struct {
	native *tokenizers.Tokenizer
	folder *folder
	hash   string

	entStart, entEnd int32
}

// Open reads the tokenizer of a Hugging Face model folder: tokenizer.json, or
// vocab.txt where that is not there, with the settings of
// tokenizer_config.json and special_tokens_map.json. Markers that the tokenizer
// lacks are added after its last id. Truncation and padding that the folder
// asks for are left out.
func Open(dir string) (*Tokenizer, error) {
	t, err := open(dir)
	if err != nil {
		return nil, fmt.Errorf("tokenizer: %w", err)
	}
	return t, nil
}

func open(dir string) (*Tokenizer, error) {
	f, err := readFolder(dir)
	if err != nil {
		return nil, err
	}
	t := &Tokenizer{folder: f}
	if t.hash, err = f.definition.hash(); err != nil {
		return nil, err
	}
	data, err := json.Marshal(f.definition)
	if err != nil {
		return nil, err
	}
	// Special tokens in the text are text; those of the input are put in by Encode.
	t.native, err = tokenizers.FromBytes(data, tokenizers.WithEncodeSpecialTokens())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	for _, marker := range []struct {
		token string
		id    *int32
	}{{EntStart, &t.entStart}, {EntEnd, &t.entEnd}} {
		*marker.id, _ = f.definition.id(marker.token)
		if got := t.native.Decode([]uint32{uint32(*marker.id)}, false); got != marker.token {
			t.Close()
			return nil, fmt.Errorf("%s: id %d is %q to the tokenizer, want %s", dir, *marker.id, got, marker.token)
		}
	}
	return t, nil
}

// Close gives the native memory back. The tokenizer is not to be used after it.
func (t *Tokenizer) Close() error { return t.native.Close() }

// Size is the number of ids, the markers' included: the highest and one more.
func (t *Tokenizer) Size() int { return t.folder.definition.size() }

// Hash identifies the tokenizer: two of one hash give the same ids for the same
// text. It is the hexadecimal SHA-256 of tokenizer.json with the markers,
// keys sorted.
func (t *Tokenizer) Hash() string { return t.hash }

// PadID is the id of [PAD], for the end of the shorter rows of a batch.
func (t *Tokenizer) PadID() int32 { return t.folder.ids.Pad }

// Markers are the ids of [ENT] and [/ENT].
func (t *Tokenizer) Markers() (start, end int32) { return t.entStart, t.entEnd }

// Save writes tokenizer.json, tokenizer_config.json, special_tokens_map.json,
// and vocab.txt if there was one, into the folder dir. Open and Python's
// AutoTokenizer read them back, the markers as special tokens.
func (t *Tokenizer) Save(dir string) error {
	if err := t.folder.save(dir); err != nil {
		return fmt.Errorf("tokenizer: %w", err)
	}
	return nil
}
