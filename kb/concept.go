// Package kb holds the concepts that mentions are linked to: their identifiers, names
// and hierarchy.
//
// To read a [Dictionary] from a file, use package kb/kbfile. To make one of your own
// concepts, call [NewDictionary]. For a random sample of its names, as in
// experiments with small dictionaries, call [Dictionary.Fraction].
//
// Concepts are ordered by ID. A position in this order stands for a concept wherever many
// concepts are handled: [Dictionary.At] returns the concept at a position and
// [Dictionary.Index] the position of an ID. [NewHierarchy] returns the broader and narrower
// concepts of each position.
//
// A Dictionary does not change, so it is safe for concurrent use.
package kb

import "strings"

// ConceptID identifies a concept of the user's dictionary, spelled as in the dictionary: "MESH:D003924", "OMIM:222100",
// "D003924" or a local code. [Dictionary.Find] finds it in other spellings.
type ConceptID string

// Concept is one entry of a dictionary. Package kb/kbfile writes it as an object of JSON.
type Concept struct {
	ID       ConceptID   `json:"id"`
	Name     string      `json:"name,omitempty"`     // preferred name, as the dictionary marks it; empty if it marks none
	Synonyms []string    `json:"synonyms,omitempty"` // other names, in the dictionary's order, without Name
	AltIDs   []ConceptID `json:"alt_ids,omitempty"`  // other identifiers of the same concept
	// identifiers in other vocabularies, as the dictionary states them; no concept is found by them
	Xrefs   []ConceptID `json:"xrefs,omitempty"`
	Parents []ConceptID `json:"parents,omitempty"` // broader concepts, if the dictionary has a hierarchy
	// semantic types or categories, if the dictionary has them: "T047", "Disease"
	Types []string `json:"types,omitempty"`

	// NameHeldOut says that Name is shown but is not one of the names that mentions are
	// linked by: [Dictionary.Fraction] left it out.
	NameHeldOut bool `json:"name_held_out,omitempty"`

	// ShownName is the name to show for a concept whose dictionary marks no preferred name, such as the
	// one that texts write most often. Mentions are not linked by it. Empty if none is chosen.
	ShownName string `json:"shown_name,omitempty"`
}

// Names returns the names that mentions are linked by: the preferred name, if there is
// one and it is not held out, followed by the synonyms.
func (c *Concept) Names() []string {
	if c.Name == "" || c.NameHeldOut {
		return c.Synonyms
	}
	names := make([]string, 0, 1+len(c.Synonyms))
	return append(append(names, c.Name), c.Synonyms...)
}

// PreferredName returns the name to show for the concept, which is never empty: Name, or
// if the dictionary marks no preferred name ShownName, or the first synonym, or the ID of a concept
// without any name. A synonym that is written for an alphabetical index, like "myocardial
// infarction, susceptibility to, 1, included", is shown only if all are.
func (c *Concept) PreferredName() string {
	switch {
	case c.Name != "":
		return c.Name
	case c.ShownName != "":
		return c.ShownName
	case len(c.Synonyms) == 0:
		return string(c.ID)
	}
	for _, name := range c.Synonyms {
		if !strings.Contains(name, ", ") { // not "2,4-dinitrophenol"
			return name
		}
	}
	return c.Synonyms[0]
}
