package mine

import (
	"strings"
	"unicode"

	"ctxnorm/matcher"
)

// pool joins strings that are variants of each other, by their key.
type pool map[string]variants

// variants counts the ways in which a string is written.
type variants map[string]int

func (p pool) add(key, text string, count int) {
	if p[key] == nil {
		p[key] = make(variants)
	}
	p[key][text] += count
}

// commonest is the commonest way, the first of equals, and how often all come.
func (v variants) commonest() (text string, count int) {
	for t, n := range v {
		count += n
		if text == "" || n > v[text] || n == v[text] && t < text {
			text = t
		}
	}
	return text, count
}

// poolKey is equal for strings that differ in case, hyphens, accents or the
// plural s of words.
func poolKey(text string) string {
	words := strings.Fields(matcher.Normal(text))
	for i, w := range words {
		words[i] = singular(w)
	}
	return strings.Join(words, " ")
}

// singular takes the plural s from a word in lower case: not from "virus",
// "pelvis" or "loss", nor from what is too short to tell.
func singular(w string) string {
	switch {
	case len(w) < 5, w[len(w)-1] != 's', strings.HasSuffix(w, "ss"), strings.HasSuffix(w, "us"), strings.HasSuffix(w, "is"):
		return w
	case strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	}
	return w[:len(w)-1]
}

// singularShort takes the plural s from a short form: a small one after a
// capital or a number.
func singularShort(short string) string {
	bare, ok := strings.CutSuffix(short, "s")
	if !ok || bare == "" {
		return short
	}
	last := rune(bare[len(bare)-1])
	if len(bare) > 1 && (unicode.IsUpper(last) || unicode.IsDigit(last)) {
		return bare
	}
	return short
}
