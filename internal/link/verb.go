package link

import (
	"strings"
	"unicode"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/text"
)

var english = &language.Rules.Verbs

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
	case english.Before[before]:
		return true
	case english.Be[before]:
		return english.Particle[after]
	case before == "" || before != english.To && english.BeforeNoun[before]:
		return false
	}
	return english.Determiner[after]
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
