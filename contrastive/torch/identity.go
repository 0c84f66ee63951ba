//go:build torch

package torch

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	"ctxnorm"
	"ctxnorm/contrastive"
	"ctxnorm/tokenizer"
)

// codeVersion is raised when the same files give other vectors than before.
const codeVersion = 1

// fingerprint is the hexadecimal SHA-256 of all that decides a vector.
func fingerprint(dir string, t *tokenizer.Tokenizer, settings Settings) (string, error) {
	config, err := readConfig(dir)
	if err != nil {
		return "", err
	}
	weights, err := hashFile(weightsFile(dir))
	if err != nil {
		return "", err
	}
	about, err := json.Marshal([]any{codeVersion, config, weights, t.Hash(), settings})
	if err != nil {
		return "", err
	}
	hash := sha256.Sum256(about)
	return hex.EncodeToString(hash[:]), nil
}

// identity is what has to be equal for training to go on.
type identity struct {
	Config contrastive.Config `json:"config"`
	Steps  int                `json:"steps"`
	Base   string             `json:"base"` // fingerprint of the base model
	Data   string             `json:"data"` // hash of the exemplars
}

// differs names the first difference, or nothing.
func (id identity) differs(o identity) string {
	was, is := reflect.ValueOf(id.Config), reflect.ValueOf(o.Config)
	for i := range was.NumField() {
		if !was.Field(i).Equal(is.Field(i)) {
			name, _, _ := strings.Cut(was.Type().Field(i).Tag.Get("json"), ",")
			return fmt.Sprintf("%s was %v and is %v", name, was.Field(i), is.Field(i))
		}
	}
	switch {
	case id.Base != o.Base:
		return "the base model is another"
	case id.Data != o.Data:
		return "the exemplars are others"
	case id.Steps != o.Steps:
		return fmt.Sprintf("it was of %d steps and is of %d", id.Steps, o.Steps)
	}
	return ""
}

// hashExemplars identifies all that training reads of the exemplars.
func hashExemplars(sets ...[]ctxnorm.Exemplar) string {
	h := sha256.New()
	for _, set := range sets {
		fmt.Fprintf(h, "%d\n", len(set))
		for i := range set {
			e := &set[i]
			fmt.Fprintf(h, "%q %d %d %q\n", e.Sentence.Of(e.Text), e.Mention.Start-e.Sentence.Start, e.Mention.End-e.Sentence.Start, e.Mention.Concepts)
			for _, m := range e.Mentions {
				if e.Sentence.Contains(m.Span) {
					fmt.Fprintf(h, "%d %d %q\n", m.Start-e.Sentence.Start, m.End-e.Sentence.Start, m.Concepts)
				}
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// hashFile is the hexadecimal SHA-256 of a file.
func hashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
