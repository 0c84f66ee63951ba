package kb

import (
	"slices"
	"strings"
)

// Filter selects concepts and names of a dictionary. The zero value keeps everything.
type Filter struct {
	// Types keeps only concepts with at least one of these types.
	Types []string
	// Only keeps only concepts with these identifiers and all their descendants.
	Only []ConceptID
	// Without removes concepts with these identifiers and all their descendants, even those that Only keeps.
	Without []ConceptID
	// StopNames removes these names from all concepts, ignoring case and white space.
	StopNames []string
}

// FilterReport counts what a [Filter] kept, and lists the values of the filter that are not in the dictionary.
type FilterReport struct {
	Concepts int `json:"concepts"` // kept
	Dropped  int `json:"dropped_concepts"`
	Names    int `json:"stopped_names"` // removed from the concepts kept

	UnknownTypes []string    `json:"unknown_types,omitempty"`
	UnknownIDs   []ConceptID `json:"unknown_ids,omitempty"`
	UnknownNames []string    `json:"unknown_stop_names,omitempty"`
}

// Empty reports whether the filter keeps everything.
func (f *Filter) Empty() bool {
	return len(f.Types)+len(f.Only)+len(f.Without)+len(f.StopNames) == 0
}

// Apply returns the dictionary of the concepts and names that the filter keeps. Concepts keep their parents, even
// parents that are removed.
func (f *Filter) Apply(d *Dictionary) (*Dictionary, FilterReport) {
	var report FilterReport
	var only, without []bool
	if len(f.Only)+len(f.Without) > 0 {
		hierarchy := NewHierarchy(d)
		only = report.withDescendants(d, hierarchy, f.Only)
		without = report.withDescendants(d, hierarchy, f.Without)
	}
	types, stop := make(map[string]bool), f.stopKeys() // whether the dictionary has the type or name
	for _, name := range f.Types {
		types[name] = false
	}
	stopped := func(name string) bool {
		_, found := stop[stopKey(name)]
		if found {
			stop[stopKey(name)] = true
			report.Names++
		}
		return found
	}
	kept := new(Builder).AddAll(d, func(c *Concept) bool {
		typed := len(f.Types) == 0
		for _, name := range c.Types {
			if _, wanted := types[name]; wanted {
				types[name], typed = true, true
			}
		}
		at, _ := d.Index(c.ID)
		if !typed || len(f.Only) > 0 && !only[at] || len(f.Without) > 0 && without[at] {
			report.Dropped++
			return false
		}
		if len(stop) > 0 {
			c.Synonyms = slices.DeleteFunc(slices.Clone(c.Synonyms), stopped)
			c.NameHeldOut = c.NameHeldOut || stopped(c.Name)
		}
		report.Concepts++
		return true
	}).Dictionary()
	report.UnknownTypes = slices.DeleteFunc(slices.Clone(f.Types), func(name string) bool { return types[name] })
	report.UnknownNames = slices.DeleteFunc(slices.Clone(f.StopNames), func(name string) bool { return stop[stopKey(name)] })
	return kept, report
}

// StopsName returns a function that reports whether a name is one of StopNames.
func (f *Filter) StopsName() func(name string) bool {
	stop := f.stopKeys()
	return func(name string) bool {
		_, stopped := stop[stopKey(name)]
		return stopped
	}
}

// stopKeys returns the keys of StopNames, with the value false.
func (f *Filter) stopKeys() map[string]bool {
	keys := make(map[string]bool, len(f.StopNames))
	for _, name := range f.StopNames {
		keys[stopKey(name)] = false
	}
	return keys
}

// withDescendants marks the positions of the concepts with these identifiers and of their descendants, and records
// unknown identifiers.
func (r *FilterReport) withDescendants(d *Dictionary, h *Hierarchy, ids []ConceptID) []bool {
	found := make([]bool, d.Len())
	for _, id := range ids {
		if i, ok := d.Find(id); ok {
			h.markBelow(int32(i), found)
		} else {
			r.UnknownIDs = append(r.UnknownIDs, id)
		}
	}
	return found
}

// stopKey returns a name in lower case with single spaces.
func stopKey(name string) string { return strings.ToLower(strings.Join(strings.Fields(name), " ")) }
