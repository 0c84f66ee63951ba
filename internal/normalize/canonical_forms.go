package normalize

import (
	"slices"
	"strings"
	"sync"
)

// canonicalForms is what [CanonicalTokens] makes of a word of [Normal], as far as it does not depend on the words
// around it.
type canonicalForms struct {
	canonical          string // the word by the rules of [CanonicalTokens]
	stem               string // its [Stem]
	isFunction, isRoot bool   // isRoot is false for a prefix
	mayBeRoman         bool   // see [romanNumber]
}

func canonicalFormsOf(word string) canonicalForms {
	canonical := CanonicalWord(latinLetters(usualSpelling(word)))
	return canonicalForms{
		canonical: canonical, stem: Stem(canonical),
		isFunction: lang.FunctionWords[word], isRoot: !lang.WordPrefixes[word],
		mayBeRoman: slices.Contains(romanNumerals, word),
	}
}

// wordReader reads texts word by word, and remembers the forms of words, of which texts repeat a few thousand.
type wordReader map[string]canonicalForms

// rememberedForms is the number of words that a wordReader remembers, in some 200 bytes each.
const rememberedForms = 1 << 14

var wordReaders = sync.Pool{New: func() any { return make(wordReader) }}

// forms returns the forms of a word.
func (r wordReader) forms(word string) canonicalForms {
	forms, known := r[word]
	if !known {
		if len(r) == rememberedForms {
			clear(r)
		}
		word = strings.Clone(word) // which shares the memory of its text
		forms = canonicalFormsOf(word)
		r[word] = forms
	}
	return forms
}

// readTokens returns the canonical tokens of a name without function words, or their stems, and all words of its normal
// form.
func readTokens(name string, stems bool) (tokens, words []string) {
	r := wordReaders.Get().(wordReader)
	defer wordReaders.Put(r)
	words = normalWords(Normal(dropPossessive(name)))
	tokens = make([]string, 0, len(words))
	var prefix []byte // of the next word; several in a row are joined in linear time
	for i, word := range words {
		forms := r.forms(word)
		switch {
		case forms.isFunction && len(prefix) == 0:
			continue
		case !forms.isRoot && i < len(words)-1:
			prefix = append(prefix, word...)
			continue
		}
		token := forms.canonical
		if forms.mayBeRoman {
			if number, ok := romanNumber(words, i); ok {
				token = number
				forms.stem = Stem(number)
			}
		}
		switch {
		case len(prefix) > 0 && stems:
			token = Stem(string(prefix) + token)
		case len(prefix) > 0:
			token = string(prefix) + token
		case stems:
			token = forms.stem
		}
		tokens = append(tokens, token)
		prefix = prefix[:0]
	}
	return tokens, words
}
