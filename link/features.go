package link

// feature is one reason for a candidate. Those that a model cannot give, the
// encoder's without an encoder and the tree's without a tree, are 0 for every
// candidate, and so say nothing.
type feature int

const (
	// nameCosine is the cosine of the mention alone and the concept's nearest name.
	nameCosine feature = iota
	// nameCosineTop3 is the mean cosine of the mention alone and the concept's three nearest
	// names, or as many as it has.
	nameCosineTop3
	// lexical is the likeness of the mention and the concept's most alike name as strings.
	lexical
	// tokenSetMatch is 1 where a name has the mention's content words, in any order and by
	// their stems.
	tokenSetMatch
	// contextVote is the concept's share of the weighted vote of the nearest contexts.
	contextVote
	// contextCosine is the cosine of the mention in its sentence and the concept's
	// nearest context.
	contextCosine
	// textWords is greatest where a name near the mention has words that the mention
	// does not say and its text does: dyskinesia that is drug-induced, in a text on
	// what a drug induces. It is the highest, over the concept's names, of their
	// cosine with the mention alone times the share of their words that the text has
	// to add. Likeness as strings in the place of the cosine did harm: 2 points on
	// NCBI Disease, 1 on MedMentions.
	textWords
	// subtreeScore is the share of belief, by names and strings alone, that the concept
	// has with everything below it in the tree; childMass the greatest such share of
	// one child. Where the base name of a concept is unknown but many names of its
	// kinds share the mention's words, the first is large and the second is not.
	subtreeScore
	bestChildScore
	// relativeCosine is the greatest nameCosine among the ancestors, plus that among the
	// descendants within two steps.
	relativeCosine
	// subtreeTermF1 is the harmonic mean of two shares: of the names at or below the
	// concept, those that hold all of the mention's content words; and of the names
	// that hold them, those at or below the concept.
	subtreeTermF1
	// noName is 1 for a concept without a name.
	noName

	featureCount
)

// featureNames name the features in files, in their order.
var featureNames = [featureCount]string{
	"name_cosine", "name_mean", "lexical", "same_words", "context_vote", "context_cosine", "text_words",
	"tree_mass", "child_mass", "kin", "tree_f1", "nameless",
}

// features of a candidate.
type features [featureCount]float64
