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

// Kinds of changes in a dictionary, in the order in which the changes of a concept are printed.
const (
	changeAdded       = "added"        // a concept
	changeRemoved     = "removed"      // a concept
	changeMerged      = "merged"       // the identifier now belongs to another concept: New
	changeSplit       = "split"        // a new concept whose identifier belonged to another one: Old
	changeNewID       = "new-id"       // another main identifier of the concept, which has both: New
	changeRenamed     = "renamed"      // the preferred name
	changeNameRemoved = "name-removed" // a name: Old
	changeNameAdded   = "name-added"   // a name: New
	changeMoved       = "moved"        // the broader concepts
	changeRetyped     = "retyped"      // the semantic types
)

var changes = []string{changeAdded, changeRemoved, changeMerged, changeSplit, changeNewID, changeRenamed, changeNameRemoved,
	changeNameAdded, changeMoved, changeRetyped}

// dictChange is one difference between two dictionaries.
type dictChange struct {
	Change string            `json:"change"`
	ID     ctxnorm.ConceptID `json:"id"`
	// preferred name in the new version, or in the old one if the concept is gone
	Name string   `json:"name"`
	Old  []string `json:"old,omitempty"` // removed names, identifiers or types
	New  []string `json:"new,omitempty"` // added names, identifiers or types
}

// dictDiff is the output of dict diff.
type dictDiff struct {
	Counts  map[string]int `json:"counts"` // number of changes of each kind
	Changes []dictChange   `json:"changes"`
	Links   []linkChange   `json:"links,omitempty"` // links affected by the changes; from --links
}

func (p *program) dictDiffCommand() *cobra.Command {
	var (
		dict   dictionaryFlags
		links  []string
		asJSON bool
	)
	return p.command(command{
		use:   "diff OLD NEW",
		short: "Print what changed between two versions of a dictionary",
		long: `Prints the differences between two dictionary files as rows of TSV, sorted by identifier:
concepts that were added, removed, merged into another (which now has their identifier)
or split from another; concepts with another main identifier (new-id); changed preferred
names (renamed); removed and added names; changed broader concepts (moved) and types
(retyped). Several values in the columns old and new are separated by bars. If a broader
concept was merged, that is not a move.

With --links it prints the links of documents that the changes affect instead: links to a
concept that was removed, merged or split; links whose phrase is no longer a name of their
concept or has become a name of another; and mentions without a concept whose phrase has
become a name. It reads annotated documents, and JSONL and tables written by link, except
Parquet. The exit code is 0 even if there are differences.`,
		args:  wantArgs(cobra.ExactArgs(2)),
		usual: "links json",
		examples: `ctxnorm dict diff mesh-2025.xml mesh-2026.xml > changes.tsv
ctxnorm dict diff mesh-2025.xml mesh-2026.xml --links linked.jsonl   # links that rest on changes`,
		flags: [][]flag{dict.readFlags(""), dict.filterFlags(), {
			{name: "strict", value: &dict.options.Strict},
			{"links", &links, "in=folder", "linked or annotated `files` or folders, joined by commas: print which links rest on " +
				"what changed"},
			{"json", &asJSON, "", "print the differences and their counts as JSON"},
		}},
		run: func(cmd *cobra.Command, args []string) error {
			var versions [2]*ctxnorm.Dictionary
			for i, path := range args {
				version := dict
				version.paths = []string{path}
				var err error
				if versions[i], err = version.open(cmd.Context(), p); err != nil {
					return err
				}
			}
			diff := diffDictionaries(versions[0], versions[1])
			if diff.Counts[changeRemoved] == versions[0].Len() {
				p.warn(fmt.Sprintf("no concept of %s is in %s", args[0], args[1]),
					"want two versions of one dictionary, with the same identifiers")
			}
			rows, said := diff.rows(), describeCounts(diff.Counts)
			if len(links) > 0 {
				found, err := p.readLinks(links, versions[0], versions[1])
				if err != nil {
					return err
				}
				diff.Links = found.changes
				rows, said = found.rows(), found.String()
			}
			print := func() error { return p.printTSV(rows) }
			if asJSON {
				print = func() error { return p.printJSON(diff) }
			}
			if err := print(); err != nil {
				return err
			}
			if !asJSON || len(links) > 0 {
				p.logf("%s", said)
			}
			return nil
		},
	})
}

// diffDictionaries returns the differences between two versions of a dictionary. It takes linear time except for
// sorting.
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

// addConcept adds the differences of the concept with an identifier that occurs in either dictionary.
func (d *dictDiff) addConcept(id ctxnorm.ConceptID, before, after *ctxnorm.Dictionary) {
	was, is := before.Lookup(id), after.Lookup(id)
	switch {
	case was == nil:
		d.add(changeAdded, is, nil, nil)
	case is == nil:
		d.add(changeRemoved, was, nil, nil)
	case was.ID == is.ID:
		d.compare(was, is, after)
	case isOneConcept(was, is, before, after):
		if id == was.ID {
			d.add(changeNewID, was, nil, []string{string(is.ID)})
			d.compare(was, is, after)
		}
	case is.ID != id:
		d.add(changeMerged, was, nil, []string{string(is.ID)})
	default:
		d.add(changeSplit, is, []string{string(was.ID)}, nil)
	}
}

// isOneConcept reports whether the identifiers of both concepts identify one concept in each version.
func isOneConcept(was, is *kb.Concept, before, after *ctxnorm.Dictionary) bool {
	old, now := before.Lookup(is.ID), after.Lookup(was.ID)
	return old != nil && now != nil && old.ID == was.ID && now.ID == is.ID
}

// compare adds the differences between both versions of a concept.
func (d *dictDiff) compare(was, is *kb.Concept, after *ctxnorm.Dictionary) {
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

func (d *dictDiff) add(change string, concept *kb.Concept, old, now []string) {
	d.Counts[change]++
	d.Changes = append(d.Changes, dictChange{change, concept.ID, concept.PreferredName(), old, now})
}

// addLists adds a change with both complete lists if they differ.
func (d *dictDiff) addLists(change string, concept *kb.Concept, old, now []string) {
	if removed, added := differences(old, now); len(removed)+len(added) > 0 {
		d.add(change, concept, old, now)
	}
}

// newParents returns the identifiers of the broader concepts in a version of the dictionary. A merged concept is
// replaced by the one that it was merged into.
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

// differences returns the elements that only a contains and those that only b contains, each in order.
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

// rows returns the changes as a table to print.
func (d *dictDiff) rows() [][]string {
	rows := [][]string{{"change", "id", "name", "old", "new"}}
	for _, c := range d.Changes {
		rows = append(rows, []string{c.Change, string(c.ID), c.Name, strings.Join(c.Old, "|"), strings.Join(c.New, "|")})
	}
	return rows
}

// describeCounts lists the number of changes of each kind.
func describeCounts(counts map[string]int) string {
	var said []string
	for _, change := range changes {
		if n := counts[change]; n > 0 {
			said = append(said, fmt.Sprintf("%d %s", n, change))
		}
	}
	if said == nil {
		return "no differences"
	}
	return strings.Join(said, ", ")
}
