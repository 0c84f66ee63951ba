package normalize

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/ctxnorm/ctxnorm/internal/language"
)

var classification = &language.Rules.Classification

// addition is text that classifications add to names of one kind.
type addition struct {
	pattern *regexp.Regexp
	rest    string // its part that stays in the name
	cost    int    // see [WithoutAdditions]
}

// additions holds the additions to names; those that may enclose others come last.
var additions = func() []addition {
	const before, behind = `(?:\s+|の|的)`, `[)\]）]?\s*(?P<end>$|[,;，・])`
	const separator = `(?:\s*[,;:，、・]\s*|\s*[(\[（]`
	anyOf := func(lists ...[]string) string { return "(?i:" + strings.Join(slices.Concat(lists...), "|") + ")" }
	c := classification
	words := separator + `|\s+(?:[-–—]\s*)?)` + anyOf(c.Unspecified)
	var marks []addition
	for _, mark := range c.Marks {
		marks = append(marks, addition{regexp.MustCompile(mark), "", 1})
	}
	return append(marks,
		addition{regexp.MustCompile(words + behind), "$end", 2},
		addition{regexp.MustCompile(`(?P<start>^|[\s(])` + anyOf(c.Unspecified) + before), "$start", 2},
		addition{regexp.MustCompile(separator + `|\s+)` + anyOf(c.Elsewhere) + behind), "$end", 3},
		addition{regexp.MustCompile(`^` + anyOf(c.Other) + before), "", 20},
		addition{regexp.MustCompile(separator + `)` + anyOf(c.Other) + behind), "$end", 20})
}()

// A short form after a name, and a synonym or short form in brackets: "Varicella [chickenpox]", "Human immunodeficiency
// virus [HIV] disease", not "isocitrate dehydrogenase [NADP]" or "Fever: [typhoid] or [enteric]".
var (
	shortForms = regexp.MustCompile(`(?:\s*[,;:]\s*|\s*[(\[]|\s+)(` + strings.Join(classification.ShortForms, "|") + `)[)\]]?$`)
	bracketed  = regexp.MustCompile(`\s\[(?:[\pL][\pL' ,-]*\p{Ll}{3,}[\pL' ,-]*|([A-Z]{2,6}))\]($|[\s,;])`)
)

// additionStarts holds the fixed beginnings of verbal additions in lower case: each such addition begins with one of 2
// to maxStart bytes.
var additionStarts = func() map[string]bool {
	starts, c := make(map[string]bool), classification
	for _, item := range slices.Concat(c.ShortForms, c.Unspecified, c.Elsewhere, c.Other) {
		first := []string{item}
		if strings.HasPrefix(item, "(") {
			first = strings.Split(item[1:strings.IndexByte(item, ')')], "|")
		}
		for _, start := range first {
			fixed, _ := regexp.MustCompile(strings.ToLower(start)).LiteralPrefix()
			starts[fixed[:min(len(fixed), maxStart)]] = true
		}
	}
	return starts
}()

const maxStart = 5

// mayHaveAddition reports whether [WithoutAdditions] may find an addition in a name. It is much faster.
func mayHaveAddition(name string) bool {
	isCode := len(name) > 2 && isDigit(name[1]) && isDigit(name[2])
	if isCode || strings.ContainsAny(name, "[]<†") || strings.HasSuffix(name, ")") {
		return true
	}
	lower := strings.ToLower(name)
	for i := range lower {
		isInWord := i > 0 && lower[i-1] >= 'a' && lower[i-1] <= 'z'
		for end := i + 2; !isInWord && end <= min(i+maxStart, len(lower)); end++ {
			if additionStarts[lower[i:end]] {
				return true
			}
		}
	}
	return false
}

// WithoutAdditions returns a name without the additions of classifications, its semantic tag, which is one of them, and
// the cost of dropping the additions. The greater the cost, the less the bare name describes the concept. names are all
// names of the concept. bare is empty if nothing is left or nothing was added.
func WithoutAdditions(name string, names []string) (bare, tag string, cost int) {
	if !mayHaveAddition(name) {
		return "", "", 0
	}
	bare = strings.TrimSpace(name)
	for before := ""; bare != before; {
		before = bare
		if untagged, found, ok := CutTag(bare); ok && slices.Contains(classification.Tags, found) {
			bare, tag, cost = untagged, found, cost+1
		}
		for _, a := range additions {
			if without := a.pattern.ReplaceAllString(bare, a.rest); without != bare {
				bare, cost = without, cost+a.cost
			}
		}
		if at := shortForms.FindStringSubmatchIndex(bare); at != nil {
			short := bare[at[2]:at[3]]
			if !slices.ContainsFunc(names, func(name string) bool { return isInitials(short, name) }) {
				bare, cost = bare[:at[0]], cost+2
			}
		}
		if at := bracketed.FindStringSubmatchIndex(bare); at != nil && !strings.Contains(bare, ": [") {
			if at[2] < 0 || isInitials(bare[at[2]:at[3]], bare[:at[0]]) {
				bare, cost = bare[:at[0]]+bare[at[4]:], cost+1
			}
		}
		bare = strings.Trim(bare, " ,;:-–—，、・")
	}
	words := strings.Fields(bare)
	for len(words) > 1 && lang.Prepositions[words[len(words)-1]] { // "of unspecified site"
		words = words[:len(words)-1]
	}
	if bare = strings.Join(words, " "); cost == 0 || !strings.ContainsFunc(bare, unicode.IsLetter) {
		return "", "", 0
	}
	return bare, tag, cost
}

// isInitials reports whether a name has words that begin with the letters of a short form; the last letter may also be
// inside a word: "NOS" of nitric oxide synthase, "NEC" of necrotizing enterocolitis.
func isInitials(short, name string) bool {
	letters := strings.Split(short, "")
	last := len(letters) - 1
	pattern := `(?i)\b` + strings.Join(letters[:last], `[a-z]*[ -]`) + `[a-z]*[ -]?[a-z]*?` + letters[last]
	isFunction := func(word string) bool { return lang.FunctionWords[word] } // "neoplasm of skin, NOS"
	words := slices.DeleteFunc(strings.Fields(name), isFunction)
	return regexp.MustCompile(pattern).MatchString(strings.Join(words, " "))
}

// The last parentheses of a fully specified SNOMED CT name.
var finalTag = regexp.MustCompile(`^(.*\S)\s+\(([^()]+)\)$`)

// CutTag splits a fully specified name into the name and its semantic tag.
func CutTag(term string) (name, tag string, ok bool) {
	parts := finalTag.FindStringSubmatch(term)
	if parts == nil {
		return "", "", false
	}
	return parts[1], parts[2], true
}
