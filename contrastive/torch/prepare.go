//go:build torch

package torch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"ctxnorm/tokenizer"
)

// Prepare writes the base model as an encoder that was not trained: with rows
// for the markers, and settings in its folder. Out must not exist, or be empty.
func Prepare(base, out string, settings Settings) error {
	if err := prepare(base, out, settings); err != nil {
		return fmt.Errorf("encoder: %w", err)
	}
	return nil
}

func prepare(base, out string, settings Settings) (err error) {
	if err := settings.validate(); err != nil {
		return err
	}
	t, err := tokenizer.Open(base)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	markers, err := markerIDs(t)
	if err != nil {
		return err
	}
	m, err := loadModel(base, t.Size(), markers, false, newRowSeed)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.drop()) }()
	settings.MaxTokens = min(settings.MaxTokens, int(m.config.Positions))
	return writeFolder(out, m, settings, t)
}

// writeFolder writes an encoder in the Hugging Face layout, beside its place
// first.
func writeFolder(out string, m *model, settings Settings, t *tokenizer.Tokenizer) error {
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(filepath.Dir(out), "."+filepath.Base(out)+"-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) // of what a failure left
	if err := os.Chmod(dir, 0o755); err != nil {
		return err
	}
	if err := m.write(dir); err != nil {
		return err
	}
	if err := settings.write(dir); err != nil {
		return err
	}
	if err := t.Save(dir); err != nil {
		return err
	}
	return os.Rename(dir, out)
}
