package ctxnorm

import "strings"

// ConceptID names a concept of the user's dictionary, as the dictionary writes
// it: "MESH:D003924", "OMIM:222100", "D003924" or a house code.
type ConceptID string

// Namespace is the part before the first colon, empty where there is none.
func (id ConceptID) Namespace() string {
	namespace, _, found := strings.Cut(string(id), ":")
	if !found {
		return ""
	}
	return namespace
}

// Local is the part after the namespace: "D003924" of "MESH:D003924", and the
// whole identifier where it has no namespace.
func (id ConceptID) Local() string {
	if _, local, found := strings.Cut(string(id), ":"); found {
		return local
	}
	return string(id)
}

// Concept is one entry of a dictionary.
type Concept struct {
	ID       ConceptID
	Name     string      // preferred name; empty for a concept that has none
	Synonyms []string    // other names, in the dictionary's order, without Name
	AltIDs   []ConceptID // other identifiers of the same concept
	Parents  []ConceptID // broader concepts, where the dictionary has a tree
}

// Names lists the preferred name, if there is one, and then the synonyms.
func (c *Concept) Names() []string {
	if c.Name == "" {
		return c.Synonyms
	}
	names := make([]string, 0, 1+len(c.Synonyms))
	return append(append(names, c.Name), c.Synonyms...)
}
