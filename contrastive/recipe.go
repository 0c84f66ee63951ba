package contrastive

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// Recipe is a way to train an encoder: the data that it needs, the settings of its paper, its sampler and its loss, and
// the linking method of its paper. Everything specific to a recipe is in its package; the library and the command line
// read it from here.
type Recipe struct {
	Name    string // "biocom"
	Summary string // what it trains on, in a few words
	Linker  string // the linking method of the paper: "nearest"
	Config  Config // the configuration of its publication
	Needs   Needs  // the data that it needs

	// Settings are the settings apart from Config. They point to the values of the recipe, so setting them changes it.
	Settings []Setting
	Values   any // the struct that Settings point into; nil without settings

	// New returns the task on the data. [Recipe.Task] calls it with a valid configuration and valid settings. It
	// returns an error if the data does not suffice.
	New func(c Config, d Data) (Task, error)
}

// Task returns the task on the data. The error for an invalid field or setting is a [*files.OptionError].
func (r *Recipe) Task(c Config, d Data) (Task, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if err := r.Validate(); err != nil {
		return nil, err
	}
	return r.New(c, d)
}

// Validate returns a [*files.OptionError] for the first setting with an invalid value, or nil.
func (r *Recipe) Validate() error {
	for _, s := range r.Settings {
		if s.Valid != nil && !s.Valid() {
			return check(false, s.Field, reflect.Indirect(reflect.ValueOf(s.Value)).Interface(), s.Want)
		}
	}
	return nil
}

// Needs is the data that a recipe needs.
type Needs struct {
	// Contexts: the recipe trains on contexts of a corpus, and its model has contexts in its index. Otherwise it trains
	// on the dictionary's names.
	Contexts bool

	// Labels tells whether the recipe trains on labeled mentions.
	Labels LabelUse

	// LabelsAreNames adds labeled mentions to the names and contexts of the model.
	LabelsAreNames bool

	// WordVectors: the recipe trains an encoder that starts from word vectors instead of a BERT.
	WordVectors bool

	// Validation holds out names or contexts and writes the weights that are best on them. Otherwise the weights after
	// the last step are written.
	Validation bool

	// ConfigFields are the keys of [Config] that belong to this recipe alone.
	ConfigFields []string

	// UnusedFields are the keys of [Config] that have no effect on this recipe.
	UnusedFields []string
}

// LabelUse tells whether a recipe trains on labeled mentions.
type LabelUse int

const (
	LabelsRefused  LabelUse = iota // it cannot use them
	LabelsAllowed                  // it trains with and without them
	LabelsRequired                 // it trains only on them
)

// Data is the data that a task is made from.
type Data struct {
	Dictionary   *kb.Dictionary  // with the names in use
	Names        []text.Exemplar // of the dictionary, except those held out for validation
	LabeledNames []text.Exemplar // additional names from labeled mentions
	Contexts     []text.Exemplar // of a corpus, except those held out for validation
	Labeled      []text.Exemplar // labeled mentions
	WordVectors  string          // folder of word vectors; empty if not needed
}

// Setting is a setting of a recipe.
type Setting struct {
	Flag  string      // the name of its flag
	Field string      // its key in a [files.OptionError], after "training."
	Value any         // pointer to its value: *int, *float64, *bool or *string
	Usage string      // description, in a phrase
	Want  string      // the valid values
	Valid func() bool // reports whether the value is valid; nil if all values are
}

// AtLeast returns a setting that is an integer.
func AtLeast(least int, flag, field string, value *int, usage string) Setting {
	return Setting{flag, field, value, usage, fmt.Sprintf("%d or more", least), func() bool { return *value >= least }}
}

// Number returns a setting that is a finite number.
func Number(flag, field string, value *float64, usage, want string, valid func(float64) bool) Setting {
	return Setting{flag, field, value, usage, want, func() bool { return isFinite(*value) && valid(*value) }}
}

// OneOf returns a setting that is one of a few words.
func OneOf(flag, field string, value *string, usage string, words ...string) Setting {
	return Setting{flag, field, value, usage, fmt.Sprintf("one of %q", words), func() bool {
		return slices.Contains(words, *value)
	}}
}

// EpochsSetting returns the setting that all recipes with epochs share.
func EpochsSetting(epochs *int) Setting {
	return AtLeast(1, "epochs", "epochs", epochs, "number of passes over the data, 1 or more")
}
