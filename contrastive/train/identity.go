//go:build torch

package train

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"reflect"
	"strings"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/text"
)

// runIdentity is everything that must be equal for a training to go on from a
// checkpoint.
type runIdentity struct {
	Config contrastive.Config `json:"config"`
	Steps  int                `json:"steps"`
	Base   string             `json:"base"` // fingerprint of the base model
	Data   string             `json:"data"` // hash of the exemplars
}

// difference describes the first difference between the identity of a checkpoint and
// that of the present training, or returns "".
func (id runIdentity) difference(now runIdentity) string {
	old, config := reflect.ValueOf(id.Config), reflect.ValueOf(now.Config)
	for i := range old.NumField() {
		if !old.Field(i).Equal(config.Field(i)) {
			name, _, _ := strings.Cut(old.Type().Field(i).Tag.Get("json"), ",")
			return fmt.Sprintf("%s was %v and is %v", name, old.Field(i), config.Field(i))
		}
	}
	switch {
	case id.Base != now.Base:
		return "the base model is different"
	case id.Data != now.Data:
		return "the exemplars are different"
	case id.Steps != now.Steps:
		return fmt.Sprintf("the number of steps was %d and is %d", id.Steps, now.Steps)
	}
	return ""
}

// hashExemplars returns the hexadecimal SHA-256 of everything that training reads of
// the exemplars.
func hashExemplars(sets ...[]text.Exemplar) string {
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
