package link

import (
	"strings"
	"unicode"
	"unicode/utf8"

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
	return placeholders[normal] || !strings.ContainsFunc(normal, unicode.IsLetter)
}

// placeholders are the words, in normal form.
var placeholders = normalize.WordSet(`
	n_a na nan nil null none no yes unknown unk not_known unspecified not_specified undefined not_applicable
	not_available not_stated not_recorded not_given not_done no_data missing tbd tba other others nothing
	see_above as_above see_below ditto
	keine unbekannt inconnu aucun desconocido ninguno なし 不明 無し 未記入 未定`)
