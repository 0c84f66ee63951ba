package mine

import (
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

// variantCounts counts strings by their variantKey, and each way of writing them.
type variantCounts map[string]writtenForms

// writtenForms counts the ways in which a string is written.
type writtenForms map[string]int

func (v variantCounts) add(key, s string, count int) {
	if v[key] == nil {
		v[key] = make(writtenForms)
	}
	v[key][s] += count
}

// mostFrequent returns the most frequent form, the first of equals in alphabetical
// order, and the count of all forms together.
func (w writtenForms) mostFrequent() (form string, total int) {
	for s, n := range w {
		total += n
		if form == "" || n > w[form] || n == w[form] && s < form {
			form = s
		}
	}
	return form, total
}

// variantKey returns a key that is equal for strings which differ only in case,
// hyphens, accents or the plural s of words.
func variantKey(s string) string {
	words := strings.Fields(normalize.Normal(s))
	for i, w := range words {
		words[i] = normalize.SStem(w)
	}
	return strings.Join(words, " ")
}
