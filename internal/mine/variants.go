package mine

import (
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
)

// variantCounts counts strings by their variantKey, and each way of writing them.
type variantCounts map[string]normalize.WrittenForms

func (v variantCounts) add(key, s string, count int) {
	if v[key] == nil {
		v[key] = make(normalize.WrittenForms)
	}
	v[key][s] += count
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
