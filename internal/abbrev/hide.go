package abbrev

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
)

// Hide returns a text without the definitions of a short form: "long form (SF)", "SF (long form)" and "SF, short for
// long form," become "SF", and so does the long form wherever else it stands, in any case, spelling and number. The
// rest of a bracket with a definition is kept: "(SF, 12 patients)" becomes "(12 patients)". Hide reports false if
// [Find] still finds a definition.
func Hide(body, short string) (hidden string, ok bool) {
	var longForms []string // as written
	attempts := 1 + len(statedDefinitions(body))
	for range openingBrackets(body) {
		attempts++
	}
	for range attempts {
		d, found := definitionOf(body, short)
		if !found {
			break
		}
		longForms = append(longForms, d.Long.Of(body))
		body = removeDefinition(body, d)
	}
	// The longest first: one may be a part of another.
	slices.SortStableFunc(longForms, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	for _, long := range longForms {
		body = replacePhrase(body, long, short)
	}
	return body, !Defines(body, short)
}

// Defines reports whether a text defines a short form, or its plural.
func Defines(body, short string) bool {
	_, found := definitionOf(body, short)
	return found
}

// definitionOf returns the first definition of a short form, or of its plural, in a text.
func definitionOf(body, short string) (d Definition, found bool) {
	for _, d := range Find(body) {
		if normalize.SingularShortForm(d.Short.Of(body)) == short {
			return d, true
		}
	}
	return d, false
}

// removeDefinition replaces a definition by its short form as the text writes it.
func removeDefinition(body string, d Definition) string {
	first, inBracket := d.Long, d.Short
	if d.Short.Start < d.Long.Start {
		first, inBracket = d.Short, d.Long
	}
	open, end := -1, -1
	for at := range openingBrackets(body[first.End:inBracket.Start]) {
		// "[4]" of "long form[4] (SF)" does not enclose the other form
		if open, end = first.End+at, closingBracket(body, first.End+at); end >= inBracket.End {
			break
		}
	}
	if end < inBracket.End { // it is stated without one
		rest := body[inBracket.End:]
		if body[first.End] == ',' { // of a pair
			rest = strings.TrimPrefix(rest, ",")
		}
		return body[:first.Start] + d.Short.Of(body) + rest
	}
	afterOpen, afterEnd := open+bracketSize(body, open), end+bracketSize(body, end)
	rest := strings.Trim(body[inBracket.End:end], " ,;\t\n"+quotes)
	replaced := d.Short.Of(body)
	if rest != "" {
		replaced += " " + body[open:afterOpen] + rest + body[end:afterEnd]
	}
	return body[:first.Start] + replaced + body[afterEnd:]
}

// canonicalWord is a word of a text in canonical spelling.
type canonicalWord struct {
	text.Span
	canonical string
}

// wordsOf returns the words of a text. A possessive 's belongs to the word before it.
func wordsOf(body string) []canonicalWord {
	var words []canonicalWord
	for at := 0; at < len(body); {
		r, size := utf8.DecodeRuneInString(body[at:])
		if !normalize.IsWordRune(r) {
			at += size
			continue
		}
		end := at
		for end < len(body) {
			r, size := utf8.DecodeRuneInString(body[end:])
			if !normalize.IsWordRune(r) {
				break
			}
			end += size
		}
		span := text.Span{Start: at, End: end}
		at = end
		if n := len(words); n > 0 && span.Of(body) == "s" {
			if between := body[words[n-1].End:span.Start]; between == "'" || between == "’" {
				words[n-1].End = end
				continue
			}
		}
		words = append(words, canonicalWord{span, normalize.CanonicalWord(normalize.Normal(span.Of(body)))})
	}
	return words
}

// replacePhrase replaces each occurrence of a phrase as whole words by a string. Case,
// hyphens, British spelling, possessive and plural do not count.
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

// matches reports whether consecutive words of a text are the words of a pattern, with
// nothing between them that ends a phrase.
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

// SpansOf returns the spans of a short form as a word of its own. It leaves out parts of longer terms, such as
// "anti-TNF" and "CD4/CD8".
func SpansOf(body, short string) []text.Span { return SpansOfAll(body, []string{short})[short] }

// SpansOfAll returns the [SpansOf] several short forms, found in one pass over the text.
func SpansOfAll(body string, shorts []string) map[string][]text.Span {
	all := make(map[string][]text.Span, len(shorts))
	var sizes []int
	for _, short := range shorts {
		all[short] = nil
		if i, known := slices.BinarySearch(sizes, len(short)); !known {
			sizes = slices.Insert(sizes, i, len(short))
		}
	}
	for at := range body { // begins of characters
		if joinsBefore(body, at) {
			continue
		}
		for _, size := range sizes {
			end := at + size
			if end > len(body) {
				break
			}
			spans, known := all[body[at:end]]
			if n := len(spans); known && (n == 0 || spans[n-1].End <= at) && !joinsAfter(body, end) {
				all[body[at:end]] = append(spans, text.Span{Start: at, End: end})
			}
		}
	}
	return all
}

// joinsBefore reports whether the character before an offset joins what begins there into a longer term.
func joinsBefore(body string, at int) bool {
	before, size := utf8.DecodeLastRuneInString(body[:at])
	return size > 0 && joins(before)
}

// joinsAfter reports whether the character at an offset joins what ends there into a longer term.
func joinsAfter(body string, at int) bool {
	after, size := utf8.DecodeRuneInString(body[at:])
	return size > 0 && joins(after)
}

// joins reports whether a character joins what stands beside it into one term.
func joins(r rune) bool {
	return normalize.IsWordRune(r) || strings.ContainsRune("-‐‑–/+*_", r)
}
