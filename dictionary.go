package ctxnorm

import (
	"fmt"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb/kbfile"
)

// Limits bound the memory that reading a file takes, whatever the file has. A field of 0
// stands for its default.
type Limits = input.Limits

// DictionaryOptions say how a dictionary file is read. The zero value recognizes the
// format by its content.
type DictionaryOptions struct {
	// Format is tsv, csv, ctd, obo, mrconso, biosyn, jsonl or json; recognized by the
	// content where it is empty.
	Format string
	// Parents is a file of (child, parent) rows or MeSH tree numbers, for a dictionary
	// without a hierarchy. Empty: none.
	Parents string
	// IDs is a JSON file of concepts with all their ids. Concepts that the dictionary
	// lists apart are joined, and those that it has no name for are added. Empty: none.
	IDs string
	// Strict stops at the first malformed row instead of skipping it.
	Strict bool
	// Limits bound the memory for a file. The zero value stands for the defaults.
	Limits Limits

	Observer Observer
}

// ReadDictionary reads a dictionary file. Malformed rows are logged as file:line and
// skipped; badRows is their number.
func ReadDictionary(path string, o DictionaryOptions) (dict *Dictionary, badRows int, err error) {
	format, err := kbfile.ParseFormat(o.Format)
	if err != nil {
		return nil, 0, err
	}
	dict, report, err := kbfile.Read(path, kbfile.Options{Format: format, Strict: o.Strict, Limits: o.Limits})
	if err != nil {
		return nil, 0, err
	}
	o.Observer.logf("%s: %s, %d concepts with %d names%s", path, report.Format, report.Concepts, report.Names, skipped(report))
	for _, bad := range report.Errors {
		o.Observer.logf("%v", bad)
	}
	if report.BadRows > len(report.Errors) {
		o.Observer.logf("%s: %d more malformed rows", path, report.BadRows-len(report.Errors))
	}
	if dict.CountNames() == 0 {
		return nil, 0, fmt.Errorf("%s: the dictionary has no names", path)
	}
	if o.IDs != "" {
		concepts, err := kbfile.ReadConceptMap(o.IDs, o.Limits)
		if err != nil {
			return nil, 0, err
		}
		dict = kbfile.WithConceptMap(dict, concepts)
	}
	if o.Parents == "" {
		return dict, report.BadRows, nil
	}
	edges, err := kbfile.ReadParents(o.Parents, o.Limits)
	if err != nil {
		return nil, 0, err
	}
	dict, found := kbfile.WithParents(dict, edges)
	o.Observer.logf("%s: %d of %d parents are in the dictionary; it lacks the child of %d, and the parent of %d (%d different)",
		o.Parents, found.Kept, found.Edges, found.UnknownChild, found.UnknownParent, found.MissingParents)
	return dict, report.BadRows, nil
}

// skipped lists what a dictionary file held besides names.
func skipped(r *kbfile.Report) string {
	var counts []string
	for _, c := range []struct {
		n    int
		what string
	}{{r.AltIDs, "alternative ids"}, {r.DuplicateNames, "repeated names"}, {r.EmptyNames, "empty names"}, {r.BadRows, "malformed rows"}} {
		if c.n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	if counts == nil {
		return ""
	}
	return "; " + strings.Join(counts, ", ")
}
