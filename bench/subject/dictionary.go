package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/kb/kbfile"
	"github.com/ctxnorm/ctxnorm/matcher"
)

// minRunes is the length of the shortest name that both sides look for: peer_tag.py
// leaves shorter ones out.
const minRunes = 3

// makeDictionary writes the names of a dictionary for both sides to read: in lower
// case, of minRunes or more.
func makeDictionary(o *options) ([]line, error) {
	dict, _, err := kbfile.Read(o.From, kbfile.Options{})
	if err != nil {
		return nil, err
	}
	isLong := func(name string) bool { return utf8.RuneCountInString(name) >= minRunes }
	var rows []row
	if o.AnyCase {
		tagger, _, err := matcher.NewTagger(dict, matcher.DefaultNameFilter())
		if err != nil {
			return nil, err
		}
		rows = lowerCaseRows(dict, func(name string) bool { return isLong(name) && isTagged(tagger, name, name) })
		rows = addVariants(rows, func(name, form string) bool { return isLong(form) && isTagged(tagger, name, form) })
	} else {
		rows = lowerCaseRows(dict, isLong)
	}
	switch {
	case o.Names > 0:
		own := len(rows)
		if rows = inflate(rows, qualifiers, o.Names, false); len(rows) < o.Names {
			return nil, fmt.Errorf("%s: --names is %d, want at most %d: there are %d names and %d qualifiers",
				o.From, o.Names, len(rows), own, len(qualifiers))
		}
	case o.Times < 0 || o.Times > len(qualifiers)+1:
		return nil, fmt.Errorf("--times is %d, want 1 to %d", o.Times, len(qualifiers)+1)
	case o.Times > 0:
		rows = inflate(rows, qualifiers[:o.Times-1], math.MaxInt, true)
	}
	if err := artifact.WriteJSONLines(o.Out, rows); err != nil {
		return nil, err
	}
	return []line{{"names": len(rows)}}, nil
}

// row is a name with its concepts, a line of a dictionary: ["asthma", ["D001249"]].
type row [2]any

func newRow(name string, concepts []kb.ConceptID) row { return row{name, concepts} }

// lowerCaseRows returns the distinct names in lower case that are to be kept, sorted.
func lowerCaseRows(dict *kb.Dictionary, keep func(name string) bool) []row {
	concepts := distinctNames(dict)
	var rows []row
	for _, name := range slices.Sorted(maps.Keys(concepts)) {
		if keep(name) {
			rows = append(rows, newRow(name, concepts[name]))
		}
	}
	return rows
}

// distinctNames returns the names of a dictionary in lower case, runs of white space
// replaced by one space, with their concepts.
func distinctNames(dict *kb.Dictionary) map[string][]kb.ConceptID {
	concepts := map[string][]kb.ConceptID{}
	for _, c := range dict.All() {
		for _, name := range c.Names() {
			name = strings.ToLower(strings.Join(strings.Fields(name), " "))
			if !slices.Contains(concepts[name], c.ID) {
				concepts[name] = append(concepts[name], c.ID)
			}
		}
	}
	return concepts
}

// isTagged reports whether the tagger finds a name that stands alone in a form of it.
func isTagged(tagger *matcher.Tagger, name, form string) bool {
	found := tagger.Tag(nil, form)
	return len(found) == 1 && found[0].Name == normalize.Normal(name) &&
		normalize.Normal(found[0].Of(form)) == normalize.Normal(form)
}

// addVariants appends the variants of the names that are to be kept, so that a peer, which knows none, looks for them
// too. A variant that is a name of rows, or of a name before, is left out.
func addVariants(rows []row, keep func(name, form string) bool) []row {
	own := rows
	known := make(map[string]bool, 2*len(own))
	for _, r := range own {
		known[r[0].(string)] = true
	}
	for _, r := range own {
		name := r[0].(string)
		for _, v := range normalize.Variants(normalize.Normal(name)) {
			if !known[v.Form] && keep(name, v.Form) {
				known[v.Form] = true
				rows = append(rows, newRow(v.Form, r[1].([]kb.ConceptID)))
			}
		}
	}
	return rows
}

// qualifiers inflate a dictionary as real ones are large: with many names of the form
// "qualifier, name of something".
var qualifiers = strings.Fields(`acute chronic recurrent congenital familial juvenile senile benign malignant
	primary secondary idiopathic severe mild early late bilateral unilateral diffuse focal hereditary sporadic
	metastatic refractory`)

// inflate appends every name with a qualifier before it, qualifier by qualifier and
// name by name, until there are limit rows. Names that exist already are left out. If
// newConcepts is set, a new name names concepts of its own.
func inflate(rows []row, qualifiers []string, limit int, newConcepts bool) []row {
	own := rows
	exists := make(map[string]bool, 2*len(own))
	for _, r := range own {
		exists[r[0].(string)] = true
	}
	for _, qualifier := range qualifiers {
		for _, r := range own {
			if len(rows) >= limit {
				return rows
			}
			name, concepts := qualifier+" "+r[0].(string), r[1].([]kb.ConceptID)
			if exists[name] {
				continue
			}
			exists[name] = true
			if newConcepts {
				concepts = slices.Clone(concepts)
				for i := range concepts {
					concepts[i] += kb.ConceptID("-" + qualifier)
				}
			}
			rows = append(rows, newRow(name, concepts))
		}
	}
	return rows
}
