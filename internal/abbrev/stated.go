package abbrev

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
)

// statement is a phrase that defines a short form without a bracket.
type statement language.Statement

// statements are the phrases of [statedDefinitions]:
//
//	TGA stands for transposition of the great arteries
//	TGA, short for transposition of the great arteries
//	transposition of the great arteries, hereafter TGA
//	transposition of the great arteries, abbreviated as TGA
//	transposition of the great arteries, or TGA, is
//	TGA, or transposition of the great arteries
//	TGA = transposition of the great arteries
//	TGA: transposition of the great arteries; MS: multiple sclerosis
//	Abbreviations: TGA, transposition of the great arteries; MS, multiple sclerosis
//	We define TGA as transposition of the great arteries
//	transposition of the great arteries, referred to as TGA, is
var statements = func() (all []statement) {
	for _, s := range lang.Statements {
		all = append(all, statement(s))
	}
	return all
}()

// spacedPhrase is the phrase of a statement, cut at its first space.
type spacedPhrase struct {
	before, after string
	statement     int
}

// firstLetters has the phrases of the statements by the byte that follows their first space, and lists those of a sign
// and a space by the sign.
var firstLetters, lists = func() (table, lists [256][]spacedPhrase) {
	for i, s := range statements {
		before, after, _ := strings.Cut(s.Phrase, " ")
		phrase := spacedPhrase{before, after, i}
		if s.Listed {
			lists[before[0]] = append(lists[before[0]], phrase)
			continue
		}
		table[after[0]] = append(table[after[0]], phrase)
	}
	return table, lists
}()

// firstPairs has the two bytes that follow the first space of a phrase of firstLetters: those after most spaces do not.
var firstPairs = func() (pairs [256][256]bool) {
	for first, phrases := range firstLetters {
		for i := range phrases {
			pairs[first][phrases[i].after[1]] = true
		}
	}
	return pairs
}()

// statedDefinitions returns the definitions in a text that have no bracket, in the order of their short forms, and
// those of one short form in the order of their statements. It looks at the letter after each space, since a search
// for one phrase after another takes several times as long.
func statedDefinitions(body string) []Definition {
	type stated struct {
		Definition
		statement int
	}
	var found []stated
	ends := make([]int, len(statements)) // by statement: of its last phrase
	try := func(space int, p *spacedPhrase) {
		start := space - len(p.before)
		if start < ends[p.statement] || !strings.HasSuffix(body[:space], p.before) {
			return
		}
		ends[p.statement] = space + 1 + len(p.after)
		if d, ok := statements[p.statement].define(body, start, ends[p.statement]); ok {
			found = append(found, stated{d, p.statement})
		}
	}
	for space := 0; space+2 < len(body); space++ {
		if body[space] != ' ' {
			continue
		}
		if after := body[space+1:]; firstPairs[after[0]][after[1]] {
			phrases := firstLetters[after[0]]
			for i := range phrases {
				if strings.HasPrefix(after, phrases[i].after) {
					try(space, &phrases[i])
				}
			}
		}
		if space > 0 {
			phrases := lists[body[space-1]]
			for i := range phrases {
				try(space, &phrases[i])
			}
		}
	}
	slices.SortStableFunc(found, func(a, b stated) int {
		return cmp.Or(cmp.Compare(a.Short.Start, b.Short.Start), cmp.Compare(a.statement, b.statement))
	})
	definitions := make([]Definition, len(found))
	for i := range found {
		definitions[i] = found[i].Definition
	}
	return definitions
}

// define returns the definition by a statement whose phrase is body[start:end].
func (s *statement) define(body string, start, end int) (d Definition, ok bool) {
	if s.LongFirst {
		d, ok = s.longThenShort(body, start, end)
	}
	if !ok && s.ShortFirst {
		d, ok = s.shortThenLong(body, start, end)
	}
	return d, ok
}

// maxIntroduction is the largest number of words between a phrase and its short form: "hereinafter referred to as
// the". It keeps the running time linear in the text.
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
	if s.Initials { // an apposition ends in a comma or with its sentence
		rest := strings.TrimLeft(body[short.End:], quotes)
		if rest != "" && !strings.ContainsRune(",.;:)", rune(rest[0])) {
			return Definition{}, false
		}
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

// beginsItem reports whether a list may begin a new item at body[at:]: after a sign, a line end or nothing.
func beginsItem(body string, at int) bool {
	before := strings.TrimRight(strings.TrimRight(body[:at], quotes), " ")
	return before == "" || strings.HasSuffix(body[:at], "\n") ||
		strings.IndexByte(",;.:(\n", before[len(before)-1]) >= 0
}

// endsInCapital reports whether a text ends in a capital or a digit, or a plural s after one. It spares most commas the
// search for a short form.
func endsInCapital(s string) bool {
	s = strings.TrimSuffix(s, "s")
	return s != "" && (s[len(s)-1] >= 'A' && s[len(s)-1] <= 'Z' || s[len(s)-1] >= '0' && s[len(s)-1] <= '9')
}

// followsDefine reports whether the last word but one of body is a form of "define".
func followsDefine(body string) bool {
	body = body[:max(0, strings.LastIndexByte(body, ' '))]
	return strings.HasPrefix(body[strings.LastIndexByte(body, ' ')+1:], lang.Define)
}

// isStatedShort reports whether a word may be a short form that no bracket shows to be one: most of it is capitals.
func isStatedShort(s string) bool {
	return validShort(s) && normalize.LooksLikeShortForm(s) &&
		normalize.AtMostHalfLowercase(normalize.SingularShortForm(s))
}

// nextWord returns the span of the word that follows body[:at], without quotation marks and the signs that end a
// phrase.
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

// phraseEnd returns where the phrase that begins at body[at:] ends: at a sign, a bracket or the end of the line, and
// within reach of a definition.
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
