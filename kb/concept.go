package kb

import "strings"

// ConceptID identifies a concept of the user's dictionary, spelled as in the
// dictionary: "MESH:D003924", "OMIM:222100", "D003924" or a local code.
type ConceptID string

// Namespace returns the part before the first colon, or "" if there is no colon.
func (id ConceptID) Namespace() string {
	namespace, _, found := strings.Cut(string(id), ":")
	if !found {
		return ""
	}
	return namespace
}

// Local returns the part after the namespace, "D003924" of "MESH:D003924", or
// the whole identifier if it has no namespace.
func (id ConceptID) Local() string {
	if _, local, found := strings.Cut(string(id), ":"); found {
		return local
	}
	return string(id)
}

// Concept is one entry of a dictionary.
type Concept struct {
	ID       ConceptID
	Name     string      // preferred name; empty if the concept has none
	Synonyms []string    // other names, in the dictionary's order, without Name
	AltIDs   []ConceptID // other identifiers of the same concept
	Parents  []ConceptID // broader concepts, if the dictionary has a hierarchy
}

// Names returns the preferred name, if there is one, followed by the synonyms.
func (c *Concept) Names() []string {
	if c.Name == "" {
		return c.Synonyms
	}
	names := make([]string, 0, 1+len(c.Synonyms))
	return append(append(names, c.Name), c.Synonyms...)
}
