//go:build torch

package train

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/ctxnorm/ctxnorm/contrastive"
)

// runIdentity holds everything that must be equal for a training to continue from a checkpoint, as JSON by name: recipe
// and configuration, the hash of the base model, and the hash of the exemplars.
type runIdentity map[string]string

// newIdentity returns the identity of a training.
func newIdentity(t *Training, steps int, base string) (runIdentity, error) {
	plan := t.Task.Describe()
	exemplars := sha256.New()
	t.Task.WriteData(exemplars)
	contrastive.WriteExemplars(exemplars, t.Validation)
	id := make(runIdentity)
	for name, value := range map[string]any{
		"recipe": plan.Recipe, "config": plan.Config, "settings": plan.Settings, "steps": steps, "base model": base,
		"exemplars": exemplars.Sum(nil),
	} {
		data, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		id.add(name, data)
	}
	return id, nil
}

// add adds a value or, if it is an object, its members with the names prefixed.
func (id runIdentity) add(name string, value json.RawMessage) {
	var object map[string]json.RawMessage
	if json.Unmarshal(value, &object) != nil || object == nil {
		id[name] = string(value)
	}
	for key, member := range object {
		id.add(name+"."+key, member)
	}
}

// difference describes the first difference between the identity of a checkpoint and that of the current training, or
// returns "".
func (id runIdentity) difference(now runIdentity) string {
	const none = "not set"
	names := maps.Clone(id)
	maps.Copy(names, now)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if id[name] != now[name] {
			return fmt.Sprintf("%s was %s and is %s", name, cmp.Or(id[name], none), cmp.Or(now[name], none))
		}
	}
	return ""
}
