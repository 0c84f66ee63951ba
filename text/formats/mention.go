package formats

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// spans finds the mentions of a file in the text of a document.
type spans struct {
	offsets *text.Offsets
	unit    Unit
}

// place is what a file says of a mention's place: offsets, and perhaps the text there.
type place struct {
	ranges [][2]int // start and end of each fragment, in order; one unless the mention is discontinuous
	text   *string  // nil if the file does not state it
}

// at returns the place of a mention of one fragment.
func at(start, end int, stated *string) place { return place{[][2]int{{start, end}}, stated} }

// find returns the span of a mention, from the start of its first fragment to the end of
// its last. A stated text must be that of the span; a note says in what it differs if it was
// normalized. A non-empty reason says why there is no span.
func (s spans) find(p place) (span text.Span, note, reason string) {
	first, last := p.ranges[0], p.ranges[len(p.ranges)-1]
	span, reason = s.inUnit(s.unit, p)
	if reason == "" || s.unit != AutoUnit {
		if reason == "" && p.text != nil {
			if found := s.fragments(s.unit, p); !sameText(found, *p.text) && *p.text != span.Of(s.offsets.Text()) {
				note = fmt.Sprintf("mention at %d-%d: the mention says %q, the text %q; it is taken to be normalized", first[0], last[1], *p.text, found)
			}
		}
		return span, note, reason
	}
	if p.text != nil {
		for _, unit := range []Unit{UTF16, Bytes} {
			if other, no := s.inUnit(unit, p); no == "" && other.Of(s.offsets.Text()) == *p.text {
				return other, fmt.Sprintf("mention at %d-%d: %q is there if offsets count %s", first[0], last[1], *p.text, unitNames[unit]), ""
			}
		}
	}
	return span, "", reason
}

var unitNames = map[Unit]string{UTF16: "UTF-16 code units", Bytes: "bytes"}

// inUnit returns the span of a mention whose offsets are in a unit.
func (s spans) inUnit(unit Unit, p place) (span text.Span, reason string) {
	end := 0
	for i, r := range p.ranges {
		from, okFrom := unit.byteOffset(s.offsets, r[0])
		to, okTo := unit.byteOffset(s.offsets, r[1])
		if !okFrom || !okTo || r[0] >= r[1] || from < end {
			return text.Span{}, fmt.Sprintf("mention at %d-%d: want a range within the %d characters of the text", r[0], r[1], s.offsets.Len())
		}
		if i == 0 {
			span.Start = from
		}
		end = to
	}
	span.End = end
	if p.text == nil {
		return span, ""
	}
	found := s.fragments(unit, p)
	if whole := span.Of(s.offsets.Text()); sameText(found, *p.text) || sameText(whole, *p.text) || sameFolded(found, *p.text) {
		return span, ""
	}
	return span, fmt.Sprintf("mention at %d-%d: the mention says %q, the text %q", p.ranges[0][0], p.ranges[len(p.ranges)-1][1], *p.text, found)
}

// fragments returns the text of a mention's fragments, with spaces between them.
func (s spans) fragments(unit Unit, p place) string {
	parts := make([]string, len(p.ranges))
	for i, r := range p.ranges {
		from, _ := unit.byteOffset(s.offsets, r[0])
		to, _ := unit.byteOffset(s.offsets, r[1])
		parts[i] = s.offsets.Text()[from:to]
	}
	return strings.Join(parts, " ")
}

// sameText reports whether the text of a mention stated in the file matches the text
// found at its offsets. A space in it matches any punctuation mark: the training set of
// the NCBI Disease Corpus has spaces for the quotation marks of one mention.
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

// sameFolded reports whether a stated text is the text found but for the form of its
// characters: case, accents, hyphens, and Greek letters, which PubTator3 writes as
// Latin ones ("TNF-a" for "TNF-α").
func sameFolded(found, stated string) bool {
	f := foldText(found)
	return f != "" && f == foldText(stated)
}

// foldText returns s with its characters folded as [sameFolded] compares them.
func foldText(s string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(s)) {
		switch {
		case unicode.Is(unicode.Mn, r), unicode.Is(unicode.Cf, r):
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		case unicode.Is(unicode.Pd, r), r == '\u2212': // the minus sign
			b.WriteByte('-')
		case unicode.Is(unicode.Greek, r):
			b.WriteString(cmp.Or(greek[r], string(r)))
		default:
			b.WriteRune(r)
		}
	}
	return spelledGreek.Replace(b.String())
}

// greek maps lower-case Greek letters to the Latin letters that PubTator3 writes for them.
var greek = map[rune]string{
	'α': "a", 'β': "b", 'γ': "g", 'δ': "d", 'ε': "e", 'ζ': "z", 'η': "e", 'θ': "t", 'ι': "i", 'κ': "k", 'λ': "l", 'μ': "m",
	'ν': "n", 'ξ': "x", 'ο': "o", 'π': "p", 'ρ': "r", 'σ': "s", 'ς': "s", 'τ': "t", 'υ': "u", 'φ': "p", 'χ': "c", 'ψ': "p", 'ω': "o",
}

// spelledGreek folds the names of the Greek letters that names of genes and proteins have.
var spelledGreek = strings.NewReplacer("alpha", "a", "beta", "b", "gamma", "g", "delta", "d", "epsilon", "e", "kappa", "k", "lambda", "l", "omega", "o", "zeta", "z")

// parseIDs parses the identifiers of an annotation and reports whether the mention is
// composite: the span names all of them together. The separators have these meanings in
// the guidelines and the data of the corpora:
//
//	D001943|D010051   composite: "breast and ovarian cancer" (NCBI Disease, BC5CDR, BioRED)
//	D001943,D010051   composite (BioRED, which also lists the genes of a family this way)
//	D007153+D040181   not composite: one disease described by two concepts, "X-linked
//	                  immunodeficiency disease" (NCBI Disease)
//	672;675           not composite: any of them (PubTator)
//
// "-1" and "-" stand for no concept. A composite mention with a sub-mention that has no
// concept ("D002544|-1") is still composite. If any field has no digit, the whole is one
// identifier and not a list: the variants of tmVar look like "c|DEL|12|A".
func parseIDs(list string) (ids []kb.ConceptID, composite bool) {
	fields := strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune("|,+;", r) })
	for i, field := range fields {
		fields[i] = strings.TrimSpace(field)
		if !strings.ContainsAny(fields[i], "0123456789") && !isNone(fields[i]) {
			fields = []string{strings.TrimSpace(list)}
			break
		}
	}
	for _, field := range fields {
		if field != "" && !isNone(field) {
			ids = append(ids, kb.ConceptID(field))
		}
	}
	return ids, len(fields) > 1 && strings.ContainsAny(list, "|,")
}

// isNone reports whether an identifier stands for no concept.
func isNone(id string) bool { return id == "-" || id == "-1" }
