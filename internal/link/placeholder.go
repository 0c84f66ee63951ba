package link

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

// isPlaceholder reports whether a mention is what tables and forms have in place of one: a sign, a number, a letter, or
// a word that says that nothing is known or was found, such as "n/a". It is NIL unless it is a name of the dictionary.
func isPlaceholder(surface string) bool {
	normal := normalize.Normal(surface)
	if utf8.RuneCountInString(normal) == 1 {
		first, _ := utf8.DecodeRuneInString(normal)
		return !normalize.IsUnspacedScript(first)
	}
	return language.Rules.Placeholders[normal] || !strings.ContainsFunc(normal, unicode.IsLetter)
}
