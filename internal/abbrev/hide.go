package abbrev

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
)

// Hide returns a text without the definitions of a short form: "long form (SF)", "SF (long form)" and "SF, short for
// long form," become "SF", and so does every other occurrence of the long form, in any case, spelling and number. It
// keeps the rest of a bracket with a definition: "(SF, 12 patients)" becomes "(12 patients)". Hide returns false if
// [Find] still finds a definition.
func Hide(body, short string) (hidden string, ok bool) {
	var longForms []string // as written
	for d, found := definitionOf(body, short); found; d, found = definitionOf(body, short) {
		longForms = append(longForms, d.Long.Of(body))
		body = removeDefinition(body, d) // makes body shorter
	}
	// longest first: one may be a part of another
	slices.SortStableFunc(longForms, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	for _, long := range longForms {
		body = replacePhrase(body, long, short)
	}
	return body, !Defines(body, short)
}

// Defines reports whether a text defines a short form or its plural.
func Defines(body, short string) bool {
	_, found := definitionOf(body, short)
	return found
}

// definitionOf returns the first definition of a short form or its plural in a text.
func definitionOf(body, short string) (d Definition, found bool) {
	for _, d := range Find(body) {
		if normalize.SingularShortForm(d.Short.Of(body)) == short {
			return d, true
		}
	}
	return d, false
}

// removeDefinition replaces a definition by its short form, as written in the text.
func removeDefinition(body string, d Definition) string {
	first, second := d.inOrder()
	replaced, end := d.Short.Of(body), second.End
	switch {
	case first.End <= d.bracket.Start:
		bracket := d.bracket.Of(body)
		size := utf8.RuneLen(normalize.FirstRune(bracket))
		end = d.bracket.End
		if rest := strings.Trim(body[second.End:end-size], " ,;\t\n"+quotes); rest != "" {
			replaced += " " + bracket[:size] + rest + bracket[len(bracket)-size:]
		}
	case body[first.End] == ',' && strings.HasPrefix(body[end:], ","): // one of a pair: "multiple sclerosis, or MS, is"
		end++
	}
	return body[:first.Start] + replaced + body[end:]
}

// canonicalWord is a word of a text with its canonical spelling.
type canonicalWord struct {
	text.Span
	canonical string
}

// wordsOf returns the words of a text. A possessive 's belongs to the word before it.
func wordsOf(body string) []canonicalWord {
	var words []canonicalWord
	var n normalize.Normalizer
	n.Normalize(body)
	for _, t := range n.Tokens() {
		word, last := string(n.Normal()[t.Normal.Start:t.Normal.End]), len(words)-1
		if last >= 0 && word == "s" {
			if between := body[words[last].End:t.Raw.Start]; between == "'" || between == "’" {
				words[last].End = t.Raw.End
				continue
			}
		}
		words = append(words, canonicalWord{t.Raw, normalize.CanonicalWord(word)})
	}
	return words
}

// replacePhrase replaces each occurrence of a phrase as whole words. It ignores case, hyphens, British spelling,
// possessives and plurals.
func replacePhrase(body, phrase, by string) string {
	pattern := wordsOf(phrase)
	if len(pattern) == 0 {
		return body
	}
	var out strings.Builder
	copied := 0 // bytes of body
	words := wordsOf(body)
	for i := 0; i+len(pattern) <= len(words); {
		if !matches(body, words[i:i+len(pattern)], pattern) {
			i++
			continue
		}
		out.WriteString(body[copied:words[i].Start])
		out.WriteString(by)
		i += len(pattern)
		copied = words[i-1].End
	}
	out.WriteString(body[copied:])
	return out.String()
}

// matches reports whether consecutive words of a text are those of a pattern, and nothing between them ends a phrase.
func matches(body string, words, pattern []canonicalWord) bool {
	for i := range pattern {
		if words[i].canonical != pattern[i].canonical {
			return false
		}
		if i > 0 && strings.ContainsAny(body[words[i-1].End:words[i].Start], ".;:?!\n") {
			return false
		}
	}
	return true
}

// SpansOf returns the spans of a short form as a separate word. It leaves out parts of longer terms, such as "anti-TNF"
// and "DM-PK", but not "TNF-induced" and "AO2/DTD".
func SpansOf(body, short string) []text.Span { return SpansOfAll(body, []string{short})[short] }

// SpansOfAll returns the [SpansOf] several short forms, in one pass over the text.
func SpansOfAll(body string, shorts []string) map[string][]text.Span {
	all := make(map[string][]text.Span, len(shorts))
	longest := 0
	for _, short := range shorts {
		all[short] = nil
		longest = max(longest, len(short))
	}
	before := false // whether the previous character joins the next ones into a longer term
	for at, r := range body {
		for end := at + 1; !before && end <= min(at+longest, len(body)); end++ {
			spans, known := all[body[at:end]]
			if n := len(spans); !known || n > 0 && spans[n-1].End > at {
				continue
			}
			after, size := utf8.DecodeRuneInString(body[end:])
			if next, _ := utf8.DecodeRuneInString(body[end+size:]); !joins(after) || after == '-' && unicode.IsLower(next) {
				all[body[at:end]] = append(spans, text.Span{Start: at, End: end})
			}
		}
		before = joins(r)
	}
	return all
}

// joins reports whether a character joins its neighbors into one term.
func joins(r rune) bool {
	return normalize.IsWordRune(r) || strings.ContainsRune(normalize.Hyphens+"+*_", r)
}
