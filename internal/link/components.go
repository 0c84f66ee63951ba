package link

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/model"
)

// Components is a set of linking components, the sources of knowledge about a mention. A ranker without some of them
// shows how much they contribute: see Ablation of package link/calibrate.
type Components uint16

const (
	// ComponentNames compares the vector of the bare mention with the vectors of names.
	ComponentNames Components = 1 << iota
	// ComponentStrings compares the mention with names as strings.
	ComponentStrings
	// ComponentContexts compares the vector of the mention in its sentence with the vectors of contexts.
	ComponentContexts
	// ComponentDocumentContext compares the words of names with the words of the mention's document. It has no effect
	// without [ComponentNames].
	ComponentDocumentContext
	// ComponentHierarchy uses the broader and narrower concepts of the dictionary. Only it finds concepts without a name.
	ComponentHierarchy
	// ComponentCorpusSynonyms adds the synonyms mined from the corpus to the dictionary's names.
	ComponentCorpusSynonyms
	// ComponentDocumentAbbreviations expands abbreviations that the document defines.
	ComponentDocumentAbbreviations
	// ComponentCorpusAbbreviations expands abbreviations that only the corpus defines.
	ComponentCorpusAbbreviations
	// ComponentComposites splits composite mentions.
	ComponentComposites

	componentsEnd
)

// AllComponents is the set of all components.
const AllComponents = componentsEnd - 1

// componentNames lists the names of the components in flags and reports, in the order of the constants.
var componentNames = []string{
	"names", "strings", "contexts", "document_context", "hierarchy", "corpus_synonyms", "document_abbreviations",
	"corpus_abbreviations",
	"composites",
}

// generating is the set of components that generate candidates. A ranker needs at least one of them.
const generating = ComponentNames | ComponentStrings | ComponentContexts | ComponentHierarchy

// ParseComponents returns the set of the named components.
func ParseComponents(names []string) (Components, error) {
	var set Components
	for _, name := range names {
		i := slices.Index(componentNames, name)
		if i < 0 {
			return 0, fmt.Errorf("component is %q, want one of %s", name, strings.Join(componentNames, ", "))
		}
		set |= 1 << i
	}
	return set, nil
}

// Has reports whether the set contains all of others.
func (p Components) Has(others Components) bool { return p&others == others }

// Each returns the components of the set one by one.
func (p Components) Each() []Components {
	var single []Components
	for one := ComponentNames; one < componentsEnd; one <<= 1 {
		if p.Has(one) {
			single = append(single, one)
		}
	}
	return single
}

// String returns the names of the components, such as "names,hierarchy".
func (p Components) String() string {
	var names []string
	for i, name := range componentNames {
		if p.Has(1 << i) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// Generating returns the components of the set that generate candidates.
func (p Components) Generating() Components { return p & generating }

// among describes how the set differs from all available components: "" if it has all of them, " without hierarchy", or
// " by names alone" if that is shorter.
func (p Components) among(all Components) string {
	missing := all &^ p
	switch {
	case missing == 0:
		return ""
	case len(missing.Each()) <= len((all & p).Each()):
		return " without " + missing.String()
	}
	return " by " + (all & p).String() + " alone"
}

// ComponentsOf returns the components for which the model has data. Names, contexts and the document's words need an
// encoder, and a dictionary may have no hierarchy.
func ComponentsOf(m *model.Model) Components {
	set := ComponentStrings | ComponentDocumentAbbreviations | ComponentComposites
	if m.Vectors != nil {
		set |= ComponentNames | ComponentContexts | ComponentDocumentContext
	}
	if m.HasHierarchy() {
		set |= ComponentHierarchy
	}
	if len(m.Abbreviations) > 0 {
		set |= ComponentCorpusAbbreviations
	}
	if m.Manifest.Index.Mined > 0 {
		set |= ComponentCorpusSynonyms
	}
	return set
}
