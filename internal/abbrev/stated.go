package abbrev

import (
	"strings"
	"unicode"
	"unicode/utf8"

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
func statedDefinitions(body string) []Definition {
	var found []Definition
	for i := range lang.Statements {
		s := (*statement)(&lang.Statements[i])
		for end := 0; ; {
			at := strings.Index(body[end:], s.Phrase)
			if at < 0 {
				break
			}
			start := end + at
			end = start + len(s.Phrase)
			var d Definition
			ok := false
			if s.LongFirst {
				d, ok = s.longThenShort(body, start, end)
			}
			if !ok && s.ShortFirst {
				d, ok = s.shortThenLong(body, start, end)
			}
			if ok {
				found = append(found, d)
			}
		}
	}
	return found
}

// maxIntroduction is the maximum number of words between a phrase and its short form: "hereinafter referred to as the".
// It keeps the time linear in the length of the text.
const maxIntroduction = 5

// longThenShort takes the word after a phrase as a short form of the words before it.
func (s *statement) longThenShort(body string, start, end int) (Definition, bool) {
	short := nextWord(body, end)
	for n := 0; n < maxIntroduction && !s.Initials && lang.Introductions[strings.ToLower(short.Of(body))]; n++ {
		short = nextWord(body, short.End)
	}
	if !isStatedShort(short.Of(body)) {
		return Definition{}, false
	}
	rest := strings.TrimLeft(body[short.End:], quotes)
	if s.Enclosed && !strings.HasPrefix(rest, s.Phrase) ||
		s.Initials && !s.Enclosed && rest != "" && !strings.ContainsRune(",.;:)", rune(rest[0])) { // not an apposition
		return Definition{}, false
	}
	before := lastWords(body, start, maxLongWords(short.Of(body)))
	before.End = before.Start + len(strings.TrimRight(before.Of(body), ", "))
	before = trimQuotes(body, text.Span{Start: sentenceStart(body, before.Start, before.End), End: before.End})
	find := matchInitials
	if at := matchInitials(short.Of(body), before.Of(body)); at < 0 && !s.Initials {
		find = contentFormStart
	}
	return define(body, short, before, find)
}

// shortThenLong takes the word before a phrase as a short form of the words after it.
func (s *statement) shortThenLong(body string, start, end int) (Definition, bool) {
	if s.Defined && !followsDefine(body[:start]) || s.Phrase == ", " && !endsInCapital(body[:start]) {
		return Definition{}, false
	}
	before := text.Span{Start: earliestStart(body, start), End: start}
	before.End = before.Start + len(strings.TrimRight(before.Of(body), ", "))
	for _, word := range lang.BeforeStatement {
		before.End = before.Start + len(strings.TrimSuffix(before.Of(body), " "+word))
	}
	before.End = before.Start + len(strings.TrimSuffix(before.Of(body), ","))
	short := trimQuotes(body, lastWords(body, before.End, 1))
	isLast := strings.Trim(body[short.End:before.End], quotes) == "" // not in a bracket before the phrase
	if !isLast || s.Listed && !beginsItem(body, short.Start) || !isStatedShort(short.Of(body)) {
		return Definition{}, false
	}
	long := trimQuotes(body, text.Span{Start: end, End: phraseEnd(body, end)})
	for _, article := range lang.Articles {
		if rest, ok := strings.CutPrefix(long.Of(body), article+" "); ok {
			long.Start = long.End - len(rest)
		}
	}
	shortens := []func(short, long string) bool{
		func(short, long string) bool { return matchInitials(short, long) == 0 },
	}
	if !s.Initials {
		shortens = append(shortens, IsLongForm)
	}
	for _, isLongForm := range shortens {
		words := maxLongWords(short.Of(body))
		for i, r := range long.Of(body) + " " {
			if !unicode.IsSpace(r) {
				continue
			}
			one := text.Span{Start: long.Start, End: long.Start + i}
			if isLongForm(short.Of(body), one.Of(body)) && validLong(short.Of(body), one.Of(body)) {
				return Definition{Short: short, Long: trimQuotes(body, one)}, true
			}
			if words--; words == 0 {
				break
			}
		}
	}
	return Definition{}, false
}

// beginsItem reports whether a list item may begin at body[at:]: after punctuation or at the start of a line.
func beginsItem(body string, at int) bool {
	before := strings.TrimRight(strings.TrimRight(body[:at], quotes), " ")
	return before == "" || strings.HasSuffix(body[:at], "\n") ||
		strings.IndexByte(",;.:(\n", before[len(before)-1]) >= 0
}

// endsInCapital reports whether a text ends in a capital or a digit, possibly followed by a plural s. It avoids the
// search for a short form at most commas.
func endsInCapital(s string) bool {
	s = strings.TrimSuffix(s, "s")
	return s != "" && (s[len(s)-1] >= 'A' && s[len(s)-1] <= 'Z' || s[len(s)-1] >= '0' && s[len(s)-1] <= '9')
}

// followsDefine reports whether the second to last word of body is a form of "define".
func followsDefine(body string) bool {
	body = body[:max(0, strings.LastIndexByte(body, ' '))]
	return strings.HasPrefix(body[strings.LastIndexByte(body, ' ')+1:], lang.Define)
}

// isStatedShort reports whether a word may be a short form even without a bracket: most of its letters are capitals.
func isStatedShort(s string) bool {
	return validShort(s) && normalize.LooksLikeShortForm(s)
}

// nextWord returns the span of the word after body[:at], without quotation marks and punctuation that ends a phrase.
func nextWord(body string, at int) text.Span {
	for at < len(body) && (body[at] == ' ' || body[at] == ',') {
		at++
	}
	end := at
	for end < len(body) && end-at < maxReach && !strings.ContainsRune(" ,;:)\n", rune(body[end])) {
		end++
	}
	for end < len(body) && !utf8.RuneStart(body[end]) {
		end++
	}
	word := trimQuotes(body, text.Span{Start: at, End: end})
	word.End = word.Start + len(strings.TrimRight(word.Of(body), "."+quotes))
	return word
}

// phraseEnd returns where the phrase that begins at body[at:] ends: at punctuation, a bracket or the end of the line,
// and at most maxReach further.
func phraseEnd(body string, at int) int {
	end := min(len(body), at+maxReach)
	for end < len(body) && !utf8.RuneStart(body[end]) {
		end++
	}
	if i := strings.IndexAny(body[at:end], ",.;:()[]\n"); i >= 0 {
		return at + i
	}
	return end
}
