//go:build torch

package torch

import (
	"errors"
	"fmt"

	"ctxnorm/tokenizer"
)

// Prepare writes the base model as an encoder that was not trained: with rows
// for the markers, and settings in its folder. Out must not exist, or be empty.
func Prepare(base, out string, settings Settings) (err error) {
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
		return fmt.Errorf("encoder: %w", err)
	}
	defer func() { err = errors.Join(err, m.drop()) }()
	settings.MaxTokens = min(settings.MaxTokens, int(m.config.Positions))
	return writeFolder(out, m, settings, t)
}
