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

// check reports whether a document with the same identifier occurred before. The reason
// is empty if it had the same text.
func (f duplicateFilter) check(doc *text.Document, line int) (reason string, again bool) {
	hash := maphash.String(f.seed, doc.Text)
	first, again := f.first[doc.ID]
	switch {
	case !again:
		f.first[doc.ID] = firstDocument{line, hash}
		return "", false
	case first.hash == hash:
		f.file.note(line, fmt.Sprintf("document %q is at line %d already and is skipped", doc.ID, first.line))
		return "", true
	}
	return fmt.Sprintf("document %q has another text at line %d", doc.ID, first.line), true
}
