package formats

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// spans finds the mentions of a file in the text of a document.
type spans struct {
	text    string
	unit    Unit
	offsets map[Unit]*text.Offsets // of the text, in the units needed so far
}

// place is the position of a mention in a file: its offsets, and its text if the file gives it.
type place struct {
	ranges [][2]int // start and end of each fragment; one unless the mention is discontinuous
	text   *string  // nil if the file does not give it
}

// at returns the place of a mention of one fragment.
func at(start, end int, stated *string) place { return place{[][2]int{{start, end}}, stated} }

// matches reports whether the text in the file matches the text of the fragments, or has an ellipsis between them, as
// bconv writes "Breast [...] Cancers".
func (p place) matches(words string) bool {
	said := *p.text
	return sameText(words, said) || sameWords(words, said) || len(p.ranges) > 1 && sameText(words, ellipses.Replace(said))
}

var ellipses = strings.NewReplacer(" [...] ", " ", " […] ", " ", " ... ", " ", " … ", " ")

// start and end return the first and the last offset.
func (p place) start() int {
	return slices.MinFunc(p.ranges, func(a, b [2]int) int { return cmp.Compare(a[0], b[0]) })[0]
}
func (p place) end() int {
	return slices.MaxFunc(p.ranges, func(a, b [2]int) int { return cmp.Compare(a[1], b[1]) })[1]
}

// found is a mention in the text. Only its span and fragments are set.
type found struct {
	text.Mention
	words string // the text of the fragments, in the order of the file, with spaces between them
}

// find returns the mention at a place. If the file gives a text, it must match the text of the fragments, or the text
// from the start of the first to the end of the last: then they become one. If the text was normalized, the note tells
// how it differs. If there is no mention, find returns the reason.
func (s *spans) find(p place) (m text.Mention, note, reason string) {
	f, reason := s.inUnit(s.unit, p)
	if reason == "" || s.unit != autoUnit {
		if reason == "" && p.text != nil && !p.matches(f.words) && *p.text != f.Span.Of(s.text) {
			note = fmt.Sprintf("mention at %d-%d: the mention says %q, the text %q; it is taken to be normalized",
				p.start(), p.end(), *p.text, f.words)
		}
		return f.Mention, note, reason
	}
	if p.text != nil {
		for _, unit := range []Unit{UTF16, Bytes, onceCRLF} {
			other, no := s.inUnit(unit, p)
			if no == "" && sameWords(other.words, *p.text) { // BRAT writes a mention on two lines like this
				return other.Mention, fmt.Sprintf("mention at %d-%d: %q is there if offsets count %s", p.start(),
					p.end(), *p.text, unitNames[unit]), ""
			}
		}
	}
	return f.Mention, "", reason
}

var unitNames = map[Unit]string{UTF16: "UTF-16 code units", Bytes: "bytes",
	onceCRLF: "a line break of two characters, CR LF, as one"}

// inUnit returns the mention at a place whose offsets are in a unit.
func (s *spans) inUnit(unit Unit, p place) (f found, reason string) {
	content := s.text
	if s.offsets[unit] == nil {
		s.offsets[unit] = unit.offsets(content)
	}
	var fragments []text.Span
	var words []string
	for _, r := range p.ranges {
		fragment, ok := s.offsets[unit].Bytes(text.Span{Start: r[0], End: r[1]})
		if !ok || fragment.Len() == 0 {
			return f, fmt.Sprintf("mention at %d-%d: want a range within the %d characters of the text", r[0], r[1],
				CodePoints.count(content))
		}
		f.Span, words = fragment, append(words, fragment.Of(content))
		fragments = append(fragments, fragment)
	}
	f.words = strings.Join(words, " ")
	if len(fragments) > 1 {
		slices.SortFunc(fragments, func(a, b text.Span) int { return cmp.Compare(a.Start, b.Start) })
		for i := range fragments[1:] {
			if fragments[i+1].Start < fragments[i].End {
				return f, fmt.Sprintf("mention at %d-%d: want fragments that do not overlap", p.start(), p.end())
			}
		}
		f.Span = text.Span{Start: fragments[0].Start, End: fragments[len(fragments)-1].End}
		f.Fragments = joinFragments(content, fragments)
	}
	if p.text == nil || p.matches(f.words) {
		return f, ""
	}
	switch whole := f.Span.Of(content); {
	case sameText(whole, *p.text), sameWords(whole, *p.text):
		f.Fragments = nil
		return f, ""
	case sameText(f.Of(content), *p.text), sameFolded(f.words, *p.text), sameWords(f.Of(content), *p.text):
		return f, ""
	}
	return f, fmt.Sprintf("mention at %d-%d: the mention says %q, the text %q", p.start(), p.end(), *p.text, f.words)
}

// joinFragments joins fragments with only white space between them, such as those of a mention on several lines in
// BRAT. It returns nil if one fragment remains.
func joinFragments(content string, fragments []text.Span) []text.Span {
	joined := fragments[:1]
	for _, f := range fragments[1:] {
		last := &joined[len(joined)-1]
		if strings.TrimSpace(content[last.End:f.Start]) == "" {
			last.End = f.End
			continue
		}
		joined = append(joined, f)
	}
	if len(joined) == 1 {
		return nil
	}
	return joined
}

// sameWords reports whether the text found and the text in the file differ only in the white space between words, which
// BRAT and Label Studio collapse.
func sameWords(found, stated string) bool {
	return strings.TrimSpace(found) == found && slices.Equal(strings.Fields(found), strings.Fields(stated))
}

// sameText reports whether the mention text in the file matches the text found at its offsets. A space in it matches
// any punctuation mark: the training set of the NCBI Disease Corpus has spaces for the quotation marks of one mention.
func sameText(found, stated string) bool {
	if found == stated {
		return true
	}
	for found != "" && stated != "" {
		f, fSize := utf8.DecodeRuneInString(found)
		s, sSize := utf8.DecodeRuneInString(stated)
		if f != s && !(s == ' ' && unicode.IsPunct(f)) {
			return false
		}
		found, stated = found[fSize:], stated[sSize:]
	}
	return found == "" && stated == ""
}

// sameFolded reports whether the text in the file and the text found are equal up to case, accents, hyphens and Greek
// letters, which PubTator3 writes as Latin ones ("TNF-a" for "TNF-α").
func sameFolded(found, stated string) bool {
	f := foldText(found)
	return f != "" && f == foldText(stated)
}

// foldText folds the characters of s as [sameFolded] compares them.
func foldText(s string) string {
	return latinGreek.Replace(strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Mn, r), unicode.Is(unicode.Cf, r):
			return -1
		case unicode.IsSpace(r):
			return ' '
		case unicode.Is(unicode.Pd, r), r == '\u2212': // the minus sign
			return '-'
		}
		return r
	}, norm.NFKD.String(strings.ToLower(s))))
}

// latinGreek folds Greek letters, and their spelled-out names in genes and proteins, to the Latin letters that
// PubTator3 writes.
var latinGreek = strings.NewReplacer("α", "a", "β", "b", "γ", "g", "δ", "d", "ε", "e", "ζ", "z", "η", "e", "θ", "t",
	"ι", "i", "κ", "k", "λ", "l", "μ", "m", "ν", "n", "ξ", "x", "ο", "o", "π", "p", "ρ", "r", "σ", "s", "ς", "s", "τ", "t",
	"υ", "u", "φ", "p", "χ", "c", "ψ", "p", "ω", "o", "alpha", "a", "beta", "b", "gamma", "g", "delta", "d", "epsilon", "e",
	"kappa", "k", "lambda", "l", "omega", "o", "zeta", "z")

// parseIDs parses the identifiers of an annotation and reports whether the mention is composite: the span names all of
// them together. According to the guidelines and data of the corpora, the separators mean:
//
//	D001943|D010051   composite: "breast and ovarian cancer" (NCBI Disease, BC5CDR, BioRED)
//	D001943,D010051   composite (BioRED, which also lists the genes of a family this way)
//	D007153+D040181   not composite: one disease described by two concepts, "X-linked
//	                  immunodeficiency disease" (NCBI Disease)
//	672;675           not composite: any of them (PubTator)
//
// "-1" and "-" stand for NIL. A composite mention with a sub-mention without a concept ("D002544|-1") is still
// composite. If a field between bars has a part without a digit, the field is one identifier and not a list. The
// variants of tmVar ("c|DEL|12|A") are single identifiers, too.
func parseIDs(list string) (ids []kb.ConceptID, composite bool) {
	if strings.Contains(list, "|") && tmVar.MatchString(list) {
		return []kb.ConceptID{kb.ConceptID(strings.TrimSpace(list))}, false
	}
	var fields []string
	for whole := range strings.SplitSeq(list, "|") {
		parts := strings.FieldsFunc(whole, func(r rune) bool { return strings.ContainsRune(",+;", r) })
		for i, part := range parts {
			parts[i] = strings.TrimSpace(part)
			if !strings.ContainsAny(parts[i], "0123456789") && !isNone(parts[i]) {
				parts = []string{strings.TrimSpace(whole)}
				break
			}
		}
		fields = append(fields, parts...)
	}
	for _, field := range fields {
		if field != "" && !isNone(field) {
			ids = append(ids, kb.ConceptID(field))
		}
	}
	return ids, len(fields) > 1 && strings.ContainsAny(list, "|,")
}

// tmVar matches tmVar's notation of a variant: a sequence level (coding DNA, protein) or none, and a kind of change.
var tmVar = regexp.MustCompile(`(^|:)[cgmnpr]?\|[A-Za-z]+[0-9]*\|`)

// isNone reports whether an identifier means NIL.
func isNone(id string) bool { return id == "-" || id == "-1" || id == "CUI-less" }

// Unit is the unit in which a file counts offsets.
type Unit string

// The units of offsets. autoUnit counts code points, and falls back to another unit for a mention whose text is not
// found otherwise.
const (
	autoUnit   Unit = ""
	CodePoints Unit = "codepoints"
	Bytes      Unit = "bytes"
	UTF16      Unit = "utf16"
)

// onceCRLF is the unit of tools that read a text with CR LF line breaks, count code points with LF alone, and write the
// text unchanged. It is only detected, never given as an option.
const onceCRLF Unit = "crlf"

// first returns the length of the first character of s in bytes and in this unit.
func (u Unit) first(s string) (size, count int) {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case u == Bytes:
		return size, size
	case u == UTF16:
		return size, utf16.RuneLen(r)
	case u == onceCRLF && strings.HasPrefix(s, "\r\n"):
		return 2, 1
	}
	return size, 1
}

// offsets returns a [text.Offsets] of s that counts in this unit.
func (u Unit) offsets(s string) *text.Offsets {
	if u == autoUnit || u == CodePoints {
		return text.NewOffsets(s)
	}
	return text.NewOffsetsIn(s, u.first)
}

// count returns the length of s in this unit.
func (u Unit) count(s string) int { return u.offsets(s).Len() }
