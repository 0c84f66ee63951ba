package annotated

import (
	"fmt"

	"ctxnorm"
)

// seen knows the documents that were read.
type seen struct {
	first      map[string]firstDocument // by identifier
	duplicates *int
}

type firstDocument struct {
	line int
	hash uint64 // of its text
}

func newSeen(duplicates *int) seen {
	return seen{first: make(map[string]firstDocument), duplicates: duplicates}
}

// repeated reports whether doc was read before. The reason is empty where it was
// with the same text.
func (s seen) repeated(doc *ctxnorm.Document, line int) (reason string, again bool) {
	hash := ctxnorm.Hash(0, doc.Text)
	first, again := s.first[doc.ID]
	switch {
	case !again:
		s.first[doc.ID] = firstDocument{line, hash}
		return "", false
	case first.hash == hash:
		*s.duplicates++
		return "", true
	}
	return fmt.Sprintf("document %q is there with another text at line %d", doc.ID, first.line), true
}
