package link

import "github.com/ctxnorm/ctxnorm/internal/model"

// Method is a linking method: the vectors it needs, the settings that have an effect on it, and how
// its linker is made. All that is specific to a method is in its value; the library and the command
// line read it from there. A new method is a function that returns its value, and a line in a list.
type Method struct {
	Name    string // the value of --method: "ranked"
	Summary string // how it links, in a phrase

	Vectors    VectorUse // whether it compares vectors
	Calibrated bool      // its probabilities are calibrated: a threshold and a budget of inexact answers have an effect
	Literal    bool      // it links mentions as they are written: expands no short forms and splits no composites
	Evidence   bool      // its candidates can name the exemplars that support them
	// StringScores: its scores are similarities of strings, 0 to 1, so that a lowest score has an effect.
	StringScores bool
	Votes        bool // the nearest exemplars vote

	// Check returns an error if the method cannot link by a model that has vectors. Nil: it always can.
	Check func(*model.Manifest) error

	// New returns the linker of a model. It returns [model.ErrNoVectors] if the method requires
	// vectors and the model has none, and [model.ErrNoEncoder] if its encoder was left out.
	New func(src Source, o MethodOptions) (Linker, error)
}

// VectorUse says whether a method compares vectors.
type VectorUse int

const (
	VectorsUnused   VectorUse = iota // it compares strings alone
	VectorsOptional                  // it compares vectors if the model has them
	VectorsRequired                  // it compares nothing else
)

// MethodOptions are the settings of linkers. A method ignores those that have no effect on it.
type MethodOptions struct {
	// MinProbability is the probability, 0 to 1, that the first candidate must have. A mention whose first candidate has
	// less is NIL and gets no candidates; with 0 every mention gets its candidates. See [Ranking.IsNIL]. [Ranker.Rank]
	// does not use it.
	MinProbability float64
	// MinCell is MinProbability for a mention that is its whole text, as a cell to code is, if it is more.
	MinCell  float64
	MinScore float64 // of a candidate, 0 to 1, of the methods that have [Method.StringScores]
	// Evidence adds the exemplars that support each candidate. The sentences of contexts
	// are read from the model folder for the first mention.
	Evidence  bool
	MatchCase bool // leaves out concepts by the case of their names; of methods that need no vectors
	Neighbors int  // that vote, of the methods that have [Method.Votes]; 0 for 15
}

// Source is what linkers are made from.
type Source struct {
	Model *model.Model
	Names func() (*NameIndex, error) // of all names of Model
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
			generator := names.Generator(AllComponents, nil)
			generator.MatchCase = o.MatchCase
			return newCalibratedRanker(generator, o)
		},
	}
}
