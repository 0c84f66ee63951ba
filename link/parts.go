package link

import (
	"fmt"
	"slices"
	"strings"
)

// Parts is a set of the kinds of knowledge that mentions are linked by. A ranking
// that is made of some of them shows what the others are worth: see [PartRankers].
type Parts uint16

const (
	// PartNames compares the mention's vector with those of names.
	PartNames Parts = 1 << iota
	// PartStrings compares the mention with names as strings.
	PartStrings
	// PartContexts compares the mention in its sentence with contexts.
	PartContexts
	// PartText asks which words a name near the mention has that the mention leaves to
	// its text.
	PartText
	// PartTree looks up and down the dictionary's tree; concepts without a name are
	// found by nothing else.
	PartTree
	// PartMined adds the names that texts give to concepts to those of the dictionary.
	PartMined
	// PartAbbreviations writes out abbreviations that the document defines,
	// PartTable those that only the corpus does.
	PartAbbreviations
	PartTable
	// PartComposites takes composite mentions apart.
	PartComposites

	componentsEnd
)

// AllParts is the whole of what is known.
const AllParts = componentsEnd - 1

// componentNames name the parts in their order.
var componentNames = []string{
	"names", "strings", "contexts", "text", "tree", "mined", "abbreviations", "table", "composites",
}

// generating are the parts that find candidates: without any of them there are none.
const generating = PartNames | PartStrings | PartContexts | PartTree

// featureComponents say which parts a feature takes: it is seen where all of them are.
var featureComponents = [featureCount]Parts{
	nameCosine: PartNames, nameCosineTop3: PartNames,
	lexical: PartStrings, tokenSetMatch: PartStrings,
	contextVote: PartContexts, contextCosine: PartContexts,
	textWords:    PartText | PartNames,
	subtreeScore: PartTree, bestChildScore: PartTree, relativeCosine: PartTree | PartNames, subtreeTermF1: PartTree, noName: PartTree,
}

// ParseParts is the set of parts that are named.
func ParseParts(names []string) (Parts, error) {
	var parts Parts
	for _, name := range names {
		i := slices.Index(componentNames, name)
		if i < 0 {
			return 0, fmt.Errorf("part is %q, want one of %s", name, strings.Join(componentNames, ", "))
		}
		parts |= 1 << i
	}
	return parts, nil
}

// Has reports whether all of the others are in the set.
func (p Parts) Has(others Parts) bool { return p&others == others }

// Each lists the parts of the set one by one.
func (p Parts) Each() []Parts {
	var parts []Parts
	for one := PartNames; one < componentsEnd; one <<= 1 {
		if p.Has(one) {
			parts = append(parts, one)
		}
	}
	return parts
}

// String lists the names of the parts: "names,tree".
func (p Parts) String() string {
	var names []string
	for i, name := range componentNames {
		if p.Has(1 << i) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// Parts are those that the model has anything of: names, contexts and text take an
// encoder, and a dictionary may have no tree.
func (m *Model) Parts() Parts {
	parts := PartStrings | PartAbbreviations | PartComposites
	if m.Encoder != nil {
		parts |= PartNames | PartContexts | PartText
	}
	if m.HasTree() {
		parts |= PartTree
	}
	if m.Abbreviations != nil && m.Abbreviations.Len() > 0 {
		parts |= PartTable
	}
	if m.Manifest.Index.Mined > 0 {
		parts |= PartMined
	}
	return parts
}

// among says how the parts differ from all that there are: " without tree", or " by
// names alone" where that is shorter.
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

// Ablations are the sets of parts that show what each part of the model is worth: all
// without one of them, for each that there is, and then each one alone, as long as
// something is left that finds candidates.
func Ablations(m *Model) []Parts {
	all := m.Parts()
	var rows []Parts
	for _, part := range all.Each() {
		if without := all &^ part; without&generating != 0 {
			rows = append(rows, without)
		}
	}
	return append(rows, (all & generating).Each()...)
}

// mask clears the features that the parts do not see.
func (f *features) mask(parts Parts) {
	for i, needs := range featureComponents {
		if !parts.Has(needs) {
			f[i] = 0
		}
	}
}
