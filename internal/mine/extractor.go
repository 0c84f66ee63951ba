package mine

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/text"
)

// The kinds of pairs that a [PatternExtractor] finds.
const (
	kindAbbreviation = "abbreviation"  // left is the short form, right the long form
	kindAlsoKnownAs  = "also known as" // one is another name of the other
	kindFormerly     = "formerly"      // one of them is an old name
	kindBracket      = "bracket"       // "left (right)"; right may be a remark
	kindGloss        = "gloss"         // "right (left)"
)

var lang = &language.Rules.Synonyms

// PatternExtractor extracts definitions of abbreviations and names in apposition. It implements [corpus.PairExtractor].
// The zero value is ready for use.
type PatternExtractor struct{}

// extractorVersion is the version of the patterns. Raise it when a change extracts different pairs from the same text.
const extractorVersion = "4"

// Fingerprint returns the version of the patterns.
func (PatternExtractor) Fingerprint() string { return extractorVersion }

// Extract appends the pairs of a text to dst, see [corpus.PairExtractor]. They are the definitions (kind
// "abbreviation") and the following patterns, in which one of A and B is a mention and the other a phrase:
//
//	A, also known as B    A is also called B    A (aka B)    kind "also known as"
//	A, formerly B         A (previously known as B)          kind "formerly"
//	A (B)                                                    kind "bracket", or "gloss" if B is the mention
//
// The mention is always the left side of the pair, whether it is A or B. The left side of an abbreviation is the short
// form.
func (PatternExtractor) Extract(dst []corpus.SynonymPair, body string, definitions []abbrev.Definition,
	mentions []text.Mention) []corpus.SynonymPair {
	for _, d := range definitions {
		dst = append(dst, corpus.SynonymPair{Kind: kindAbbreviation, Left: d.Short.Of(body), Right: d.Long.Of(body)})
	}
	for _, m := range mentions {
		from, to := max(0, m.Start-maxReach), min(len(body), m.End+maxReach)
		for from > 0 && !utf8.RuneStart(body[from]) {
			from--
		}
		for to < len(body) && !utf8.RuneStart(body[to]) {
			to++
		}
		before, after := body[from:m.Start], body[m.End:to]
		if !wholeBefore.MatchString(before[max(0, len(before)-utf8.UTFMax):]) || !wholeAfter.MatchString(after) {
			continue // "non-gout", "gout-like"
		}
		for _, find := range []func(before, after string) (kind, phrase string){appositionAfter, appositionBefore} {
			if kind, phrase := find(before, after); phrase != "" {
				dst = append(dst, corpus.SynonymPair{Kind: kind, Left: m.Of(body), Right: phrase})
			}
		}
	}
	return dst
}

const (
	maxReach       = 200 // bytes between the end of a name and the other end of a pair
	maxCue         = 60  // bytes of a cue with what surrounds it: ", is now commonly referred to as the "
	maxPhraseWords = 7
)

// Patterns of the text around a name.
var (
	marks = `,;:()\[\]"“”‘«»`
	// The full stop of a sentence is not part of a word, but the one of an initial ("S. aureus") or of several letters
	// ("a.k.a.") is.
	word        = `(?:[^\s.` + marks + `]+(?:\.[^\s.` + marks + `]+)+\.?|[^\s.` + marks + `]\.|\.?[^\s.` + marks + `]+)`
	wordPattern = regexp.MustCompile(word)
	wholeBefore = regexp.MustCompile(`(?:^|[\s` + marks + `])$`)
	wholeAfter  = regexp.MustCompile(`^\.?(?:[\s` + marks + `]|$)`)
	wordsBefore = regexp.MustCompile(`(?:^|[\s` + marks + `])((?:` + word + `\s+)*` + word + `)\s*$`)
	wordAfter   = regexp.MustCompile(`^\s*` + word)

	// A cue is adverbs with a verb, or a word of its own, or an adverb in brackets.
	adverb = language.OneOf(maps.Keys(lang.SameAdverbs)) + "|" + language.OneOf(maps.Keys(lang.FormerAdverbs)) + "|" +
		language.OneOf(maps.Keys(lang.DegreeAdverbs))
	cue = `(?:(?:(?:` + adverb + `)\s+){1,2}(?:` + cueVerbs() + `)|` +
		`(?:` + language.OneOf(maps.Keys(lang.StandaloneCues)) + `)(?:\s*:)?)`
	copula = `(?:` + language.OneOf(maps.Keys(lang.Copulas)) + `)`
	alone  = `\(\s*(?:` + language.OneOf(maps.Keys(lang.StandaloneAdverbs)) + `)`
	// What may be between a cue and a phrase or name: quotation marks and words that do not belong to it.
	opening = `(?:["“”‘«»\s]|(?:` + language.OneOf(maps.Keys(lang.Determiners)) + `)\s)*`

	leading      = `(?:\s*[(\[,]\s*|\s+` + copula + `\s+|\s+)`
	cueAfter     = regexp.MustCompile(`(?i)^(?:` + leading + cue + `|\s*` + alone + `)\s` + opening)
	former       = regexp.MustCompile(`(?i)\b(?:` + language.OneOf(maps.Keys(lang.FormerAdverbs)) + `)\b`)
	bracketAfter = regexp.MustCompile(`(?i)^\s+\(` + opening)
	cueBefore    = regexp.MustCompile(`(?i)(?:` + leading + cue + `|\s*` + alone + `)\s` + opening + `$`)
	glossBefore  = regexp.MustCompile(`(?i)\s+\(` + opening + `$`)
)

// cueVerbs returns a pattern of the verbs of cues with the words that follow each.
func cueVerbs() string {
	var all []string
	for verb, rest := range lang.CueVerbs {
		all = append(all, strings.Join(append([]string{verb}, rest...), " "))
	}
	return strings.ReplaceAll(language.OneOf(slices.Values(all)), " ", `\s+`)
}

// cueWords are in every cue.
var cueWords = slices.Concat(slices.Collect(maps.Keys(lang.CueVerbs)), slices.Collect(maps.Keys(lang.StandaloneCues)),
	slices.Collect(maps.Keys(lang.StandaloneAdverbs)))

// findCue returns the cue in s that a pattern matches, or "". It seldom needs the pattern, which is slow.
func findCue(pattern *regexp.Regexp, s string) string {
	if !slices.ContainsFunc(cueWords, func(word string) bool { return strings.Contains(s, word) }) {
		return ""
	}
	return pattern.FindString(s)
}

// kindOf returns the kind of a cue.
func kindOf(cue string) string {
	if former.MatchString(cue) {
		return kindFormerly
	}
	return kindAlsoKnownAs
}

// appositionAfter returns the phrase that follows a name in apposition, and the kind of the pair.
func appositionAfter(before, after string) (kind, phrase string) {
	cue := findCue(cueAfter, after[:min(len(after), maxCue)])
	if kind = kindOf(cue); cue == "" {
		kind, cue = kindBracket, bracketAfter.FindString(after) // not V(T)
	}
	if cue == "" || !beginsPhrase(before) {
		return "", ""
	}
	rest := after[len(cue):]
	size, words := 0, 0
	next := wordAfter.FindString(rest)
	for ; next != "" && !lang.FunctionWords[strings.TrimSpace(next)]; next = wordAfter.FindString(rest[size:]) {
		size += len(next)
		words++
	}
	closed := strings.HasPrefix(strings.TrimLeft(rest[size:], `"”» `), ")")
	if words > maxPhraseWords || kind == kindBracket && !closed || strings.TrimSpace(next) == lang.And {
		return "", ""
	}
	return kind, rest[:size]
}

// appositionBefore returns the phrase that precedes a name in apposition, and the kind of the pair.
func appositionBefore(before, after string) (kind, phrase string) {
	if next := strings.TrimSpace(wordAfter.FindString(after)); next != "" && !lang.FunctionWords[next] {
		return "", "" // the noun phrase continues after the name
	}
	end := max(0, len(before)-maxCue)
	if strings.HasPrefix(strings.TrimSpace(after), ")") {
		if at := glossBefore.FindStringIndex(before[end:]); at != nil {
			if phrase, opens := phraseBefore(before[:end+at[0]]); opens {
				return kindGloss, phrase
			}
		}
	}
	cue := findCue(cueBefore, before[end:])
	if cue == "" {
		return "", ""
	}
	phrase, _ = phraseBefore(strings.TrimSuffix(before, cue))
	return kindOf(cue), phrase
}

// lastWords returns the words at the end of s, after the last mark or full stop.
func lastWords(s string) []string {
	run := wordsBefore.FindStringSubmatch(s)
	if run == nil {
		return nil
	}
	return wordPattern.FindAllString(run[1], -1)
}

// wordAt returns the nth word from the end in lower case, or "" if there are fewer.
func wordAt(words []string, n int) string {
	if n > len(words) {
		return ""
	}
	return strings.ToLower(words[len(words)-n])
}

// beginsPhrase reports whether a name after before is neither the end of a longer phrase nor the broader term in one
// ("a form of cancer").
func beginsPhrase(before string) bool {
	words := lastWords(strings.TrimRight(before, `"“”‘«» `))
	last := wordAt(words, 1)
	if last == lang.Of {
		return !lang.KindNouns[wordAt(words, 2)]
	}
	return last == "" || lang.Determiners[last] || lang.FunctionWords[last] && !lang.Conjunctions[last]
}

// phraseBefore returns the phrase at the end of s, or "" if that is empty or the end of a longer phrase. opens reports
// whether the words before it show that it begins there and is not the end of a longer one, such as "problems with
// coordination (ataxia)" or "blood in the urine (hematuria)".
func phraseBefore(s string) (phrase string, opens bool) {
	s = strings.TrimRight(s, " \n\"”»")
	words := lastWords(s)
	rest := words
	for last := wordAt(rest, 1); last != "" && !lang.FunctionWords[last] &&
		(!lang.Determiners[last] || wordAt(rest, 2) == lang.Of); last = wordAt(rest, 1) {
		rest = rest[:len(rest)-1]
	}
	n, last := len(words)-len(rest), wordAt(rest, 1)
	if n == 0 || n > maxPhraseWords || lang.Continuers[last] {
		return "", false
	}
	places := wordPattern.FindAllStringIndex(s, -1)
	opens = last == "" || lang.Openers[last]
	if lang.Determiners[last] {
		opens = !lang.Prepositions[wordAt(rest, 2)]
	}
	return s[places[len(places)-n][0]:], opens
}
