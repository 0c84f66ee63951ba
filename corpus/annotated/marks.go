package annotated

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"ctxnorm"
)

// The marks around a mention, as the encoder's tokens are written.
const (
	markStart = "[ENT]"
	markEnd   = "[/ENT]"
)

// parseMarks takes the marks out of a text and makes mentions of what stood
// between them. A blank on the inner side of a mark goes with it, so that
// "a [ENT] tumor [/ENT]." is the text "a tumor." Marks do not nest.
func parseMarks(marked string) (text string, mentions []ctxnorm.Mention, reason string) {
	if !strings.Contains(marked, markStart) && !strings.Contains(marked, markEnd) {
		return marked, nil, ""
	}
	var b strings.Builder
	at := 0 // in marked: what is not yet written to b
	for {
		start := strings.Index(marked[at:], markStart)
		end := strings.Index(marked[at:], markEnd)
		if start < 0 && end < 0 {
			b.WriteString(marked[at:])
			return b.String(), mentions, ""
		}
		if end >= 0 && (start < 0 || end < start) {
			return "", nil, fmt.Sprintf("%s at character %d closes nothing", markEnd, characters(marked, at+end))
		}
		start += at
		inside := start + len(markStart)
		length := strings.Index(marked[inside:], markEnd)
		if length < 0 {
			return "", nil, fmt.Sprintf("%s at character %d is not closed", markStart, characters(marked, start))
		}
		mention := marked[inside : inside+length]
		if nested := strings.Index(mention, markStart); nested >= 0 {
			return "", nil, fmt.Sprintf("%s at character %d is inside another", markStart, characters(marked, inside+nested))
		}
		mention = strings.TrimSuffix(strings.TrimPrefix(mention, " "), " ")
		if strings.TrimSpace(mention) == "" {
			return "", nil, fmt.Sprintf("%s at character %d marks nothing", markStart, characters(marked, start))
		}
		b.WriteString(marked[at:start])
		left := len(mention) - len(strings.TrimLeftFunc(mention, unicode.IsSpace))
		from := b.Len() + left
		mentions = append(mentions, ctxnorm.Mention{Span: ctxnorm.Span{Start: from, End: from + len(strings.TrimSpace(mention))}})
		b.WriteString(mention)
		at = inside + length + len(markEnd)
	}
}

// characters is the place of a byte in a text as a person counts, from 1.
func characters(text string, byteOffset int) int {
	return utf8.RuneCountInString(text[:byteOffset]) + 1
}
