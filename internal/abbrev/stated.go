package abbrev

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
)

// statement is a phrase that defines a short form without a bracket:
//
//	TGA stands for transposition of the great arteries
//	TGA, short for transposition of the great arteries
//	transposition of the great arteries, hereafter TGA
//	transposition of the great arteries, abbreviated as TGA
//	transposition of the great arteries, or TGA, is
//	transposition of the great arteries – TGA – is
//	TGA, or transposition of the great arteries
//	TGA = transposition of the great arteries
//	TGA: transposition of the great arteries; MS: multiple sclerosis
//	Abbreviations: TGA, transposition of the great arteries; MS, multiple sclerosis
//	We define TGA as transposition of the great arteries
//	transposition of the great arteries, referred to as TGA, is
type statement language.Statement

// statedDefinitions returns the definitions in a text that use a statement instead of a bracket.
func statedDefinitions(body string) (found []Definition) {
	for i := range lang.Statements {
		s := (*statement)(&lang.Statements[i])
		for end := 0; ; {
			at := strings.Index(body[end:], s.Phrase)
			if at < 0 {
				break
			}
			start := end + at
			end = start + len(s.Phrase)
			var defined []Definition
			if s.LongFirst {
				defined = s.longThenShort(body, start, end)
			}
			if defined == nil && s.ShortFirst {
				defined = s.shortThenLong(body, start, end)
			}
			found = append(found, defined...)
		}
	}
	return found
}

// Patterns of the text before a phrase, which ends with a short form, and after it.
var (
	fillers = language.OneOf(slices.Values(lang.BeforeStatement))
	// The groups are a form of "define", the beginning of an item, and the short form.
	lastShort = regexp.MustCompile(`(?:(\b` + lang.Define + `\pL* )|((?:^|[,;.:(\n])\s*)|\s)` +
		quoted + `(\S+?)` + quoted + `,?(?: (?:` + fillers + `))*,?$`)
	// It avoids the search for a short form at most commas.
	capitalLast = regexp.MustCompile(`[A-Z0-9]s?$`)
	nextShort   = regexp.MustCompile(`^[ ,]*` + introduced + `([^ ,;:)\n]+?)[.` + quotes + `]*(?:[ ,;:)\n]|$)`)
	articles    = language.OneOf(slices.Values(lang.Articles))
	nextLong    = regexp.MustCompile(`^[\s` + quotes + `]*(?:(?:` + articles + `) )?([^,.;:()\[\]\n]*)`)
)

// longThenShort takes the word after a phrase as a short form of the words before it.
func (s *statement) longThenShort(body string, start, end int) []Definition {
	const longest = 60 // bytes of a short form and the words before it
	after := body[end:min(len(body), end+longest)]
	if !hasUpper(after) {
		return nil
	}
	m := nextShort.FindStringSubmatchIndex(after)
	if m == nil {
		return nil
	}
	short := group(m, 1, end)
	rest := strings.TrimLeft(body[short.End:], quotes)
	switch {
	case !isStatedShort(short.Of(body)), s.Enclosed && !strings.HasPrefix(rest, s.Phrase),
		s.Initials && !s.Enclosed && rest != "" && !strings.ContainsRune(",.;:)", rune(rest[0])): // not an apposition
		return nil
	case s.Initials:
		return longBeforeShort(body, start, short, byInitials)
	}
	return longBeforeShort(body, start, short, byInitials, byLetters)
}

// shortThenLong takes the word before a phrase as a short form of the words after it.
func (s *statement) shortThenLong(body string, start, end int) []Definition {
	const longest = 24 // bytes of a short form and the words after it
	from := max(0, start-longest)
	if !hasUpper(body[from:start]) || s.Listed && !capitalLast.MatchString(body[max(0, start-2):start]) ||
		s.Defined && !strings.Contains(body[from:start], lang.Define) {
		return nil
	}
	m := lastShort.FindStringSubmatchIndex(body[from:start])
	if m == nil || s.Defined && m[2] < 0 || s.Listed && m[4] < 0 {
		return nil
	}
	short := group(m, 3, from)
	if !isStatedShort(short.Of(body)) {
		return nil
	}
	long := group(nextLong.FindStringSubmatchIndex(body[end:min(len(body), end+maxReach)]), 1, end)
	for _, by := range []reading{byInitials, byLetters} {
		words := maxLongWords(short.Of(body))
		for at, r := range long.Of(body) + " " {
			if !unicode.IsSpace(r) {
				continue
			}
			if words--; words < 0 {
				break
			}
			one := trim(body, text.Span{Start: long.Start, End: long.Start + at})
			if d := define(body, short, one, by); d != nil && d[0].Long == one {
				return d
			}
		}
		if s.Initials {
			break
		}
	}
	return nil
}

// isStatedShort reports whether a word may be a short form even without a bracket: most of its letters are capitals.
func isStatedShort(s string) bool {
	return validShort(s) && normalize.LooksLikeShortForm(s)
}
