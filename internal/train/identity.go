//go:build torch

package train

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
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

	Method   string          `json:"method"`
	Settings json.RawMessage `json:"settings,omitempty"` // of the task
}

// newIdentity returns the identity of a training.
func newIdentity(t *Training, steps int, base string) (runIdentity, error) {
	plan := t.Task.Describe()
	id := runIdentity{
		Method: plan.Recipe, Config: plan.Config, Steps: steps, Base: base, Data: hashData(t.Task, t.Validation),
	}
	if plan.Settings != nil {
		var err error
		if id.Settings, err = json.Marshal(plan.Settings); err != nil {
			return id, err
		}
	}
	return id, nil
}

// difference describes the first difference between the identity of a checkpoint and
// that of the present training, or returns "".
func (id runIdentity) difference(now runIdentity) string {
	if id.Method != now.Method {
		return fmt.Sprintf("the method was %s and is %s", id.Method, now.Method)
	}
	old, config := reflect.ValueOf(id.Config), reflect.ValueOf(now.Config)
	for i := range old.NumField() {
		if !old.Field(i).Equal(config.Field(i)) {
			name, _, _ := strings.Cut(old.Type().Field(i).Tag.Get("json"), ",")
			return fmt.Sprintf("%s was %v and is %v", name, old.Field(i), config.Field(i))
		}
	}
	switch {
	case compact(id.Settings) != compact(now.Settings):
		return fmt.Sprintf("the settings of %s were %s and are %s", now.Method, compact(id.Settings),
			compact(now.Settings))
	case id.Base != now.Base:
		return "the base model is different"
	case id.Data != now.Data:
		return "the exemplars are different"
	case id.Steps != now.Steps:
		return fmt.Sprintf("the number of steps was %d and is %d", id.Steps, now.Steps)
	}
	return ""
}

// compact returns JSON without white space.
func compact(data json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, data) != nil {
		return string(data)
	}
	return b.String()
}

// hashData returns the hexadecimal SHA-256 of the data of training and validation.
func hashData(m contrastive.Task, validation []text.Exemplar) string {
	h := sha256.New()
	m.WriteData(h)
	contrastive.WriteExemplars(h, validation)
	return hex.EncodeToString(h.Sum(nil))
}
