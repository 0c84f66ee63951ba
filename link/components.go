package link

import (
	"fmt"
	"slices"
	"strings"
)

// Parts is a set of components of linking, the sources of knowledge about a mention. A
// ranker without some of them shows what they contribute: see [PartRankers].
type Parts uint16

const (
	// PartNames compares the vector of the bare mention with those of names.
	PartNames Parts = 1 << iota
	// PartStrings compares the mention with names as strings.
	PartStrings
	// PartContexts compares the vector of the mention in its sentence with those of
	// contexts.
	PartContexts
	// PartText compares the words of names with the words of the mention's document. It
	// also needs PartNames.
	PartText
	// PartTree uses the broader and narrower concepts of the dictionary. Concepts without
	// a name are found by no other component.
	PartTree
	// PartMined adds the synonyms that were mined from the corpus to the dictionary's
	// names.
	PartMined
	// PartAbbreviations expands abbreviations that the document defines.
	PartAbbreviations
	// PartTable expands abbreviations that only the corpus defines.
	PartTable
	// PartComposites splits composite mentions.
	PartComposites

	componentsEnd
)

// AllParts is the set of all components.
const AllParts = componentsEnd - 1

// componentNames names the components in flags and reports, in their order.
var componentNames = []string{
	"names", "strings", "contexts", "text", "tree", "mined", "abbreviations", "table", "composites",
}

// generating is the set of components that generate candidates. A ranker needs at least
// one of them.
const generating = PartNames | PartStrings | PartContexts | PartTree

// ParseParts returns the set of the named components.
func ParseParts(names []string) (Parts, error) {
	var set Parts
	for _, name := range names {
		i := slices.Index(componentNames, name)
		if i < 0 {
			return 0, fmt.Errorf("component is %q, want one of %s", name, strings.Join(componentNames, ", "))
		}
		set |= 1 << i
	}
	return set, nil
}

// Has reports whether all of the others are in the set.
func (p Parts) Has(others Parts) bool { return p&others == others }

// Each returns the components of the set one by one.
func (p Parts) Each() []Parts {
	var single []Parts
	for one := PartNames; one < componentsEnd; one <<= 1 {
		if p.Has(one) {
			single = append(single, one)
		}
	}
	return single
}

// String returns the names of the components, such as "names,tree".
func (p Parts) String() string {
	var names []string
	for i, name := range componentNames {
		if p.Has(1 << i) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// Generating returns the components of the set that generate candidates.
func (p Parts) Generating() Parts { return p & generating }

// among describes how the set differs from all available components: "" if it has all
// of them, " without tree", or " by names alone" if that is shorter.
func (p Parts) among(all Parts) string {
	missing := all &^ p
	switch {
	case missing == 0:
		return ""
	case len(missing.Each()) <= len((all & p).Each()):
		return " without " + missing.String()
	}
	return " by " + (all & p).String() + " alone"
}

// ComponentsOf returns the components that the model has data for. Names, contexts and
// the document's words need an encoder, and a dictionary may have no hierarchy.
func ComponentsOf(m *Model) Parts {
	set := PartStrings | PartAbbreviations | PartComposites
	if m.Encoder != nil {
		set |= PartNames | PartContexts | PartText
	}
	if HasHierarchy(m.Dictionary) {
		set |= PartTree
	}
	if m.Abbreviations != nil && m.Abbreviations.Len() > 0 {
		set |= PartTable
	}
	if m.Manifest.Index.Mined > 0 {
		set |= PartMined
	}
	return set
}
