package contrastive

import (
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// Recipe is a way to train an encoder: the data that it needs, the settings of its paper, how its
// sampler and loss are made ([Recipe.New]), and the linking method of its paper. A pointer to the
// settings is a recipe. All that is specific to one is in its package; the library and the command
// line read it from here.
type Recipe interface {
	// Name returns the name of the recipe: "biocom".
	Name() string

	// Summary returns what the recipe trains on, in a few words.
	Summary() string

	// Config returns the configuration that the recipe was published with.
	Config() Config

	// Needs returns the data that the recipe needs.
	Needs() Needs

	// Linker returns the linking method of the paper: "nearest".
	Linker() string

	// Settings returns the settings beside Config. Their values are those of the recipe, and
	// setting them changes it.
	Settings() []Setting

	// Validate returns a [*FieldError] for the first setting with an invalid value, or nil.
	Validate() error

	// New returns the task on the data. It returns an error if the data do not suffice.
	New(c Config, d Data) (Task, error)
}

// Needs is the data that a recipe needs.
type Needs struct {
	// Contexts: the recipe trains on contexts of a corpus, and its model has contexts in its
	// index. Without, the dictionary's names do.
	Contexts bool

	// Labels says whether the recipe trains on labeled mentions.
	Labels LabelUse

	// LabelsAreNames makes labeled mentions names and contexts of the model.
	LabelsAreNames bool

	// WordVectors: the recipe trains an encoder that starts from word vectors, and not a BERT.
	WordVectors bool

	// Validation holds out names or contexts, and writes the weights that are best on them.
	// Without, the weights after the last step are written.
	Validation bool

	// ConfigFields are the keys of [Config] that belong to this recipe alone.
	ConfigFields []string

	// UnusedFields are the keys of [Config] that have no effect on this recipe.
	UnusedFields []string
}

// LabelUse says whether a recipe trains on labeled mentions.
type LabelUse int

const (
	LabelsRefused  LabelUse = iota // it has no use for them
	LabelsAllowed                  // it trains with and without them
	LabelsRequired                 // it trains on them alone
)

// Data is what a task is made of.
type Data struct {
	Dictionary   *kb.Dictionary  // with the names that are used
	Names        []text.Exemplar // of the dictionary, but those held out for validation
	LabeledNames []text.Exemplar // names that labeled mentions add to them
	Contexts     []text.Exemplar // of a corpus, but those held out for validation
	Labeled      []text.Exemplar // labeled mentions
	WordVectors  string          // folder of word vectors; empty unless they are needed
}

// Setting is a setting of a recipe.
type Setting struct {
	Flag  string // the name of its flag
	Field string // its key in a [FieldError]
	Value any    // where its value is: *int, *float64, *bool or *string
	Usage string // what it is, in a phrase
}

// EpochsSetting returns the setting that all recipes with epochs share.
func EpochsSetting(epochs *int) Setting {
	return Setting{"epochs", "epochs", epochs, "number of passes over the data, 1 or more"}
}
