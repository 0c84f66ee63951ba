package abbrev

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/language"
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
		body[d.bracket.Start] < utf8.RuneSelf
}

// maxReach is how many bytes a definition may extend to each side of its bracket. 15 words of a long form are shorter.
// It keeps the time linear in the length of the text.
const maxReach = 400

// Find returns the definitions of short forms in a text, both "long form (SF)" and "SF (long form)", and definitions
// without a bracket, such as "SF stands for long form" (see statements), in the order of the short forms.
//
// It is the algorithm of Schwartz & Hearst, "A simple algorithm for identifying abbreviation definitions in biomedical
// text", PSB 2003, with the limits of their published program: a short form has at most two words and 2 to 10 letters
// and numbers, and the long form of a short form of n letters and numbers has at most min(n+5, 2n) words. Further rules
// are added: see readings for other ways to find a long form, and finders for brackets that hold more than one form.
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
		inside := trim(body, text.Span{Start: open + size, End: end})
		for _, find := range finders {
			defined := find(body, open, inside)
			for _, d := range defined {
				d.bracket = text.Span{Start: open, End: end + size}
				found = append(found, d)
			}
			if defined != nil {
				break
			}
		}
	}
	found = append(found, statedDefinitions(body)...)
	slices.SortStableFunc(found, func(a, b Definition) int { return cmp.Compare(a.Short.Start, b.Short.Start) })
	return found
}

// findLetters returns the words for which a text introduces a capital letter, in order: "progesterone (P)". [Find] does
// not return them, because such a letter means something else in most other places ("P < .05").
func findLetters(body string) (found []Definition) {
	for open, r := range body {
		const longest = 60 // bytes of a word
		from, end := max(0, open-longest), open+len("(P)")
		if r != '(' && r != '[' || end > len(body) || !strings.ContainsRune("),;]", rune(body[end-1])) {
			continue
		}
		m := capital.FindStringSubmatchIndex(body[from:end])
		if m == nil {
			continue
		}
		d := Definition{Short: group(m, 2, from), Long: group(m, 1, from)}
		if strings.EqualFold(d.Long.Of(body)[:1], d.Short.Of(body)) {
			found = append(found, d)
		}
	}
	return found
}

// capital matches a word of at least five letters and a capital in a bracket.
var capital = regexp.MustCompile(`(?:^|[\s-])([A-Za-z]\p{Ll}{4,})\s*[(\[]([A-Z])[),;\]]$`)

// closers maps the opening brackets of definitions, half-width and full-width, to the closing ones.
var closers = map[rune]rune{'(': ')', '[': ']', '（': '）', '［': '］'}

// mayDefine reports whether the half-width bracket at body[at] may contain a definition. Others belong to formulas such
// as V(T).
func mayDefine(body string, at int) bool {
	const longest = 16 // bytes of four letters
	return at > 0 && body[at-1] == ' ' || beforeBracket.MatchString(body[max(0, at-longest):at])
}

// beforeBracket matches the beginning of the text, white space, a script without spaces, or a word in lower case.
var beforeBracket = regexp.MustCompile(`(?:^|[\s\p{Zs}]|` + unspaced + `|\p{Ll}{4})$`)

// closingBracket returns the position of the bracket that closes the one at open, or -1.
func closingBracket(body string, open int) int {
	opener, _ := utf8.DecodeRuneInString(body[open:])
	closer, depth := closers[opener], 0
	for i, r := range body[open:min(len(body), open+maxReach)] {
		switch r {
		case opener:
			depth++
		case closer:
			if depth--; depth == 0 {
				return open + i
			}
		}
	}
	return -1
}

// finders find the definitions of a bracket, given its position and its content. The first that finds any counts.
var finders = []func(body string, open int, inside text.Span) []Definition{
	unspacedDefinition, longBefore, severalBefore, shortBefore, bothInside,
}

// Patterns of the content of brackets.
var (
	quoted     = "[" + quotes + "]*"
	introduced = `(?:(?i:` + language.OneOf(maps.Keys(lang.Introductions)) + `)[,:;"']* )*` + quoted
	// A short form after introductory words ("hereafter LVH", "also known as LVH") or the number of an enzyme ("EC
	// 1.11.1.9; GPx"), up to a remark ("LVH for short"), comma or semicolon.
	shortFirst = regexp.MustCompile(`^(?:(?:EC|CAS) [\d.-]+; )?` + introduced + `([^;]*?)` +
		`(?:,? (?:` + language.OneOf(slices.Values(lang.Remarks)) + `))?(?:;|,\D|$)`)
	separator = regexp.MustCompile(`(?:,? ` + lang.Conjunction + `|,) `)
	listEnd   = regexp.MustCompile(separator.String() + `$`)
)

// group returns the span of a group of a match in body[start:].
func group(match []int, n, start int) text.Span {
	return text.Span{Start: start + match[2*n], End: start + match[2*n+1]}
}

// longBefore takes the beginning of a bracket as a short form, and looks for its long form before it.
func longBefore(body string, open int, inside text.Span) []Definition {
	m := shortFirst.FindStringSubmatchIndex(inside.Of(body))
	if m == nil {
		return nil
	}
	return longBeforeShort(body, open, group(m, 1, inside.Start), readings...)
}

// severalBefore takes the bracket's content as several short forms: of one long form if only their numbers differ, or
// of one each: "herpes simplex virus (HSV-1 and HSV-2)", "Crohn disease and ulcerative colitis (CD and UC,
// respectively)".
func severalBefore(body string, open int, inside text.Span) (all []Definition) {
	content := inside.Of(body)
	if !strings.Contains(content, ", ") && !strings.Contains(content, lang.Conjunction) { // the usual case
		return nil
	}
	shorts := separator.Split(strings.TrimSuffix(content, ", "+lang.Respectively), -1)
	if len(shorts) == 1 || slices.ContainsFunc(shorts, func(short string) bool { return !validShort(short) }) {
		return nil // (atopic dermatitis, AD)
	}
	bare := func(form string) string { return strings.TrimRight(form, "0123456789") }
	end, at := open, inside.End
	for _, form := range slices.Backward(shorts) {
		at = inside.Start + strings.LastIndex(body[inside.Start:at], form)
		d := longBeforeShort(body, end, text.Span{Start: at, End: at + len(form)}, readings...)
		all = append(all, d...)
		if bare(form) == bare(shorts[0]) {
			continue
		}
		if d == nil {
			return nil
		}
		const longest = 6 // maximum bytes of a separator
		end = d[0].Long.Start
		between := listEnd.FindString(body[max(0, end-longest):end])
		if between == "" {
			return nil
		}
		end -= len(between)
	}
	slices.Reverse(all)
	return all
}

// longBeforeShort looks for the long form of a short form before the bracket.
func longBeforeShort(body string, open int, short text.Span, by ...reading) []Definition {
	short = trim(body, short)
	if !validShort(short.Of(body)) {
		return nil
	}
	before := lastWords(body, open, maxLongWords(short.Of(body)))
	before.Start = sentenceStart(body, before.Start, open)
	return define(body, short, trim(body, before), by...)
}

// goesOn reports whether a word continues after a bracket, which is then part of the word: "[Ca2+]i", "ERK(1)2".
// Reference numbers, as in "(RFS)1,3–5 was", and a plural s do not continue a word.
func goesOn(rest string) bool {
	return rest != "" && rest[0] < utf8.RuneSelf && normalize.IsWordRune(rune(rest[0])) && !mayFollow.MatchString(rest)
}

var mayFollow = regexp.MustCompile(`^(?:s(?:[^\pL\pN]|$)|\d{1,3}(?:[,–-]\d{1,3})*(?:[\s.,;:)]|$))`)

// shortBefore takes the content of the bracket as a long form of the word before the bracket.
func shortBefore(body string, open int, inside text.Span) []Definition {
	short := lastWords(body, open, 1)
	short.Start = sentenceStart(body, short.Start, open)
	short = trim(body, short)
	long, _, _ := strings.Cut(inside.Of(body), ";")
	if form := short.Of(body); !hasUpper(form) || !validShort(form) || strings.HasPrefix(long, form) {
		return nil // "L1 (L1CAM)" is two names
	}
	return define(body, short, trim(body, text.Span{Start: inside.Start, End: inside.Start + len(long)}), byLetters)
}

// bothInside takes the text after the last comma of a bracket as a short form of all words before it, or of those with
// it as their initials: "(atopic dermatitis, AD)".
func bothInside(body string, _ int, inside text.Span) []Definition {
	comma := strings.LastIndex(inside.Of(body), ", ")
	if comma < 0 {
		return nil
	}
	long := text.Span{Start: inside.Start, End: inside.Start + comma}
	short := trim(body, text.Span{Start: long.End, End: inside.End})
	if !isStatedShort(short.Of(body)) {
		return nil
	}
	by := byInitials
	if IsLongForm(short.Of(body), long.Of(body)) {
		by = byLetters
	}
	return define(body, short, long, by)
}

func hasUpper(s string) bool { return strings.ContainsFunc(s, unicode.IsUpper) }

// define returns the definition of short by a long form at the end of within, by the first reading that finds one.
func define(body string, short, within text.Span, by ...reading) []Definition {
	in, form := phraseOf(within.Of(body)), short.Of(body)
	for _, read := range by {
		if read.shorts != nil && !read.shorts.MatchString(form) {
			continue
		}
		if at := read.start(form, in); at >= 0 && validLong(form, in.text[at:]) {
			return []Definition{{Short: short, Long: text.Span{Start: within.Start + at, End: within.End}}}
		}
	}
	return nil
}

// IsLongForm reports whether all of long is a long form of short by the algorithm of Schwartz & Hearst, see [Find].
func IsLongForm(short, long string) bool { return longFormStart(short, phraseOf(long)) == 0 }

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
	first := max(0, end-maxReach)
	if first > 0 {
		first += max(0, strings.IndexFunc(body[first:end], unicode.IsSpace))
	}
	return first
}

// sentenceStart returns the start of the sentence or bracket at the end of body[first:end], or first if it begins
// earlier.
func sentenceStart(body string, first, end int) int {
	if ends := sentenceEnd.FindAllStringIndex(body[first:end], -1); len(ends) > 0 {
		first += ends[len(ends)-1][1] - 1
	}
	closed := 0 // brackets without their opening bracket
	for i := end - 1; i >= first; i-- {
		switch body[i] {
		case ')', ']':
			closed++
		case '(', '[':
			if closed--; closed < 0 {
				return i + 1
			}
		}
	}
	return first
}

// sentenceEnd is precise enough for the few words of a long form.
var sentenceEnd = regexp.MustCompile(`[.?][ \r\n]+[A-Z]`)

// quotes holds quotation marks, and the characters for emphasis in Markdown.
const quotes = "\"“”„«»‘’'`*_"

// trim returns a span without white space, commas, quotation marks, and reference and footnote marks at its ends:
// "RFS[4]", "RFS†".
func trim(body string, span text.Span) text.Span {
	isEdge := func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(quotes+",†‡§", r) }
	inner := strings.TrimLeftFunc(span.Of(body), isEdge)
	span.Start = span.End - len(inner)
	inner = strings.TrimRightFunc(inner, isEdge)
	if strings.HasSuffix(inner, "]") {
		inner = strings.TrimRightFunc(reference.ReplaceAllString(inner, ""), isEdge)
	}
	span.End = span.Start + len(inner)
	return span
}

var reference = regexp.MustCompile(`\[\d[\d,–-]*\]$`)
