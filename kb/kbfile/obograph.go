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
		Deprecated bool            `json:"deprecated"`
		Synonyms   []oboGraphValue `json:"synonyms"`
		Xrefs      []oboGraphValue `json:"xrefs"`
		Properties []oboGraphValue `json:"basicPropertyValues"`
	} `json:"meta"`
}

type oboGraphValue struct {
	Pred string `json:"pred"`
	Val  string `json:"val"`
}

// readOBOGraph reads OBO Graphs in JSON (https://github.com/geneontology/obographs). Nodes of type CLASS are concepts;
// their names, identifiers, parents and replacements are read like those of OBO (see [collector.readOBO]).
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
	t := &term{Concept: kb.Concept{ID: shortIRI(node.ID), Name: node.Label}, obsolete: node.Meta.Deprecated}
	for _, synonym := range node.Meta.Synonyms {
		switch {
		case synonym.Pred != "hasNarrowSynonym" && synonym.Pred != "hasBroadSynonym":
			t.Synonyms = append(t.Synonyms, synonym.Val)
		case !t.obsolete:
			c.report.Counts[otherNames]++
		}
	}
	for _, xref := range node.Meta.Xrefs {
		t.Xrefs = append(t.Xrefs, shortIRI(strings.TrimSpace(xref.Val)))
	}
	for _, property := range node.Meta.Properties {
		t.addProperty(property.Pred, strings.TrimSpace(property.Val))
	}
	return c.addTerm(t)
}
