package tokenizer

import (
	"errors"
	"fmt"
)

// Tokenizer is a WordPiece tokenizer with the markers among its tokens. It is safe for concurrent use.
type Tokenizer struct {
	segmenter segmenter
	folder    *folder
	hash      string

	cls, sep, pad, unknown int32
	entStart, entEnd       int32
}

// segmenter splits a text into tokens of a vocabulary. It is safe for concurrent use.
type segmenter interface {
	// segment returns the ids of the tokens of a text. The text must be a result of [cleanText].
	segment(text string) []int32
	Close() error
}

// ErrUnsupported reports a tokenizer that only a build with the tag torch can read.
var ErrUnsupported = errors.New("this build reads the tokenizer of BERT alone; one made with -tags torch reads others")

// Open opens the tokenizer of a Hugging Face model folder: tokenizer.json, or vocab.txt if there is no tokenizer.json,
// with the settings of tokenizer_config.json and special_tokens_map.json. Markers that the tokenizer lacks are added
// after its last id. Truncation and padding settings of the folder are ignored. The caller must call Close.
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
	for _, special := range []struct {
		token string
		id    *int32
	}{{f.names["cls_token"], &t.cls}, {f.names["sep_token"], &t.sep}, {f.names["pad_token"], &t.pad},
		{f.names["unk_token"], &t.unknown}, {startMarker, &t.entStart}, {endMarker, &t.entEnd}} {
		*special.id, _ = f.definition.id(special.token)
	}
	if t.hash, err = f.definition.hash(); err != nil {
		return nil, err
	}
	if other := f.definition.otherThanBERT(); other == "" {
		t.segmenter, err = newWordPiece(f.definition)
	} else if t.segmenter, err = openLibrary(f.definition); err != nil {
		err = fmt.Errorf("%s: %w", other, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return t, nil
}

// Close frees the memory of the library, if it is used. Do not use the tokenizer afterwards.
func (t *Tokenizer) Close() error { return t.segmenter.Close() }

// Size returns the number of ids including the markers: the highest id plus 1.
func (t *Tokenizer) Size() int { return t.folder.definition.size() }

// Hash identifies the tokenizer: tokenizers with the same hash return the same ids for the same text. It is the
// hexadecimal SHA-256 of tokenizer.json with the markers and sorted keys.
func (t *Tokenizer) Hash() string { return t.hash }

// PadID returns the id of [PAD], which fills the shorter rows of a batch.
func (t *Tokenizer) PadID() int32 { return t.pad }

// Markers returns the ids of [ENT] and [/ENT].
func (t *Tokenizer) Markers() (start, end int32) { return t.entStart, t.entEnd }

// CountTokens returns the number of tokens of a text, without [CLS], [SEP] and markers, and the number of [UNK] among
// them: words, or Chinese and Japanese characters, that are not in the vocabulary.
func (t *Tokenizer) CountTokens(s string) (tokens, unknown int) {
	ids := t.segmenter.segment(cleanText(s))
	for _, id := range ids {
		if id == t.unknown {
			unknown++
		}
	}
	return len(ids), unknown
}

// Save writes tokenizer.json, tokenizer_config.json, special_tokens_map.json and, if there was one, vocab.txt into the
// folder dir. Open and Python's AutoTokenizer open the folder, with the markers as special tokens.
func (t *Tokenizer) Save(dir string) error {
	if err := t.folder.save(dir); err != nil {
		return fmt.Errorf("tokenizer: %w", err)
	}
	return nil
}
