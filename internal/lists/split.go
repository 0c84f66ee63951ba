package lists

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
)

var english = &language.Rules.Names

// Member is one name in a list.
type Member struct {
	Text   string
	Pieces []text.Span // of the text with the list; several if other members come between them
}

// Split returns the names that a mention combines, or nil if it is not a list:
//
//	breast and ovarian cancer         breast cancer · ovarian cancer
//	cancers of the breast and ovary   cancers of the breast · cancers of the ovary
//	type 1 and 2 diabetes             type 1 diabetes · type 2 diabetes
//	SCA1, 2 and 3                     SCA1 · SCA2 · SCA3
//	hypo- and hyperglycaemia          hypoglycaemia · hyperglycaemia
//	急性または慢性腎不全              急性腎不全 · 慢性腎不全
//	gout; type 1 and type 2 diabetes  gout · type 1 diabetes · type 2 diabetes
//	1) gout 2) asthma                 gout · asthma
//
// Members share the first words of the first member, the last words of the last one, or both. isName determines which:
// if this makes all members names, the result is sure. Otherwise, if the list has a conjunction before its last member,
// its words decide, by the rule of D'Souza & Ng, "Sieve-Based Entity Linking for the Biomedical Domain", ACL 2015,
// section 4, extended by designators. A mention without a conjunction (T2DM/HTN) is then not a list.
//
// A name may look like a list ("head and neck cancer"), so look up the whole mention first. A mention of more than 500
// bytes is a passage and is not split, because each of its members might take all words of another.
func Split(surface string, isName func(string) bool) (members []Member, sure bool) {
	if len(surface) > longestList {
		return nil, false
	}
	parts := apart(surface)
	for _, part := range parts {
		split, all := splitPart(surface, part, isName)
		if sure = all; split == nil && len(parts) > 1 {
			split = []Member{{part.Of(surface), []text.Span{part}}}
		}
		members = append(members, split...)
	}
	return members, sure && len(parts) == 1
}

// longestList is the maximum length of a mention to split, in bytes. The longest composite mentions in annotated
// corpora have 85.
const longestList = 500

// apart returns the parts of a table cell that are separated by semicolons or by item numbers.
func apart(surface string) (parts []text.Span) {
	between := semicolon
	if firstItem.MatchString(surface) {
		between = itemNumber
	}
	start := 0
	for _, at := range append(between.FindAllStringIndex(surface, -1), []int{len(surface), len(surface)}) {
		part := surface[start:at[0]]
		if bare := strings.Trim(part, ", \t\r\n"); bare != "" {
			first := start + strings.Index(part, bare)
			parts = append(parts, text.Span{Start: first, End: first + len(bare)})
		}
		start = at[1]
	}
	return parts
}

// Separators between the parts of a cell, and the beginning of a cell with several items.
var (
	semicolon  = regexp.MustCompile(`;`)
	itemNumber = regexp.MustCompile(`;|,?(?:^|\s)\(?\d{1,2}(?:\)|\.\s)`)
	firstItem  = regexp.MustCompile(`^\s*\(?1(?:\)|\.\s)`)
)

func splitPart(surface string, part text.Span, isName func(string) bool) (members []Member, sure bool) {
	var l *list
	if strings.ContainsFunc(part.Of(surface), normalize.IsUnspacedScript) {
		if l = listOf(surface, scanUnspaced(surface, part)); l != nil {
			l.unspaced = true
		}
	} else if l = listOf(surface, scan(surface, part, "", false)); l == nil || !l.joined {
		l = listOf(surface, scan(surface, part, cellSeparators, false))
	}
	if l == nil {
		return nil, false
	}
	if members = l.confirmed(isName); members != nil || !l.closed {
		return members, members != nil
	}
	return l.guessed(), false
}

// unit is a word of a list or a part of one, or a separator of members.
type unit struct {
	text.Span
	kind   unitKind
	joined bool // not separated from the previous part of the word
}

type unitKind int

const (
	plain unitKind = iota
	separator
	conjunction
	end // of the text that a list may be in
)

// cellSeparators separate members in a table cell.
const cellSeparators = "/+\r\n"

// scan returns the words in a part of a text. Members are separated by a comma or one of the separators. In prose,
// other punctuation ends a list.
func scan(s string, part text.Span, separators string, prose bool) (units []unit) {
	units = make([]unit, 0, part.Len()/5) // words have about five letters
	start := part.Start
	add := func(at, next int, kind unitKind) {
		if at > start {
			u := unit{Span: text.Span{Start: start, End: at}}
			const longest = 6 // bytes of a conjunction
			if word := u.Of(s); len(word) <= longest && english.Conjunctions[strings.ToLower(word)] &&
				(len(word) > 1 || word == strings.ToLower(word)) { // "hepatitis A and E"
				u.kind = conjunction
			} else if prose && !strings.ContainsFunc(word, normalize.IsWordRune) {
				u.kind = end
			}
			units = append(units, u)
		}
		if kind != plain {
			units = append(units, unit{Span: text.Span{Start: at, End: next}, kind: kind})
		}
		start = next
	}
	for i := part.Start; i < part.End; i++ {
		if s[i]|0x20 >= 'a' {
			continue // a letter
		}
		ends := i+1 == part.End || strings.IndexByte(" \t\r\n", s[i+1]) >= 0
		switch c := s[i]; {
		case c == ',', strings.IndexByte(separators, c) >= 0:
			add(i, i+1, separator)
		case c == '&', c == '/' && i-start <= longestWord && plainWord.MatchString(s[start:i]) && plainWord.MatchString(s[i+1:part.End]):
			kind := conjunction
			if c == '/' && strings.HasSuffix(plainWord.FindString(s[i+1:part.End]), "/") { // breast/colon/lung cancer
				kind = separator
			}
			add(i, i+1, kind)
		case c == '/' && i-start <= longestWord && endsInDesignator.MatchString(s[start:i]):
			switch next := nextDesignator.FindString(s[i+1 : min(i+7, part.End)]); {
			case strings.HasSuffix(next, "/"):
				add(i, i+1, separator)
			case next != "", i-start <= 2 && plainWord.MatchString(s[i+1:part.End]): // type 1/type 2
				add(i, i+1, conjunction)
			}
		case prose && (strings.IndexByte("();?!\t", c) >= 0 || ends && (c == '.' || c == ':') ||
			strings.HasPrefix(s[i:], "\n\n")):
			add(i, i+1, end)
		case c == ' ', c == '\t', c == '\n', c == '\r':
			add(i, i+1, plain)
		}
	}
	add(part.End, part.End, plain)
	return units
}

// longestWord is the maximum length in bytes of a word that a slash joins to another.
const longestWord = 64

// plainWord matches a word of at least three letters or hyphens: neither a number nor a letter of "a/c".
var plainWord = regexp.MustCompile(`^[\p{L}-]{3,}(?:[\s,&/]|$)`)

// nextDesignator matches a letter or number and a slash after it: B/ in "hepatitis A/B/C".
var nextDesignator = regexp.MustCompile(`^(?:[A-Z]|[IVX]{2,4}|\d{1,2})\b/?`)

// endsInDesignator matches a word that ends in a number, or is a capital letter or a Roman numeral.
var endsInDesignator = regexp.MustCompile(`[0-9]$|^(?:[A-Z]|[IVX]+)$`)

// list is a list in a text, with the units that belong to each member alone.
type list struct {
	text     string
	members  [][]unit // two or more, none empty
	joined   bool     // by a conjunction
	closed   bool     // by a conjunction other than the letters y and o
	unspaced bool     // in a script without spaces, where each character is a unit
	isCut    bool     // a word is in two pieces, see cuts
}

// listOf parses units into a list. It returns nil if they are not a list.
func listOf(s string, units []unit) *list {
	l := &list{text: s}
	var member []unit
	for i, u := range append(slices.Clip(units), unit{kind: end}) {
		if u.kind == plain {
			member = append(member, u)
			continue
		}
		if len(member) == 0 && (u.kind == conjunction && len(l.members) == 0 || i == len(units)) {
			return nil // "and ovarian cancer", "breast and"
		}
		if len(member) > 0 {
			l.members, member = append(l.members, member), nil
		}
		if u.kind == conjunction {
			l.joined = true
			l.closed = l.closed || u.Len() > 1 || u.Of(s) == "&" || u.Of(s) == "/" && !endsInDesignator.MatchString(units[max(0, i-1)].Of(s)) // 120/80
		}
	}
	if len(l.members) < 2 {
		return nil
	}
	return l
}

// share is what a member takes from others: the first units of the first member, and the last units of the last one.
type share struct{ head, tail int }

// name returns a member with its share.
func (l *list) name(i int, s share) (m Member) {
	first, last := l.members[0], l.members[len(l.members)-1]
	own := slices.Clone(l.members[i])
	if i == 0 {
		s.head = 0
	}
	if i == len(l.members)-1 || s.tail > 0 && l.isWhole(own) {
		s.tail = 0
	}
	if s.head > 0 {
		own[0].joined = first[s.head].joined
	}
	var name []byte
	for _, u := range slices.Concat(first[:s.head], own, last[len(last)-s.tail:]) {
		n := len(m.Pieces) - 1
		if n >= 0 && !u.joined {
			name = append(name, ' ')
		}
		name = append(name, u.Of(l.text)...)
		if n >= 0 && m.Pieces[n].End <= u.Start && strings.TrimSpace(l.text[m.Pieces[n].End:u.Start]) == "" {
			m.Pieces[n].End = u.End
		} else {
			m.Pieces = append(m.Pieces, u.Span)
		}
	}
	m.Text = string(name)
	return m
}

// isWhole reports whether a member ends in the head noun of a name, so that it takes none from the last member.
func (l *list) isWhole(member []unit) bool {
	if l.unspaced {
		return unspacedHead(l.text[member[0].Start:member[len(member)-1].End]) != ""
	}
	return isHead(member[len(member)-1].Of(l.text))
}

// isHead reports whether a word can be the head noun, the last word, of a disease name: one of a few general nouns, or
// a word with a suffix that means a disease.
func isHead(word string) bool {
	word = normalize.CanonicalWord(strings.ToLower(word))
	if english.DiseaseNouns[word] {
		return true
	}
	return slices.ContainsFunc(english.DiseaseSuffixes, func(suffix string) bool {
		return len(word) > len(suffix)+1 && strings.HasSuffix(word, suffix)
	})
}

// confirmed returns the members if one of the ways to share words makes all of them names. It first tries the way
// suggested by the words of the list, then sharing as many of the last words as possible.
func (l *list) confirmed(isName func(string) bool) []Member {
	if !l.joined {
		return l.names(make([]share, len(l.members)), isName)
	}
	for _, cut := range l.cuts() {
		if names := cut.names(cut.shares(), isName); names != nil {
			return names
		}
		first, last := cut.members[0], cut.members[len(cut.members)-1]
		for tail := range slices.Backward(last) {
			for head := range first {
				if names := cut.names(cut.alike(head, tail), isName); names != nil {
					return names
				}
			}
		}
	}
	return nil
}

// alike returns the same share for all members.
func (l *list) alike(head, tail int) []share {
	return slices.Repeat([]share{{head, tail}}, len(l.members))
}

// names returns the members with their shares, or without, if they are distinct names.
func (l *list) names(shares []share, isName func(string) bool) (names []Member) {
	first := l.members[0]
	for i, s := range shares {
		m := l.name(i, s)
		if i > 0 && s.head > 0 && isSmallLetter(l.members[i][0].Of(l.text)) && !isSmallLetter(first[s.head].Of(l.text)) {
			return nil // "hepatitis B and a fever"
		}
		if !isName(m.Text) {
			if m = l.name(i, share{}); l.isCut || !isName(m.Text) {
				return nil
			}
		}
		tokens := normalize.CanonicalTokens(m.Text)
		if slices.ContainsFunc(names, func(other Member) bool { return slices.Equal(tokens, normalize.CanonicalTokens(other.Text)) }) {
			return nil // "hypoerglycemia", where oe becomes e, is the same name as hyperglycemia
		}
		names = append(names, m)
	}
	return names
}

func isSmallLetter(word string) bool { return len(word) == 1 && 'a' <= word[0] && word[0] <= 'z' }

// cuts returns the possible readings of a list: with a word cut in each way if others need a part of it, and finally
// uncut.
//
//	hypo- and hyperglycaemia, Herz- und Nierenversagen    hyper|glycaemia, Nieren|versagen
//	Magengeschwüre und -blutungen                         Magen|geschwüre
//	SCA1, 2 and 3; HSV-1 and 2                            SCA|1, HSV-|1
func (l *list) cuts() (all []*list) {
	n := len(l.members) - 1
	first, last := l.members[0], l.members[n]
	if slices.ContainsFunc(l.members[:n], l.isSuspended) {
		for at, next := range last[0].Of(l.text)[1:] {
			if next != '-' { // which stays with the text before it
				all = append(all, l.cut(n, 0, at+1))
			}
		}
	}
	word := first[len(first)-1].Of(l.text)
	number := len(strings.TrimRight(word, digits))
	isNumbered := 0 < number && number < len(word) && !slices.ContainsFunc(l.members[1:], func(member []unit) bool {
		return strings.Trim(member[0].Of(l.text), digits+"-") != ""
	})
	if isNumbered {
		all = append(all, l.cut(0, len(first)-1, number))
	} else if slices.ContainsFunc(l.members[1:], l.isContinued) {
		for at := range word[1:] {
			all = append(all, l.cut(0, len(first)-1, at+1))
		}
	}
	return append(all, l)
}

const digits = "0123456789"

// isSuspended reports whether a member ends in the beginning of a word: "Herz-", but not CD4-.
func (l *list) isSuspended(member []unit) bool {
	bare, ok := strings.CutSuffix(member[len(member)-1].Of(l.text), "-")
	return ok && len(bare) > 1 && !strings.ContainsFunc(bare, func(r rune) bool { return !unicode.IsLetter(r) })
}

// isContinued reports whether a member begins with the end of a word: "-blutungen".
func (l *list) isContinued(member []unit) bool {
	return len(member[0].Of(l.text)) > 1 && l.text[member[0].Start] == '-'
}

// cut returns the list with a word of a member cut into two pieces, the first of at bytes, and without the hyphens in
// place of the piece that others lack.
func (l *list) cut(member, word, at int) *list {
	c := *l
	c.isCut, c.members = true, slices.Clone(l.members)
	for i, own := range c.members {
		own = slices.Clone(own)
		if i == member {
			place := own[word].Start + at
			rest := unit{Span: text.Span{Start: place, End: own[word].End}, joined: true}
			own[word].End = place
			own = slices.Insert(own, word+1, rest)
		} else if member > 0 && l.isSuspended(own) && l.text[l.members[member][0].Start+at-1] != '-' {
			own[len(own)-1].End--
		} else if member == 0 && l.isContinued(own) {
			own[0].Start++
		}
		c.members[i] = own
	}
	return &c
}
