package corpus

import (
	"fmt"
	"strings"
)

// maxProblems is how many problems of an input file are kept in words.
const maxProblems = 20

// DamagedError says which file of a corpus is not what it should be.
type DamagedError struct {
	File   string
	Reason string
}

func (e *DamagedError) Error() string { return e.File + ": " + e.Reason }

// InputErrors says which input files are broken. The corpus is complete but for
// what could not be read.
type InputErrors struct {
	Files []FileProblems
}

// FileProblems is what is wrong with one input file.
type FileProblems struct {
	Path   string
	Broken int       // places
	First  []Problem // some of them
}

// Error gives one line for each problem: "path: byte offset: reason".
func (e *InputErrors) Error() string {
	var lines []string
	for _, f := range e.Files {
		for _, p := range f.First {
			lines = append(lines, fmt.Sprintf("%s: byte %d: %s", f.Path, p.Offset, p.Reason))
		}
		if more := f.Broken - len(f.First); more > 0 {
			lines = append(lines, fmt.Sprintf("%s: %d more", f.Path, more))
		}
	}
	return strings.Join(lines, "\n")
}

// ConflictError says that corpora cannot be merged exactly: one holds other
// versions of another's records, or deletes them, and so takes sentences out of
// a name's sample whose successors were not kept. A build over all the input
// files gives the corpus.
type ConflictError struct {
	PMIDs int      // with several records, or deleted
	Names []string // that would be short of sentences, in order
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("%d PMIDs have several records or are deleted, and %d names (%q first) would lose sentences that cannot be replaced",
		e.PMIDs, len(e.Names), e.Names[0])
}
