package recognize

import (
	"regexp"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

// What is English here: function words, and what follows the head of a name. Words of other languages are in
// none of these sets, so that the rules leave them alone.
var (
	// prepositions end the head of a name: "deficiency of alpha-1 antitrypsin".
	prepositions = normalize.WordSet(`of with without due in and or to from by for on at as associated caused following
		during after not`)
	// stopWords stand in no name and begin none.
	stopWords = normalize.WordSet(`a an the this that these those is are was were be been being have has had we our it its
		their they he she his her i you who which what when where how can could may might will would should do does did
		not no but if than then so such also there here more most less very all any each both other some many few new
		two three four five one six seven first second patients patient study results cases case group groups between
		among within into over under per than up however thus therefore using used use`)
	// tail is a word behind the head of a name: "diabetes mellitus type 2".
	tail = regexp.MustCompile(`^(types?|i{1,3}|iv|v|vi{0,3}|ix|x|\d+[a-z]?|[a-z]|nos|susceptibility|group|form|variant|included|formerly|and|or)$`)
	// number is a number of a type, as written.
	number = regexp.MustCompile(`^(?:[A-E]|I{1,3}|IV|VI{0,3}|\d{1,2}[A-Za-z]?|[IV]+[A-Da-d])$`)
	// typeWords stand before a number: "type 2 diabetes".
	typeWords = normalize.WordSet("type types class")
	// ownPrefixes are joined to a name by a hyphen without being a part of it: "anti-cancer".
	ownPrefixes = normalize.WordSet("anti pre post non")
	// lacking makes a mention of what is lacked: "G6PD-deficient".
	lacking = "deficient"
	// relation stands behind a word that says something of another: "loss of p53".
	relation = "of"
	// participle is a word that says what happened to somebody, and names nothing: "infected", "malignant".
	participle = regexp.MustCompile(`(?:ed|ant)$`)
	// conjunctions join names that share their head.
	conjunctions = normalize.WordSet("and or / -")
)

// headOf returns the head of a name, given by the words of its part before the first comma: "cell"
// has the head "carcinoma" in "carcinoma, renal cell", "deficiency" in "deficiency of lactase". It is
// empty if there is none.
func headOf(name []string) string {
	var words []string
	for _, w := range name {
		if w == "'" {
			continue
		}
		if len(words) > 0 && prepositions[w] {
			break
		}
		words = append(words, w)
	}
	for len(words) > 1 && (tail.MatchString(words[len(words)-1]) || !startsWithLetter(words[len(words)-1])) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}
