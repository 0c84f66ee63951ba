package encoder

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/bert"
	"github.com/ctxnorm/ctxnorm/tokenizer"
)

// arithmeticVersion must be raised when the same files give other vectors.
const arithmeticVersion = 1

// Fingerprint returns the hexadecimal SHA-256 of everything that determines a vector: the configuration and weights in
// dir, the tokenizer, the settings, and the version of the arithmetic.
func Fingerprint(dir string, t *tokenizer.Tokenizer, settings Settings) (string, error) {
	config, err := bert.ReadConfig(dir)
	if err != nil {
		return "", err
	}
	weights, err := weightsHash(dir)
	if err != nil {
		return "", err
	}
	return fingerprint(config, weights, t, settings)
}

// weightsHash returns the hexadecimal SHA-256 of the weights in dir.
func weightsHash(dir string) (string, error) {
	digest, err := artifact.DigestFile(bert.WeightsFile(dir))
	return digest.SHA256, err
}

// fingerprint is like [Fingerprint], but takes the hexadecimal SHA-256 of the weights.
func fingerprint(config *bert.Config, weights string, t *tokenizer.Tokenizer, settings Settings) (string, error) {
	data, err := json.Marshal([]any{arithmeticVersion, config, weights, t.Hash(), settings})
	if err != nil {
		return "", err
	}
	hash := sha256.Sum256(data)
	return hex.EncodeToString(hash[:]), nil
}

// SaveUntrained writes the base model as an encoder without training it, adding rows for the markers and the settings.
// out must be absent or empty.
func SaveUntrained(base, out string, settings Settings) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("encoder: %w", err)
		}
	}()
	if err := settings.validate(); err != nil {
		return err
	}
	t, err := tokenizer.Open(base)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	c, err := bert.ReadCheckpoint(base, t.Size(), untrainedSeed)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	settings.MaxTokens = min(settings.MaxTokens, int(c.Config.Positions))
	return WriteFolder(out, settings, t, c.Write)
}

// WriteFolder writes an encoder in the Hugging Face layout. writeModel must write its configuration and weights to the
// folder passed to it. The folder out appears complete or not at all; before, it must be absent or empty.
func WriteFolder(out string, settings Settings, t *tokenizer.Tokenizer, writeModel func(dir string) error) error {
	return artifact.ReplaceFolder(out, artifact.CheckEmpty, func(dir string) error {
		if err := writeModel(dir); err != nil {
			return err
		}
		if err := artifact.WriteJSON(filepath.Join(dir, settingsFile), settings); err != nil {
			return err
		}
		return t.Save(dir)
	})
}
