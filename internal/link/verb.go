package link

import (
	"strings"
	"unicode"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
)

// Words of closed classes around a verb, and around a noun.
var (
	beforeVerb = normalize.WordSet("can cannot could may might must shall should will would not i we you they he she who")
	beVerb     = normalize.WordSet("am are be been being is was were")
	particle   = normalize.WordSet("about around down into off onto out through to up")
	// determiner begins an object: a line "fits the" points. So does an object pronoun.
	determiner = normalize.WordSet("a an any each every her his its me my our some the their them these this those us your")
	beforeNoun = normalize.WordSet(`a about after against all an and any as at because before between both by due during each every for from
		her his if in into its like my no of on or our severe since some than that the their then these this those to under until when where
		which while with without your`)
)

// isVerb reports whether the words before and after a mention in small letters show that it is
// no noun: "a line fits the points", "wire was wound around a magnet", "this would strain the back".
// It looks at words of closed classes alone, so most verbs are not recognized, as in "the pump
// burns more fuel".
func isVerb(q *text.Query) bool {
	surface := q.Surface()
	if surface != strings.ToLower(surface) {
		return false
	}
	before := lastWord(q.Text[q.Sentence.Start:q.Mention.Start])
	after := firstWord(q.Text[q.Mention.End:q.Sentence.End])
	switch {
	case beforeVerb[before]:
		return true
	case beVerb[before]:
		return particle[after]
	case before == "" || before != "to" && beforeNoun[before]:
		return false
	}
	return determiner[after]
}

// lastWord returns the last word of a text in small letters, "" if it ends in punctuation.
func lastWord(s string) string {
	s = strings.ToLower(strings.TrimRightFunc(s, unicode.IsSpace))
	return s[strings.LastIndexFunc(s, isNoLetter)+1:]
}

// firstWord returns the first word of a text in small letters, "" if it begins with punctuation.
func firstWord(s string) string {
	s = strings.ToLower(strings.TrimLeftFunc(s, unicode.IsSpace))
	if end := strings.IndexFunc(s, isNoLetter); end >= 0 {
		return s[:end]
	}
	return s
}

func isNoLetter(r rune) bool { return !unicode.IsLetter(r) }
