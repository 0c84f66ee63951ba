package tokenizer

import (
	"errors"
	"fmt"
)

// Tokenizer is a WordPiece tokenizer with the markers among its tokens. It is
// safe for concurrent use.
type Tokenizer struct {
	segmenter segmenter
	folder    *folder
	hash      string

	entStart, entEnd int32
}

// ErrUnsupported reports a tokenizer that only a build with the tag torch reads.
var ErrUnsupported = errors.New("this build reads the tokenizer of BERT alone; one made with -tags torch reads others")

// Open opens the tokenizer of a Hugging Face model folder: tokenizer.json, or vocab.txt
// if there is no tokenizer.json, with the settings of tokenizer_config.json and
// special_tokens_map.json. Markers that the tokenizer lacks are added after its last
// id. Truncation and padding settings of the folder are ignored. The caller must call
// Close.
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
	for _, marker := range []struct {
		token string
		id    *int32
	}{{startMarker, &t.entStart}, {endMarker, &t.entEnd}} {
		*marker.id, _ = f.definition.id(marker.token)
		if other, ok := f.definition.tokenOf(*marker.id, marker.token); ok {
			return nil, fmt.Errorf("%s: id %d is the token %q, want %s", dir, *marker.id, other, marker.token)
		}
	}
	if t.segmenter, err = newSegmenter(f.definition); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return t, nil
}

// newSegmenter returns the tokenizer of a definition: [wordPiece], or the library if it is another.
func newSegmenter(d *definition) (segmenter, error) {
	t, err := newWordPiece(d)
	var unsupported *unsupportedError
	if !errors.As(err, &unsupported) {
		return t, err
	}
	other, err := openLibrary(d)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", unsupported, err)
	}
	return other, nil
}

// Close frees the memory of the library, where that is used. The tokenizer must not be used after it.
func (t *Tokenizer) Close() error { return t.segmenter.Close() }

// Size returns the number of ids with those of the markers: the highest id plus 1.
func (t *Tokenizer) Size() int { return t.folder.definition.size() }

// Hash identifies the tokenizer: tokenizers with the same hash return the same ids for
// the same text. It is the hexadecimal SHA-256 of tokenizer.json with the markers and
// sorted keys.
func (t *Tokenizer) Hash() string { return t.hash }

// PadID returns the id of [PAD], which fills the shorter rows of a batch.
func (t *Tokenizer) PadID() int32 { return t.folder.ids.Pad }

// Markers returns the ids of [ENT] and [/ENT].
func (t *Tokenizer) Markers() (start, end int32) { return t.entStart, t.entEnd }

// Save writes tokenizer.json, tokenizer_config.json, special_tokens_map.json, and
// vocab.txt if there was one, into the folder dir. Open and Python's AutoTokenizer open
// the folder, with the markers as special tokens.
func (t *Tokenizer) Save(dir string) error {
	if err := t.folder.save(dir); err != nil {
		return fmt.Errorf("tokenizer: %w", err)
	}
	return nil
}
