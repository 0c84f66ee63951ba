package main

import (
	"errors"
	"maps"
	"slices"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/kb"
)

// filterFlags select concepts and names of a dictionary.
type filterFlags struct {
	types, only, without []string
	stopNames            string
}

func (f *filterFlags) register(flags *pflag.FlagSet) {
	flags.StringSliceVar(&f.types, "types", nil, "keep only concepts with one of these semantic `types`, such as "+
		"T047,T191")
	flags.StringSliceVar(&f.only, "only-ids", nil, "keep only the concepts with these `ids` and those below them")
	flags.StringSliceVar(&f.without, "without-ids", nil, "leave out the concepts with these `ids` and those below them")
	flags.StringVar(&f.stopNames, "stop-names", "",
		"`file` of names to leave out of the dictionary, one a line, in any case")
}

// filter returns the filter that the flags describe.
func (f *filterFlags) filter(p *program) (kb.Filter, error) {
	filter := kb.Filter{Types: f.types, Only: conceptIDs(f.only), Without: conceptIDs(f.without)}
	if f.stopNames != "" {
		names, err := p.readLines(f.stopNames)
		if err != nil {
			return filter, err
		}
		filter.StopNames = slices.Sorted(maps.Keys(names))
	}
	return filter, nil
}

// apply returns the dictionary that the flags leave, and logs what they left out and what
// they name in vain.
func (f *filterFlags) apply(p *program, dict *ctxnorm.Dictionary) (*ctxnorm.Dictionary, error) {
	filter, err := f.filter(p)
	if filter.Empty() || err != nil {
		return dict, err
	}
	filtered, report := filter.Apply(dict)
	return filtered, p.logFilter(&report, filtered)
}

// applyToModel returns the model that the flags leave, and logs what they left out and what they
// name in vain.
func (f *filterFlags) applyToModel(p *program, m *ctxnorm.Model) (*ctxnorm.Model, error) {
	filter, err := f.filter(p)
	if filter.Empty() || err != nil {
		return m, err
	}
	filtered, report, err := m.Filter(filter)
	if err != nil {
		return nil, err
	}
	return filtered, p.logFilter(&report, filtered.Dictionary())
}

// logFilter logs what a filter left out of a dictionary and what it names in vain. It is an
// error if it left no name.
func (p *program) logFilter(report *kb.FilterReport, filtered *ctxnorm.Dictionary) error {
	p.logf("filters leave %d of %s, without %s of --stop-names", report.Concepts,
		english.Plural(report.Concepts+report.Dropped, "concept", ""), english.Plural(report.Names, "name", ""))
	if len(report.UnknownTypes) > 0 {
		p.warnf("--types: the dictionary has no concept of type %q", report.UnknownTypes)
	}
	if len(report.UnknownIDs) > 0 {
		p.warnf("--only-ids, --without-ids: the dictionary has no %q", report.UnknownIDs)
	}
	if len(report.UnknownNames) > 0 {
		p.warnf("--stop-names: %s not in the dictionary: %q",
			english.Plural(len(report.UnknownNames), "name", ""), report.UnknownNames[:min(len(report.UnknownNames), 5)])
	}
	if filtered.CountNames() == 0 {
		return errors.New("the filters leave no name of the dictionary")
	}
	return nil
}

func conceptIDs(ids []string) []ctxnorm.ConceptID {
	converted := make([]ctxnorm.ConceptID, len(ids))
	for i, id := range ids {
		converted[i] = ctxnorm.ConceptID(id)
	}
	return converted
}
