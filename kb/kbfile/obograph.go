package kbfile

import (
	"bufio"
	"strings"

	"github.com/ctxnorm/ctxnorm/kb"
)

// oboGraphNode is a node of OBO Graphs.
type oboGraphNode struct {
	ID    string `json:"id"`
	Label string `json:"lbl"`
	Type  string `json:"type"`
	Meta  struct {
		Deprecated bool `json:"deprecated"`
		Synonyms   []struct {
			Pred string `json:"pred"`
			Val  string `json:"val"`
		} `json:"synonyms"`
		Xrefs []struct {
			Val string `json:"val"`
		} `json:"xrefs"`
		Properties []struct {
			Pred string `json:"pred"`
			Val  string `json:"val"`
		} `json:"basicPropertyValues"`
	} `json:"meta"`
}

// readOBOGraph reads OBO Graphs in JSON (https://github.com/geneontology/obographs). The
// nodes of type CLASS are concepts; their names, identifiers and parents, and what takes the
// place of those that are deprecated, are those of [collector.readOBO].
func (c *collector) readOBOGraph(r *bufio.Reader) error {
	s := newJSONReader(r, c)
	graph := func(key string) error {
		switch key {
		case "nodes":
			return s.eachItem(func() error {
				var node oboGraphNode
				if err := s.decode(&node); err != nil {
					return err
				}
				return c.addNode(&node)
			})
		case "edges":
			return s.eachItem(func() error {
				var edge struct {
					Sub  string `json:"sub"`
					Pred string `json:"pred"`
					Obj  string `json:"obj"`
				}
				if err := s.decode(&edge); err != nil {
					return err
				}
				if edge.Pred == "is_a" {
					c.addEdge(Edge{shortIRI(edge.Sub), shortIRI(edge.Obj)})
				}
				return nil
			})
		}
		return s.skip()
	}
	return s.wrap(s.eachMember(func(key string) error {
		if key != "graphs" {
			return s.skip()
		}
		return s.eachItem(func() error { return s.eachMember(graph) })
	}))
}

// addNode adds the concept of a node.
func (c *collector) addNode(node *oboGraphNode) error {
	if strings.TrimSpace(node.ID) == "" || node.Type != "CLASS" && node.Type != "" {
		return nil
	}
	c.report.Rows++
	if node.Meta.Deprecated {
		c.report.Counts[obsoleteTerms]++
		for _, property := range node.Meta.Properties {
			if property.Pred == oboNS+"IAO_0100001" {
				c.replace(shortIRI(node.ID), shortIRI(property.Val))
			}
		}
		return nil
	}
	concept := kb.Concept{ID: shortIRI(node.ID), Name: node.Label}
	for _, synonym := range node.Meta.Synonyms {
		switch synonym.Pred {
		case "hasNarrowSynonym", "hasBroadSynonym":
			c.report.Counts[otherNames]++
		default:
			concept.Synonyms = append(concept.Synonyms, synonym.Val)
		}
	}
	for _, xref := range node.Meta.Xrefs {
		concept.Xrefs = append(concept.Xrefs, shortIRI(strings.TrimSpace(xref.Val)))
	}
	for _, property := range node.Meta.Properties {
		if strings.HasSuffix(property.Pred, "#hasAlternativeId") {
			concept.AltIDs = append(concept.AltIDs, kb.ConceptID(property.Val))
		}
	}
	return c.addChecked(0, concept)
}
