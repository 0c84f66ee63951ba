package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/kb"
)

// Kinds of changes of a dictionary, in the order in which those of a concept are printed.
const (
	changeAdded       = "added"        // a concept
	changeRemoved     = "removed"      // a concept
	changeMerged      = "merged"       // a concept whose identifier another one has now: New
	changeSplit       = "split"        // a new concept whose identifier another one had: Old
	changeRenamed     = "renamed"      // the preferred name
	changeNameRemoved = "name-removed" // a name: Old
	changeNameAdded   = "name-added"   // a name: New
	changeMoved       = "moved"        // the broader concepts
	changeRetyped     = "retyped"      // the semantic types
)

// dictChange is one difference of two dictionaries.
type dictChange struct {
	Change string            `json:"change"`
	ID     ctxnorm.ConceptID `json:"id"`
	// preferred name: the new one, of a concept that is gone the old one
	Name string   `json:"name"`
	Old  []string `json:"old,omitempty"` // what is no longer so: a name, identifiers or types
	New  []string `json:"new,omitempty"` // what is so now
}

// dictDiff is what dict diff prints.
type dictDiff struct {
	Counts  map[string]int `json:"counts"` // of the changes of each kind
	Changes []dictChange   `json:"changes"`
}

func (p *program) dictDiffCommand() *cobra.Command {
	var (
		flagsOfFiles dictionaryFlags
		asJSON       bool
		exitCode     bool
	)
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Print what changed between two versions of a dictionary",
		Long: `Prints the differences of two dictionary files, one a row of TSV, in the order of identifiers:
concepts that were added, removed, merged into another (their identifier leads to it now)
or split from another; preferred names that changed (renamed); names that were removed
and added; other broader concepts (moved) and types (retyped). The values of a column old
or new are separated by bars. A broader concept that was merged is no move.

The exit code is 0 also if there are differences, and with --exit-code 1.`,
		Args: exactly(2, "dictionary files"),
		RunE: func(_ *cobra.Command, args []string) error {
			var versions [2]*ctxnorm.Dictionary
			for i, path := range args {
				dict := flagsOfFiles
				dict.paths = []string{path}
				var err error
				if versions[i], err = dict.open(p); err != nil {
					return err
				}
			}
			diff := diffDictionaries(versions[0], versions[1])
			if err := p.printDiff(diff, asJSON); err != nil {
				return err
			}
			if exitCode && len(diff.Changes) > 0 {
				return &partialError{fmt.Sprintf("%d differences", len(diff.Changes))}
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flagsOfFiles.registerOptions(flags)
	flagsOfFiles.filter.register(flags)
	flagsOfFiles.registerStrict(flags)
	flags.BoolVar(&asJSON, "json", false, "print the differences and their counts as JSON")
	flags.BoolVar(&exitCode, "exit-code", false, "end with exit code 1 if there are differences")
	return cmd
}

// diffDictionaries returns the differences of two versions of a dictionary, in linear time but for sorting.
func diffDictionaries(before, after *ctxnorm.Dictionary) *dictDiff {
	d := &dictDiff{Counts: make(map[string]int), Changes: []dictChange{}}
	ids := make(map[ctxnorm.ConceptID]bool, after.Len())
	for _, dict := range []*ctxnorm.Dictionary{before, after} {
		for i := range dict.Len() {
			ids[dict.At(i).ID] = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		d.addConcept(id, before, after)
	}
	return d
}

// addConcept adds the differences of the concept with an identifier that one of the dictionaries has.
func (d *dictDiff) addConcept(id ctxnorm.ConceptID, before, after *ctxnorm.Dictionary) {
	was, is := before.Lookup(id), after.Lookup(id)
	switch {
	case was == nil:
		d.add(changeAdded, is, nil, nil)
	case is == nil:
		d.add(changeRemoved, was, nil, nil)
	case is.ID != id:
		d.add(changeMerged, was, nil, []string{string(is.ID)})
	case was.ID != id:
		d.add(changeSplit, is, []string{string(was.ID)}, nil)
	default:
		if was.PreferredName() != is.PreferredName() {
			d.add(changeRenamed, is, []string{was.PreferredName()}, []string{is.PreferredName()})
		}
		removed, added := differences(was.Names(), is.Names())
		for _, name := range removed {
			d.add(changeNameRemoved, is, []string{name}, nil)
		}
		for _, name := range added {
			d.add(changeNameAdded, is, nil, []string{name})
		}
		d.addLists(changeMoved, is, newParents(was, after), newParents(is, after))
		d.addLists(changeRetyped, is, was.Types, is.Types)
	}
}

func (d *dictDiff) add(change string, concept *kb.Concept, old, now []string) {
	d.Counts[change]++
	d.Changes = append(d.Changes, dictChange{change, concept.ID, concept.PreferredName(), old, now})
}

// addLists adds a change of a list, whole, if one was removed or added.
func (d *dictDiff) addLists(change string, concept *kb.Concept, old, now []string) {
	if removed, added := differences(old, now); len(removed)+len(added) > 0 {
		d.add(change, concept, old, now)
	}
}

// newParents returns the identifiers of the broader concepts as a version has them: a concept that was merged is the
// one that it was merged into.
func newParents(concept *kb.Concept, version *ctxnorm.Dictionary) []string {
	var parents []string
	for _, id := range concept.Parents {
		if parent := version.Lookup(id); parent != nil {
			id = parent.ID
		}
		if !slices.Contains(parents, string(id)) && id != concept.ID {
			parents = append(parents, string(id))
		}
	}
	return parents
}

// differences returns what a alone has, and what b alone has, in their orders.
func differences(a, b []string) (onlyA, onlyB []string) {
	without := func(list, other []string) (only []string) {
		has := make(map[string]bool, len(other))
		for _, s := range other {
			has[s] = true
		}
		for _, s := range list {
			if !has[s] {
				only = append(only, s)
			}
		}
		return only
	}
	return without(a, b), without(b, a)
}

func (p *program) printDiff(d *dictDiff, asJSON bool) error {
	if asJSON {
		return p.printJSON(d)
	}
	rows := [][]string{{"change", "id", "name", "old", "new"}}
	for _, c := range d.Changes {
		old, now := strings.Join(c.Old, "|"), strings.Join(c.New, "|")
		rows = append(rows, []string{c.Change, string(c.ID), c.Name, old, now})
	}
	if err := p.printTSV(rows); err != nil {
		return err
	}
	var counts []string
	for _, change := range []string{
		changeAdded, changeRemoved, changeMerged, changeSplit, changeRenamed, changeNameRemoved, changeNameAdded,
		changeMoved, changeRetyped,
	} {
		if n := d.Counts[change]; n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n, change))
		}
	}
	if counts == nil {
		counts = []string{"no differences"}
	}
	p.logf("%s", strings.Join(counts, ", "))
	return nil
}
