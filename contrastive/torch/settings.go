//go:build torch

package torch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"

	"ctxnorm/contrastive"
)

// SettingsFile is the file of an encoder's folder that holds its [Settings].
const SettingsFile = "ctxnorm.json"

// Settings are what an encoder was trained with and has to be used with, beside
// weights and tokenizer. They are kept in its folder, so that they cannot be
// mixed up; a folder without them, a base model, has [DefaultSettings].
type Settings struct {
	Pooling   contrastive.Pooling `json:"pooling"`    // "span" or "ent"
	MarkAll   bool                `json:"mark_all"`   // all mentions of a sentence are marked, or the queried one
	MaxTokens int                 `json:"max_tokens"` // the longest input, in WordPiece tokens
}

// DefaultSettings are those of [contrastive.DefaultConfig].
func DefaultSettings() Settings { return settingsOf(contrastive.DefaultConfig()) }

func settingsOf(c contrastive.Config) Settings {
	return Settings{Pooling: c.Pooling, MarkAll: c.MarkAll, MaxTokens: c.MaxTokens}
}

// ReadSettings reads dir/ctxnorm.json, if there is one.
func ReadSettings(dir string) (Settings, error) {
	path := filepath.Join(dir, SettingsFile)
	s := DefaultSettings()
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return s, fmt.Errorf("%s: %w", path, err)
	}
	if err := s.validate(); err != nil {
		return s, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

func (s Settings) validate() error {
	if s.Pooling != contrastive.PoolSpan && s.Pooling != contrastive.PoolEnt {
		return fmt.Errorf(`pooling is %q, want "span" or "ent"`, s.Pooling)
	}
	if s.MaxTokens < contrastive.MinTokens {
		return fmt.Errorf("max_tokens is %d, want %d or more", s.MaxTokens, contrastive.MinTokens)
	}
	return nil
}

func (s Settings) write(dir string) error {
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return renameio.WriteFile(filepath.Join(dir, SettingsFile), append(data, '\n'), 0o644)
}
