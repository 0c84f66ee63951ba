// Package kb holds the concepts to which mentions are linked: their identifiers, names and hierarchy.
//
// To read a [Dictionary] from a file, use package kb/kbfile. To make one of your own concepts, call [NewDictionary]. To
// sample its names, as in experiments with small dictionaries, call [Dictionary.Fraction].
//
// Concepts are ordered by ID. Code that handles many concepts refers to them by their position in this order:
// [Dictionary.At] returns the concept at a position and [Dictionary.Index] the position of an ID. [NewHierarchy]
// returns the broader and narrower concepts of each position.
//
// A Dictionary does not change, so it is safe for concurrent use.
package kb

import "strings"

// ConceptID identifies a concept of the user's dictionary, spelled as in the dictionary: "MESH:D003924", "OMIM:222100",
// "D003924" or a local code. [Dictionary.Find] finds it in other spellings.
type ConceptID string

// Concept is an entry of a dictionary. Package kb/kbfile writes it as a JSON object.
type Concept struct {
	ID       ConceptID   `json:"id"`
	Name     string      `json:"name,omitempty"`     // preferred name, if the dictionary marks one
	Synonyms []string    `json:"synonyms,omitempty"` // other names, in the dictionary's order, without Name
	AltIDs   []ConceptID `json:"alt_ids,omitempty"`  // other identifiers of the same concept
	// identifiers in other vocabularies, according to the dictionary; concepts are not found by them
	Xrefs   []ConceptID `json:"xrefs,omitempty"`
	Parents []ConceptID `json:"parents,omitempty"` // broader concepts, if the dictionary has a hierarchy
	// semantic types or categories, if the dictionary has them: "T047", "Disease"
	Types []string `json:"types,omitempty"`

	// NameHeldOut means that Name is shown, but mentions are not linked by it, because [Dictionary.Fraction] held it out.
	NameHeldOut bool `json:"name_held_out,omitempty"`

	// ShownName is the name to show if the dictionary marks no preferred name, such as the most frequent one in texts.
	// Mentions are not linked by it. It may be empty.
	ShownName string `json:"shown_name,omitempty"`
}

// Names returns the names by which mentions are linked: the preferred name, if there is one and it is not held out,
// followed by the synonyms.
func (c *Concept) Names() []string {
	if c.Name == "" || c.NameHeldOut {
		return c.Synonyms
	}
	names := make([]string, 0, 1+len(c.Synonyms))
	return append(append(names, c.Name), c.Synonyms...)
}

// PreferredName returns the name to show for the concept, which is never empty: Name, or else ShownName, the first
// synonym, or the ID if there are no names. A synonym from an alphabetical index, such as "myocardial infarction,
// susceptibility to, 1, included", is shown only if all synonyms are like that.
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
