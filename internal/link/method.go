package link

import "github.com/ctxnorm/ctxnorm/internal/model"

// Method describes a linking method: the vectors it needs, the settings that affect it, and how to make its linker.
// Everything specific to a method is in its Method value, from which the library and the command line read it. To add a
// method, write a function that returns its value and add a line to a list.
type Method struct {
	Name    string // the value of --method: "ranked"
	Summary string // how it links, in a phrase

	Vectors    VectorUse // whether it compares vectors
	Calibrated bool      // its probabilities are calibrated, so a threshold and a budget of inexact answers have an effect
	Literal    bool      // it links mentions as written, without expanding short forms or splitting composites
	Evidence   bool      // its candidates can name the exemplars that support them
	// StringScores is set if scores are string similarities, 0 to 1, so that a minimum score has an effect.
	StringScores bool
	Votes        bool // the nearest exemplars vote

	// Check returns an error if the method cannot link with a model that has vectors. Nil means that it always can.
	Check func(*model.Manifest) error

	// New returns the linker for a model. It returns [model.ErrNoVectors] if the method requires vectors and the model
	// has none, and [model.ErrNoEncoder] if the model was opened without its encoder.
	New func(src Source, o MethodOptions) (Linker, error)
}

// VectorUse tells whether a method compares vectors.
type VectorUse int

const (
	VectorsUnused   VectorUse = iota // it compares only strings
	VectorsOptional                  // it compares vectors if the model has them
	VectorsRequired                  // it compares only vectors
)

// MethodOptions are the settings of linkers. A method ignores settings that do not apply to it.
type MethodOptions struct {
	// MinProbability is the minimum probability, 0 to 1, of the first candidate. A mention whose first candidate is
	// less probable is NIL and gets no candidates; with 0 every mention gets its candidates. See [Ranking.IsNIL].
	// [Ranker.Rank] does not use it.
	MinProbability float64
	// MinCell replaces MinProbability, if it is higher, for a mention that is its whole text, such as a table cell.
	MinCell  float64
	MinScore float64 // minimum score of a candidate, 0 to 1; only for methods with [Method.StringScores]
	// Evidence adds the exemplars that support each candidate. The first mention causes the sentences of contexts to be
	// read from the model folder.
	Evidence  bool
	MatchCase bool // skips concepts by the case of their names; only for methods that need no vectors
	Neighbors int  // number of neighbors that vote, for methods with [Method.Votes]; 0 means 15
}

// Source is the input from which linkers are made.
type Source struct {
	Model *model.Model
	Names func() (*NameIndex, error) // index of all names of Model
}

// Ranked returns the default method.
func Ranked() Method {
	return Method{
		Name: "ranked", Summary: "all components, by learned weights",
		Vectors: VectorsOptional, Calibrated: true, Evidence: true,
		New: func(src Source, o MethodOptions) (Linker, error) {
			names, err := src.Names()
			if err != nil {
				return nil, err
			}
			generator := names.Generator(src.Model, AllComponents, nil)
			generator.MatchCase = o.MatchCase
			return newCalibratedRanker(generator, o)
		},
	}
}
