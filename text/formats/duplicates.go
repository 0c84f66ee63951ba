package formats

import (
	"fmt"
	"hash/maphash"

	"github.com/ctxnorm/ctxnorm/text"
)

// duplicateFilter finds documents that occur more than once in a file.
type duplicateFilter struct {
	file  *file
	first map[string]firstDocument // by identifier
	seed  maphash.Seed
}

type firstDocument struct {
	line int
	hash uint64 // of the text
}

func newDuplicateFilter(f *file) duplicateFilter {
	return duplicateFilter{file: f, first: make(map[string]firstDocument), seed: maphash.MakeSeed()}
}

// isNew reports whether no document before had the same identifier. It notes one with the same text, and fails one with
// another.
func (f duplicateFilter) isNew(doc *text.Document, line int) bool {
	hash := maphash.String(f.seed, doc.Text)
	first, again := f.first[doc.ID]
	switch {
	case !again:
		f.first[doc.ID] = firstDocument{line, hash}
	case first.hash == hash:
		f.file.note(line, fmt.Sprintf("document %q is at line %d already and is skipped", doc.ID, first.line))
	default:
		f.file.fail(line, fmt.Sprintf("document %q has another text at line %d", doc.ID, first.line))
	}
	return !again
}
