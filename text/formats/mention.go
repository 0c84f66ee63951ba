package formats

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// spanOf returns the span of bytes from code point start to code point end. If stated
// is not nil, it is the mention's text in the file and must match the text of the span.
// A non-empty reason says what is wrong.
func spanOf(o *text.Offsets, start, end int, stated *string) (span text.Span, reason string) {
	from, okFrom := o.Byte(start)
	to, okTo := o.Byte(end)
	if !okFrom || !okTo || start >= end {
		return span, fmt.Sprintf("mention at %d-%d: want a range within the %d characters of the text", start, end, o.Len())
	}
	span = text.Span{Start: from, End: to}
	if found := span.Of(o.Text()); stated != nil && !sameText(found, *stated) {
		return span, fmt.Sprintf("mention at %d-%d: the mention says %q, the text %q", start, end, *stated, found)
	}
	return span, ""
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

// sortMentions sorts mentions by start, then end, as a document requires.
func sortMentions(mentions []text.Mention) {
	slices.SortStableFunc(mentions, func(a, b text.Mention) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
}

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
