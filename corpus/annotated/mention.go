package annotated

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ctxnorm"
)

// spanOf is the span of bytes from code point start to end. Where the file
// states the mention's text it must be the text under the span; a reason says
// what is wrong.
func spanOf(o *Offsets, start, end int, stated *string) (span ctxnorm.Span, reason string) {
	from, okFrom := o.Byte(start)
	to, okTo := o.Byte(end)
	if !okFrom || !okTo || start >= end {
		return span, fmt.Sprintf("mention at %d-%d: want a part of the %d characters of the text", start, end, o.Len())
	}
	span = ctxnorm.Span{Start: from, End: to}
	if found := span.Of(o.text); stated != nil && !sameText(found, *stated) {
		return span, fmt.Sprintf("mention at %d-%d: the mention says %q, the text %q", start, end, *stated, found)
	}
	return span, ""
}

// sameText reports whether a mention's stated text is the text found at its
// offsets. A blank in it may stand for a punctuation mark: the training part of
// the NCBI Disease Corpus has quotation marks blanked out in one mention.
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

// sortMentions puts mentions in the order of a document.
func sortMentions(mentions []ctxnorm.Mention) {
	slices.SortStableFunc(mentions, func(a, b ctxnorm.Mention) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
}

// parseIDs takes the identifiers out of an annotation and reports whether the
// span names all of them together. What the signs between them mean, by the
// guidelines and the data of the corpora:
//
//	D001943|D010051   composite: "breast and ovarian cancer" (NCBI Disease, BC5CDR, BioRED)
//	D001943,D010051   composite (BioRED, which also lists the genes of a family so)
//	D007153+D040181   not composite: one disease described by two concepts, "X-linked
//	                  immunodeficiency disease" (NCBI Disease)
//	672;675           not composite: any of them (PubTator)
//
// "-1" and "-" stand for no concept. One part of a composite mention may have
// none ("D002544|-1") and it stays composite. An identifier with a part in which
// there is no digit is not a list: the variants of tmVar look like "c|DEL|12|A".
func parseIDs(text string) (ids []ctxnorm.ConceptID, composite bool) {
	parts := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("|,+;", r) })
	for i, part := range parts {
		parts[i] = strings.TrimSpace(part)
		if !strings.ContainsAny(parts[i], "0123456789") && !isNone(parts[i]) {
			parts = []string{strings.TrimSpace(text)}
			break
		}
	}
	for _, part := range parts {
		if part != "" && !isNone(part) {
			ids = append(ids, ctxnorm.ConceptID(part))
		}
	}
	return ids, len(parts) > 1 && strings.ContainsAny(text, "|,")
}

// isNone reports whether an identifier says that there is none.
func isNone(id string) bool { return id == "-" || id == "-1" }
