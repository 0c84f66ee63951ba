package main

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/kb/kbfile"
	"github.com/ctxnorm/ctxnorm/matcher"
)

// dictionaryFlags name the user's dictionary.
type dictionaryFlags struct {
	path    string
	format  string
	parents string
	ids     string
	strict  bool
}

func (d *dictionaryFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&d.path, "dict", "", "dictionary `file` (default: the file called dictionary.* in the current folder)")
	flags.StringVar(&d.format, "dict-format", "", fmt.Sprintf("its format, one of %v (default: by content)", kbfile.Formats()))
	flags.StringVar(&d.parents, "parents", "", "`file` of (child, parent) rows or MeSH tree numbers, where the dictionary has no tree")
	flags.StringVar(&d.ids, "ids", "", "JSON `file` of concepts with all their ids: joins those that the dictionary has apart, and adds those it has no name for")
	flags.BoolVar(&d.strict, "strict", false, "stop at the first bad record")
}

// open reads the dictionary and says what was left out of it.
func (d *dictionaryFlags) open(p *program) (*kb.Dictionary, error) {
	if d.path == "" {
		path, err := kbfile.Find(".")
		if err != nil {
			return nil, withHint(err, "name the dictionary with --dict FILE")
		}
		d.path = path
	}
	format, err := kbfile.ParseFormat(d.format)
	if err != nil {
		return nil, err
	}
	dict, report, err := kbfile.Read(d.path, kbfile.Options{Format: format, Strict: d.strict})
	if err != nil {
		return nil, err
	}
	p.say("%s: %s, %d concepts with %d names%s", d.path, report.Format, report.Concepts, report.Names, leftOut(report))
	for _, bad := range report.Errors {
		p.say("%v", bad)
	}
	if report.BadRows > len(report.Errors) {
		p.say("%s: %d more bad rows", d.path, report.BadRows-len(report.Errors))
	}
	p.badRows += report.BadRows
	if dict.CountNames() == 0 {
		return nil, fmt.Errorf("%s: no names", d.path)
	}
	if d.ids != "" {
		concepts, err := kbfile.ReadConceptMap(d.ids)
		if err != nil {
			return nil, err
		}
		dict = kbfile.WithConceptMap(dict, concepts)
	}
	if d.parents == "" {
		return dict, nil
	}
	edges, err := kbfile.ReadParents(d.parents)
	if err != nil {
		return nil, err
	}
	joined, found := kbfile.WithParents(dict, edges)
	p.say("%s: %d of %d parents are within the dictionary; it lacks the child of %d, and the parent of %d (%d different)",
		d.parents, found.Kept, found.Edges, found.UnknownChild, found.UnknownParent, found.MissingParents)
	return joined, nil
}

// leftOut lists what a dictionary held besides names, where it held any.
func leftOut(r *kbfile.Report) string {
	var parts []string
	for _, part := range []struct {
		count int
		what  string
	}{{r.AltIDs, "alternative ids"}, {r.DuplicateNames, "repeated names"}, {r.EmptyNames, "empty names"}, {r.BadRows, "bad rows"}} {
		if part.count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.count, part.what))
		}
	}
	if parts == nil {
		return ""
	}
	return "; " + strings.Join(parts, ", ")
}

// newTagger makes the tagger of a dictionary and says what it leaves out.
func (p *program) newTagger(d *kb.Dictionary) (*matcher.Tagger, *matcher.FilterReport, error) {
	tagger, cleaned, err := matcher.NewTagger(d, matcher.DefaultNameFilter())
	if err != nil {
		return nil, nil, err
	}
	p.sayCleaning(cleaned)
	return tagger, cleaned, nil
}

// sayCleaning says which names the tagger does not look for, and why.
func (p *program) sayCleaning(r *matcher.FilterReport) {
	p.say("%d of %d names are looked for in text, %d of them in capitals only", r.Kept, r.Names, r.Capitals)
	for _, dropped := range r.Dropped {
		if dropped.Count > 0 {
			p.say("  not looked for: %d, %s: %q", dropped.Count, dropped.Reason, dropped.Examples)
		}
	}
}
