package abbrev

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
)

// Definition is the definition of a short form in a text, such as "CD" in "celiac disease (CD)".
type Definition struct {
	Short, Long text.Span // of the short form and the long form in the text
	bracket     text.Span // encloses one or both of them; empty for a statement
	implied     string    // the long form that [FindImplied] found; Long is empty then
}

// inOrder returns the form that comes first, and the other one, which is in the bracket.
func (d Definition) inOrder() (first, second text.Span) {
	if d.Short.Start < d.Long.Start {
		return d.Short, d.Long
	}
	return d.Long, d.Short
}

// Bracket returns the bracket that encloses one form after the other, with at most quotation marks after it: "(CD)". It
// returns false if the bracket encloses more or both forms, and for full-width brackets, next to which names end.
func (d Definition) Bracket(body string) (bracket text.Span, ok bool) {
	const most = 3 // bytes from the end of a form to the end of the bracket
	first, second := d.inOrder()
	return d.bracket, first.End <= d.bracket.Start && d.bracket.End-second.End <= most &&
		bracketSize(body, d.bracket.Start) == 1
}

// maxReach is how many bytes a definition may extend to each side of its bracket. 15 words of a long form are shorter.
// It keeps the time linear in the length of the text.
const maxReach = 400

// Find returns the definitions of short forms in a text, both "long form (SF)" and "SF (long form)", in the order of
// their brackets, and definitions without a bracket, such as "SF stands for long form" (see statements).
//
// It is the algorithm of Schwartz & Hearst, "A simple algorithm for identifying abbreviation definitions in biomedical
// text", PSB 2003, with the limits of their published program: a short form has at most two words and 2 to 10 letters
// and numbers, and the long form of a short form of n letters and numbers has at most min(n+5, 2n) words. Further rules
// are added. Words with the short form as their initials, also in the order of an index, are preferred to the result of
// the algorithm (see matchInitials and matchTwoWords). If it finds nothing, Find accepts initials in another order, and
// initials of a short form without its number (see matchInitialsAnyOrder and matchNumbered).
func Find(body string) []Definition {
	var found []Definition
	for open, r := range body {
		size := utf8.RuneLen(r)
		if closers[r] == 0 || size == 1 && !mayDefine(body, open) {
			continue
		}
		end := closingBracket(body, open)
		if end < 0 || size == 1 && goesOn(body[end+size:]) {
			continue
		}
		inside := trimQuotes(body, trim(body, text.Span{Start: open + size, End: end}))
		known := len(found)
		if a, ok := unspacedDefinition(body, open, inside); ok {
			found = append(found, a)
		} else if a, ok := longBefore(body, open, inside); ok {
			found = append(found, a)
		} else if series := severalBefore(body, open, inside); series != nil {
			found = append(found, series...)
		} else if a, ok := longBefore(body, open, afterNumber(body, inside)); ok {
			found = append(found, a)
		} else if a, ok := shortBefore(body, open, inside); ok {
			found = append(found, a)
		} else if a, ok := bothInside(body, inside); ok {
			found = append(found, a)
		}
		for i := range found[known:] {
			found[known+i].bracket = text.Span{Start: open, End: end + size}
		}
	}
	stated := statedDefinitions(body)
	if len(stated) == 0 {
		return found
	}
	found = append(found, stated...)
	slices.SortStableFunc(found, func(a, b Definition) int { return cmp.Compare(a.Short.Start, b.Short.Start) })
	return found
}

// findLetters returns the words for which a text introduces a capital letter, in order: "progesterone (P)". [Find] does
// not return them, because such a letter means something else in most other places ("P < .05").
func findLetters(body string) []Definition {
	const least = 5 // minimum letters of a word
	var found []Definition
	for open, r := range body {
		short := text.Span{Start: open + 1, End: open + 2}
		if r != '(' && r != '[' || short.End >= len(body) || strings.IndexByte("),;]", body[short.End]) < 0 {
			continue
		}
		long := lastWords(body, open, 1)
		long.Start += strings.LastIndexByte(long.Of(body), '-') + 1
		word, letter := long.Of(body), short.Of(body)
		if len(word) >= least && letter[0] >= 'A' && letter[0] <= 'Z' && strings.EqualFold(word[:1], letter) &&
			!strings.ContainsFunc(word[1:], func(r rune) bool { return !unicode.IsLower(r) }) {
			found = append(found, Definition{Short: short, Long: long})
		}
	}
	return found
}

// closers maps the opening brackets of definitions, half-width and full-width, to the closing ones.
var closers = map[rune]rune{'(': ')', '[': ']', '（': '）', '［': '］'}

// bracketSize returns the length in bytes of the bracket at body[at:].
func bracketSize(body string, at int) int {
	_, size := utf8.DecodeRuneInString(body[at:])
	return size
}

// mayDefine reports whether the half-width bracket at body[at] may contain a definition. It must follow the beginning
// of the text, white space, a script without spaces, or a word in lower case. Others belong to formulas such as V(T).
func mayDefine(body string, at int) bool {
	const least = 4 // letters of a word
	before, _ := utf8.DecodeLastRuneInString(body[:at])
	small := body[len(strings.TrimRightFunc(body[:at], unicode.IsLower)):at]
	return at == 0 || unicode.IsSpace(before) || normalize.IsUnspacedScript(before) || utf8.RuneCountInString(small) >= least
}

// closingBracket returns the position of the bracket that closes the one at open, or -1.
func closingBracket(body string, open int) int {
	opener, _ := utf8.DecodeRuneInString(body[open:])
	closer, depth := closers[opener], 0
	for i, r := range body[open:] {
		switch {
		case i >= maxReach:
			return -1
		case r == opener:
			depth++
		case r == closer:
			if depth--; depth == 0 {
				return open + i
			}
		}
	}
	return -1
}

// longBefore takes the bracket's content up to a comma or semicolon as a short form, and looks for its long form before
// it.
func longBefore(body string, open int, inside text.Span) (Definition, bool) {
	short := upTo(body, upTo(body, afterIntroduction(body, inside), ";"), ", ")
	if a, ok := longBeforeShort(body, open, short); ok {
		return a, true
	}
	if placesOfGroups.MatchString(short.Of(body)) {
		return Definition{}, false
	}
	return longBeforeShort(body, open, upTo(body, short, ",")) // "SF,n=5"
}

// placesOfGroups matches the numbers in a chemical name: "Fru-2,6-P(2)".
var placesOfGroups = regexp.MustCompile(`\d,\d`)

// upTo returns the part of a span before a mark, or the whole span if it does not contain the mark.
func upTo(body string, span text.Span, mark string) text.Span {
	before, _, found := strings.Cut(span.Of(body), mark)
	if !found {
		return span
	}
	return trim(body, text.Span{Start: span.Start, End: span.Start + len(before)})
}

// afterNumber returns the text after the number of an enzyme or a chemical in a bracket: "EC 1.11.1.9; GPx".
func afterNumber(body string, inside text.Span) text.Span {
	number, _, found := strings.Cut(inside.Of(body), "; ")
	if !found || !registryNumber.MatchString(number) {
		return text.Span{}
	}
	return trim(body, text.Span{Start: inside.Start + len(number) + 1, End: inside.End})
}

// registryNumber matches the number of an enzyme or, in the CAS registry, of a chemical.
var registryNumber = regexp.MustCompile(`^(?:EC |CAS )[\d.-]+$`)

// severalBefore takes the bracket's content as several short forms: of one long form if only their numbers differ, or
// of one each: "herpes simplex virus (HSV-1 and HSV-2)", "Crohn disease and ulcerative colitis (CD and UC,
// respectively)".
func severalBefore(body string, open int, inside text.Span) (all []Definition) {
	listed := strings.TrimSuffix(inside.Of(body), ", "+lang.Respectively)
	var shorts []text.Span
	start := inside.Start
	for _, separator := range append(listSeparator.FindAllStringIndex(listed, -1), []int{len(listed), 0}) {
		shorts = append(shorts, text.Span{Start: start, End: inside.Start + separator[0]})
		start = inside.Start + separator[1]
	}
	if len(shorts) == 1 || slices.ContainsFunc(shorts, func(short text.Span) bool { return !validShort(short.Of(body)) }) {
		return nil // (atopic dermatitis, AD)
	}
	bare := func(short text.Span) string { return strings.TrimRight(short.Of(body), "0123456789") }
	end := open
	for i := len(shorts) - 1; i >= 0; i-- {
		a, ok := longBeforeShort(body, end, shorts[i])
		isNumbered := bare(shorts[i]) == bare(shorts[0])
		if ok {
			all = append(all, a)
		} else if !isNumbered {
			return nil
		}
		if i > 0 && !isNumbered {
			const longest = 6 // maximum bytes of a separator
			before := body[max(0, a.Long.Start-longest):a.Long.Start]
			separator := listEnd.FindStringIndex(before)
			if separator == nil {
				return nil
			}
			end = a.Long.Start - len(before) + separator[0]
		}
	}
	slices.Reverse(all)
	return all
}

// listSeparator matches the separator between members of a list.
var (
	listSeparator = regexp.MustCompile(`(?:,? ` + lang.Conjunction + `|,) `)
	listEnd       = regexp.MustCompile(listSeparator.String() + `$`)
)

// longBeforeShort looks for the long form of a short form before the bracket.
func longBeforeShort(body string, open int, short text.Span) (Definition, bool) {
	short = trimMark(body, trimQuotes(body, short))
	if !validShort(short.Of(body)) {
		return Definition{}, false
	}
	before := lastWords(body, open, maxLongWords(short.Of(body)))
	before = trimQuotes(body, trim(body, text.Span{Start: sentenceStart(body, before.Start, open), End: before.End}))
	before = trimMark(body, before)
	for _, find := range []func(short, body string) int{
		matchInitials, matchTwoWords, contentFormStart, matchInitialsAnyOrder, matchNumbered,
	} {
		if a, ok := define(body, short, before, find); ok {
			return a, true
		}
	}
	return Definition{}, false
}

// goesOn reports whether a word continues after a bracket, which is then part of the word: "[Ca2+]i", "ERK(1)2".
// Reference numbers and a plural s do not continue a word.
func goesOn(rest string) bool {
	r, size := utf8.DecodeRuneInString(rest)
	if r >= utf8.RuneSelf || !normalize.IsWordRune(r) || referenceNumbers.MatchString(rest) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(rest[size:])
	return r != 's' || normalize.IsWordRune(next)
}

// referenceNumbers matches reference numbers after a bracket: "(RFS)1,3–5 was".
var referenceNumbers = regexp.MustCompile(`^\d{1,3}(?:[,–-]\d{1,3})*(?:[\s.,;:)]|$)`)

// trimMark returns a span without the reference or footnote mark at its end: "RFS[4]", "RFS*".
func trimMark(body string, span text.Span) text.Span {
	form := span.Of(body)
	if open := strings.LastIndexByte(form, '['); open >= 0 && strings.Trim(form[open:], "0123456789,–-[]") == "" {
		form = form[:open]
	}
	span.End = span.Start + len(strings.TrimRight(form, "*†‡§"))
	return trim(body, span)
}

// shortBefore takes the content of the bracket as a long form of the word before the bracket.
func shortBefore(body string, open int, inside text.Span) (Definition, bool) {
	short := lastWords(body, open, 1)
	if !hasUpper(short.Of(body)) { // the usual case
		return Definition{}, false
	}
	short.Start = sentenceStart(body, short.Start, open)
	short = trimQuotes(body, short)
	if !hasUpper(short.Of(body)) || !validShort(short.Of(body)) {
		return Definition{}, false
	}
	a, ok := define(body, short, trimQuotes(body, upTo(body, inside, ";")), contentFormStart)
	return a, ok && !strings.HasPrefix(a.Long.Of(body), short.Of(body)) // "L1 (L1CAM)" is two names
}

// bothInside takes the text after the last comma of a bracket as a short form of all words before it, or of those with
// it as their initials: "(atopic dermatitis, AD)".
func bothInside(body string, inside text.Span) (Definition, bool) {
	comma := strings.LastIndex(inside.Of(body), ", ")
	if comma < 0 {
		return Definition{}, false
	}
	short := trimQuotes(body, trim(body, text.Span{Start: inside.Start + comma + 1, End: inside.End}))
	if !isStatedShort(short.Of(body)) {
		return Definition{}, false
	}
	long := text.Span{Start: inside.Start, End: inside.Start + comma}
	if IsLongForm(short.Of(body), long.Of(body)) {
		return Definition{Short: short, Long: long}, validLong(short.Of(body), long.Of(body))
	}
	return define(body, short, long, matchInitials)
}

func hasUpper(s string) bool { return strings.ContainsFunc(s, unicode.IsUpper) }

// define returns the definition of short by a long form at the end of within. find returns its start in within, or -1.
func define(body string, short, within text.Span, find func(short, body string) int) (Definition, bool) {
	at := find(short.Of(body), within.Of(body))
	if at < 0 {
		return Definition{}, false
	}
	long := text.Span{Start: within.Start + at, End: within.End}
	return Definition{Short: short, Long: long}, validLong(short.Of(body), long.Of(body))
}

// IsLongForm reports whether all of long is a long form of short by the algorithm of Schwartz & Hearst, see [Find].
func IsLongForm(short, long string) bool { return longFormStart(short, long, false) == 0 }

// contentFormStart is like [longFormStart] for long forms that do not begin with a function word.
func contentFormStart(short, body string) int { return longFormStart(short, body, true) }

// longFormStart returns the start of the long form of short at the end of body, or -1. Going backwards, it finds each
// letter and number of short in body, the first of them at the beginning of a word (findBestLongForm of the paper). If
// content is set, that word must not be a function word: the long form of AD is "anxiety and depression", not "and
// depression".
func longFormStart(short, body string, content bool) int {
	at, refused := len(body), -1 // refused is the start of a function word
	for end := len(short); end > 0; {
		want, size := utf8.DecodeLastRuneInString(short[:end])
		end -= size
		if !normalize.IsWordRune(want) {
			continue
		}
		want = unicode.ToLower(want)
		for {
			if at == 0 {
				return -1
			}
			r, size := utf8.DecodeLastRuneInString(body[:at])
			at -= size
			if unicode.ToLower(r) != want {
				continue
			}
			if end > 0 {
				break
			}
			if before, _ := utf8.DecodeLastRuneInString(body[:at]); at > 0 && normalize.IsWordRune(before) {
				continue
			}
			if content && lang.FunctionWords[firstWord(body[at:])] {
				refused = at
				continue
			}
			if refused >= 0 && strings.ContainsAny(body[at:refused], ",;:") {
				return -1
			}
			break
		}
	}
	return lastBreak(body[:at])
}

// lastBreak returns the end of the last white space in s, or of a slash after a word or bracket ("Ngn3/paired box
// factor 6"), or 0 if there is none.
func lastBreak(s string) int {
	for end := len(s); end > 0; {
		r, size := utf8.DecodeLastRuneInString(s[:end])
		before, _ := utf8.DecodeLastRuneInString(s[:end-size])
		if unicode.IsSpace(r) || r == '/' && (normalize.IsWordRune(before) || before == ')') {
			return end
		}
		end -= size
	}
	return 0
}

// lastWords returns the span of the last n words before body[end], or of fewer if n words reach further than maxReach.
func lastWords(body string, end, n int) text.Span {
	words := trim(body, text.Span{Start: earliestStart(body, end), End: end})
	rest := words.Of(body)
	for range n {
		rest = strings.TrimRightFunc(rest, unicode.IsSpace)
		rest = strings.TrimRightFunc(rest, func(r rune) bool { return !unicode.IsSpace(r) })
	}
	words.Start += len(rest)
	return words
}

// earliestStart returns the earliest position before body[end] at which a definition may begin: the beginning of the
// text, or white space.
func earliestStart(body string, end int) int {
	first := end - maxReach
	if first <= 0 {
		return 0
	}
	return first + max(0, strings.IndexFunc(body[first:end], unicode.IsSpace))
}

// sentenceStart returns the start of the sentence or bracket at the end of body[first:end], or first if it begins
// earlier. A sentence begins with a capital after a full stop or question mark and a space, which is precise enough for
// the few words of a long form.
func sentenceStart(body string, first, end int) int {
	closed := 0 // brackets without their opening bracket
	for i := end - 1; i >= max(first, 2); i-- {
		switch c := body[i]; {
		case c >= 'A' && c <= 'Z' && endsSentence(body[first:i]):
			return i
		case c == ')', c == ']':
			closed++
		case c == '(', c == '[':
			if closed--; closed < 0 {
				return i + 1
			}
		}
	}
	return first
}

// endsSentence reports whether s ends in a full stop or question mark and white space.
func endsSentence(s string) bool {
	end := strings.TrimRight(s, " \r\n")
	return end != "" && len(end) < len(s) && (end[len(end)-1] == '.' || end[len(end)-1] == '?')
}

// firstWord returns the word at the start of s, in lower case.
func firstWord(s string) string {
	return strings.ToLower(s[:len(s)-len(strings.TrimLeftFunc(s, normalize.IsWordRune))])
}

// afterIntroduction returns the rest of a bracket without words that introduce a short form: "hereafter LVH", "also
// known as LVH", "LVH for short". The rest must contain a capital.
func afterIntroduction(body string, inside text.Span) text.Span {
	short := inside
	for {
		word, rest, ok := strings.Cut(short.Of(body), " ")
		if !ok || !lang.Introductions[strings.ToLower(strings.Trim(word, `,:;"'`))] || !hasUpper(rest) {
			break
		}
		short = trim(body, text.Span{Start: short.End - len(rest), End: short.End})
	}
	for _, remark := range lang.Remarks {
		if rest, ok := strings.CutSuffix(short.Of(body), " "+remark); ok {
			short.End = short.Start + len(strings.TrimRight(rest, ", "))
		}
	}
	return short
}

// quotes holds quotation marks, and the characters for emphasis in Markdown.
const quotes = "\"“”„«»‘’'`*_"

// trimQuotes returns a span without the quotation marks around it and the white space inside them. A lone apostrophe at
// the end is not a quotation mark.
func trimQuotes(body string, span text.Span) text.Span {
	inner := strings.TrimLeft(span.Of(body), quotes)
	closing := "\"“”»"
	if len(inner) < span.Len() {
		closing = quotes
	}
	span.Start = span.End - len(inner)
	span.End = span.Start + len(strings.TrimRight(inner, closing))
	return trim(body, span)
}

// trim returns a span without the white space at both ends.
func trim(body string, span text.Span) text.Span {
	left := strings.TrimLeftFunc(span.Of(body), unicode.IsSpace)
	span.Start = span.End - len(left)
	span.End = span.Start + len(strings.TrimRightFunc(left, unicode.IsSpace))
	return span
}
