package assertion

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// Denial holds the two things in a mention that names one and then denies the other: "hypertension" and "gout" in
// "hypertension, no gout".
type Denial struct{ Named, Denied text.Span }

// Remainders returns what is left of a mention without statements of its status at its beginning and end, longest
// first: "history of stroke" and "stroke" for "possible history of stroke". It returns nil if there is no such
// statement. denial is nil unless the mention denies something after what it names.
func Remainders(mention string) (rests []text.Span, denial *Denial) {
	var c classifier
	whole := segments(mention)
	for _, segment := range whole {
		c.findEvents(mention, segment, 0, nil)
		if len(whole) == 1 {
			rests = c.remainders(mention, segment)
		}
		if found, denies := c.denial(mention, segment); found {
			return rests, denies
		}
	}
	return rests, nil
}

// betweenItems matches what separates two diagnoses in a cell.
var betweenItems = func() *regexp.Regexp {
	var contrasts []string
	for _, l := range language.Languages {
		contrasts = append(contrasts, l.Assertion.Contrasts...)
	}
	return regexp.MustCompile(`(?i)[,;]| (?:` + strings.Join(contrasts, "|") + `) `)
}()

// SecondItem returns where the second of two diagnoses in a cell begins, if only the first is denied: "no gout but
// asthma", "denies gout; ?asthma". It returns 0 for other cells, such as "no gout, hypertension or asthma".
func SecondItem(cell string) int {
	found := betweenItems.FindAllStringIndex(cell, 2)
	if len(found) != 1 {
		return 0
	}
	at, next := found[0][0], found[0][1]
	words := strings.Fields(strings.ToLower(cell))
	if cell[at] == ',' && !lang.Denying[words[0]] ||
		slices.ContainsFunc(slices.Concat(lang.Conjunctions, lang.Alternatives), func(w string) bool { return slices.Contains(words, w) }) {
		return 0
	}
	isDenied := func(part string, rests []text.Span) bool {
		return len(rests) > 0 && Classify(&text.Document{Text: part, Mentions: []text.Mention{{Span: rests[len(rests)-1]}}})[0].Negated
	}
	rests, _ := Remainders(cell[:at])
	more, _ := Remainders(cell[next:])
	if !isDenied(cell[:at], rests) || isDenied(cell[next:], more) {
		return 0
	}
	if len(more) > 0 { // "no gout, ?asthma"
		next += more[len(more)-1].Start
	}
	return len(cell) - len(strings.TrimLeftFunc(cell[next:], normalize.IsNoWordRune))
}

// remainders returns the [Remainders] of a mention that is one segment.
func (c *classifier) remainders(mention string, rest text.Span) []text.Span {
	end := rest.End
	var cuts []text.Span
	rest.End = len(strings.TrimRightFunc(mention[:rest.End], normalize.IsNoWordRune))
	at := rest.Start
	for _, e := range c.events {
		if !isFiller(mention[at:e.Start]) || e.effects.isNone() || isPrefix(mention, e.Span) {
			break
		}
		if at = e.End; e.effects.after != none || e.effects.touchedAfter != none {
			rest.Start = at + fillers(mention[at:], fillerWords)
			cuts = append(cuts, rest)
		}
	}
	at = end
	for _, e := range slices.Backward(c.events) {
		joined := strings.HasSuffix(mention[:e.Start], "-") && !strings.HasSuffix(mention[:e.Start], " -")
		if e.End > at || e.Start <= rest.Start || !isFiller(mention[e.End:at]) || e.effects.isNone() || joined {
			break
		}
		if at = e.Start; e.effects.before != none || e.effects.touchedBefore != none {
			rest.End = len(strings.TrimRightFunc(mention[:at], normalize.IsNoWordRune))
			cuts = append(cuts, rest)
		}
	}
	return slices.DeleteFunc(cuts, func(cut text.Span) bool {
		doc := text.Document{Text: mention, Mentions: []text.Mention{{Span: cut}}}
		return cut.Len() <= 0 || Classify(&doc)[0] == linked.Assertion{}
	})
}

// denial reports whether a segment of a mention denies something after its first words. It returns the denial unless
// the first words have a status of their own.
func (c *classifier) denial(mention string, segment text.Span) (found bool, denies *Denial) {
	for _, e := range c.events {
		named := text.Span{End: len(strings.TrimRightFunc(mention[:e.Start], normalize.IsNoWordRune))}
		denied := text.Span{Start: e.End + fillers(mention[e.End:], fillerWords), End: segment.End}
		if named.End == 0 || e.effects.after[polarity] != negated || denied.Len() <= 0 || isPrefix(mention, e.Span) {
			continue
		}
		doc := text.Document{Text: mention, Mentions: []text.Mention{{Span: named}, {Span: denied}}}
		if says := Classify(&doc); says[0] == (linked.Assertion{}) && says[1].Negated {
			denies = &Denial{named, denied}
		}
		return true, denies
	}
	return false, nil
}

// none holds the effects of a term on one side that has no effect there.
var none [dimensions]value

// isNone reports whether a term is a pseudo-trigger.
func (e *effects) isNone() bool {
	return e.acts == [dimensions]bool{} && e.touchedAfter == none && e.touchedBefore == none
}

// isPrefix reports whether a term is a prefix of a different name: "non-small cell", "neg-" and "non small cell".
func isPrefix(mention string, term text.Span) bool {
	isLetter := strings.ContainsFunc(term.Of(mention), unicode.IsLetter)
	return isLetter && strings.HasPrefix(mention[term.End:], "-") ||
		strings.EqualFold(term.Of(mention), language.Rules.Synonyms.Non)
}

// maxBehind is the maximum length in bytes of what a cell says behind a name.
const maxBehind = 100

// Bare returns the parts of a mention without words at its ends that say nothing about what it names, longest first:
// "patient with known gout" and "gout" in "patient with known gout since 2019".
func Bare(mention string) (parts []text.Span) {
	start := 0
	if items := itemNumber.FindAllStringIndex(mention, 2); len(items) == 1 && items[0][0] == 0 { // not "1) gout 2) asthma"
		start = items[0][1]
	}
	start += len(label.FindString(mention[start:]))
	start += fillers(mention[start:], framingWords)
	if !strings.ContainsFunc(mention[:start], normalize.IsWordRune) { // "-OH"
		start = 0
	}
	end, isCut := len(mention), false
	for {
		end = len(strings.TrimRight(mention[:end], " ,;:(-"))
		tail := max(0, end-maxBehind)
		if behind := lang.Behind.FindStringIndex(mention[tail:end]); behind != nil {
			end, isCut = tail+behind[0], true
			continue
		}
		at := strings.LastIndexByte(mention[:end], ' ') + 1
		last := strings.Trim(strings.ToLower(mention[at:end]), "()")
		isSince := isCut && (lang.Lasting[last] || len(last) > 1 && isFiller(last)) // "hepatitis A 2019"
		if !isSince && !lang.Neutral[last] {
			break
		}
		end = at
	}
	for _, part := range []text.Span{{End: end}, {Start: start, End: end}} {
		if 0 < part.Len() && part.Len() < len(mention) && !slices.Contains(parts, part) { // "ED 2015" has none
			parts = append(parts, part)
		}
	}
	return parts
}

// The number of an item, and the label of a cell.
var (
	itemNumber = regexp.MustCompile(`(?:^|\s)\(?\d{1,2}[.)]\s+`)
	label      = regexp.MustCompile(`^[\pL /]{1,30}:\s+`)
)

// fillerWords may stand between a statement of status and a finding, framingWords beside any finding. Neither says
// anything about the finding.
var (
	fillerWords  = []map[string]bool{lang.ClauseWords, language.Rules.Synonyms.FunctionWords}
	framingWords = append([]map[string]bool{lang.Neutral, language.Rules.Synonyms.Determiners,
		language.Rules.Names.FunctionWords}, fillerWords...)
)

// isFiller reports whether s adds nothing about a mention next to it: "had a" in "mother had a stroke".
func isFiller(s string) bool { return fillers(s, framingWords) == len(s) }

// fillers returns the length of words in any of the sets, and of characters outside words, at the beginning of s.
func fillers(s string, sets []map[string]bool) int {
	for at := 0; ; {
		at = len(s) - len(strings.TrimLeftFunc(s[at:], normalize.IsNoWordRune))
		word, _, _ := strings.Cut(s[at:], " ")
		word = strings.TrimRightFunc(word, normalize.IsNoWordRune)
		lower := strings.ToLower(word)
		if word == "" || !slices.ContainsFunc(sets, func(set map[string]bool) bool { return set[lower] }) {
			return at
		}
		at += len(word)
	}
}
