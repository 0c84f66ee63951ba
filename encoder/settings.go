package encoder

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// settingsFile is the file of an encoder's folder that holds its [Settings].
const settingsFile = "ctxnorm.json"

// Settings holds the settings that an encoder was trained with and must be used with. They are stored in its folder, so
// they cannot be mixed up. A folder without them is a base model and has those of [contrastive.DefaultConfig].
//
// NB: their JSON is part of an encoder's fingerprint.
type Settings struct {
	Pooling   contrastive.Pooling `json:"pooling"`    // "span", "ent", "cls", "mean" or "text"
	MarkAll   bool                `json:"mark_all"`   // mark all mentions of a sentence, not just the queried one
	MaxTokens int                 `json:"max_tokens"` // the longest input, in WordPiece tokens
}

// SettingsOf returns the settings of an encoder trained with the configuration.
func SettingsOf(c contrastive.Config) Settings {
	return Settings{Pooling: c.Pooling, MarkAll: c.MarkAll, MaxTokens: c.MaxTokens}
}

// Input returns the encoder's input for a query, depending on the pooling: the sentence with its mentions marked, or
// without markers, or the normal form of the mention alone. Input.Query is the marked mention, or the whole input if
// there are no markers.
func (s Settings) Input(t *tokenizer.Tokenizer, q *text.Query) (tokenizer.Input, error) {
	switch {
	case s.Pooling == contrastive.PoolText:
		return t.EncodeUnmarked(q, s.MaxTokens)
	case !s.Pooling.InContext():
		surface := q.Surface()
		if normal := normalize.Normal(surface); normal != "" { // empty if the mention has only punctuation or symbols
			surface = normal
		}
		alone := text.NameExemplar(surface).Query
		alone.ID = q.ID // for errors
		return t.EncodeUnmarked(&alone, s.MaxTokens)
	}
	return t.Encode(q, s.MaxTokens, s.MarkAll)
}

// PooledTokens returns the tokens with hidden states to pool, given the tokens of Input.Query or of another marked
// mention: all of them, or the first, which is the marker [ENT] or [CLS].
func (s Settings) PooledTokens(mention tokenizer.TokenSpan) tokenizer.TokenSpan {
	if s.Pooling == contrastive.PoolEnt || s.Pooling == contrastive.PoolCLS {
		mention.End = mention.Start + 1
	}
	return mention
}

// ReadSettings returns the settings of the encoder in a folder. For a base model, which has no settings file, it
// returns the defaults, and stated is false.
func ReadSettings(dir string) (s Settings, stated bool, err error) {
	path := filepath.Join(dir, settingsFile)
	s = SettingsOf(contrastive.DefaultConfig())
	if err := artifact.ReadJSON(path, &s); errors.Is(err, fs.ErrNotExist) {
		return s, false, nil
	} else if err != nil {
		return s, false, err
	}
	if err := s.validate(); err != nil {
		return s, false, artifact.Damaged(path, "%v", err)
	}
	return s, true, nil
}

func (s Settings) validate() error {
	if s.Pooling != contrastive.PoolText && !s.Pooling.Trains() {
		return fmt.Errorf(`pooling is %q, want "span", "ent", "cls", "mean" or "text"`, s.Pooling)
	}
	if s.MaxTokens < contrastive.MinTokens {
		return fmt.Errorf("max_tokens is %d, want %d or more", s.MaxTokens, contrastive.MinTokens)
	}
	return nil
}
