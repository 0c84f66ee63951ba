package kbfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
)

// jsonStream reads a JSON document piece by piece, so that large lists in it are not in
// memory at once.
type jsonStream struct{ *json.Decoder }

func newJSONStream(r io.Reader) jsonStream {
	return jsonStream{json.NewDecoder(transform.NewReader(r, encoding.UTF8Validator))}
}

// eachMember calls member for each key of the object that is next, with the value unread.
func (s jsonStream) eachMember(member func(key string) error) error {
	if err := s.open('{'); err != nil {
		return err
	}
	for s.More() {
		key, err := s.Token()
		if err != nil {
			return err
		}
		if err := member(key.(string)); err != nil {
			return err
		}
	}
	_, err := s.Token()
	return err
}

// eachItem calls item for each item of the list that is next, with the item unread.
func (s jsonStream) eachItem(item func() error) error {
	if err := s.open('['); err != nil {
		return err
	}
	for s.More() {
		if err := item(); err != nil {
			return err
		}
	}
	_, err := s.Token()
	return err
}

// open reads the opening bracket of an object or a list.
func (s jsonStream) open(want json.Delim) error {
	token, err := s.Token()
	if err == nil && token != want {
		err = fmt.Errorf("byte %d: want %q, got %q", s.InputOffset(), want.String(), fmt.Sprint(token))
	}
	return err
}

// skip reads the next value without keeping it.
func (s jsonStream) skip() error {
	depth := 0
	for {
		token, err := s.Token()
		if err != nil {
			return err
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

// wrap words an error of the decoder for the author of the file.
func (s jsonStream) wrap(err error) error {
	var syntax *json.SyntaxError
	var wrongType *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("byte %d: want JSON, got an unfinished value", s.InputOffset())
	case errors.Is(err, encoding.ErrInvalidUTF8):
		return fmt.Errorf("after byte %d: want UTF-8", s.InputOffset())
	case errors.As(err, &syntax), errors.As(err, &wrongType):
		return fmt.Errorf("byte %d: %w", s.InputOffset(), input.JSONError(err))
	}
	return err
}

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
		Properties []struct {
			Pred string `json:"pred"`
			Val  string `json:"val"`
		} `json:"basicPropertyValues"`
	} `json:"meta"`
}

// readOBOGraph reads OBO Graphs in JSON (https://github.com/geneontology/obographs). The
// nodes of type CLASS are concepts; their names, identifiers and parents are those of
// [collector.readOBO].
func (c *collector) readOBOGraph(r io.Reader) error {
	s := newJSONStream(r)
	graph := func(key string) error {
		switch key {
		case "nodes":
			return s.eachItem(func() error {
				var node oboGraphNode
				if err := s.Decode(&node); err != nil {
					return err
				}
				c.addNode(&node)
				return nil
			})
		case "edges":
			return s.eachItem(func() error {
				var edge struct{ Sub, Pred, Obj string }
				if err := s.Decode(&edge); err != nil {
					return err
				}
				if edge.Pred == "is_a" {
					c.edges = append(c.edges, Edge{shortIRI(edge.Sub), shortIRI(edge.Obj)})
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
func (c *collector) addNode(node *oboGraphNode) {
	if node.ID == "" || node.Type != "CLASS" && node.Type != "" {
		return
	}
	c.report.Rows++
	if node.Meta.Deprecated {
		c.report.Obsolete++
		return
	}
	concept := kb.Concept{ID: shortIRI(node.ID), Name: node.Label}
	for _, synonym := range node.Meta.Synonyms {
		switch synonym.Pred {
		case "hasNarrowSynonym", "hasBroadSynonym":
			c.report.OtherScope++
		default:
			concept.Synonyms = append(concept.Synonyms, synonym.Val)
		}
	}
	for _, property := range node.Meta.Properties {
		if strings.HasSuffix(property.Pred, "#hasAlternativeId") {
			concept.AltIDs = append(concept.AltIDs, kb.ConceptID(property.Val))
		}
	}
	c.add(concept)
}

// fhirConcept is a concept of a CodeSystem, with those below it.
type fhirConcept struct {
	Code         string `json:"code"`
	Display      string `json:"display"`
	Designations []struct {
		Language string `json:"language"`
		Value    string `json:"value"`
	} `json:"designation"`
	Properties []struct {
		Code   string `json:"code"`
		Value  string `json:"valueCode"`
		Text   string `json:"valueString"`
		IsTrue bool   `json:"valueBoolean"`
	} `json:"property"`
	Concepts []fhirConcept `json:"concept"`
}

// readFHIR reads a CodeSystem of FHIR in JSON (https://hl7.org/fhir/codesystem.html). The
// display is the preferred name, designations are synonyms; parents are the concepts
// around a concept and those of the property "parent". Inactive concepts are left out.
func (c *collector) readFHIR(r io.Reader) error {
	s := newJSONStream(r)
	return s.wrap(s.eachMember(func(key string) error {
		switch key {
		case "resourceType":
			var resource string
			if err := s.Decode(&resource); err != nil {
				return err
			}
			if resource != "CodeSystem" {
				return fmt.Errorf("the FHIR resource is a %s, want a CodeSystem", resource)
			}
			return nil
		case "concept":
			return s.eachItem(func() error {
				var concept fhirConcept
				if err := s.Decode(&concept); err != nil {
					return err
				}
				c.addFHIR(&concept, "")
				return nil
			})
		}
		return s.skip()
	}))
}

// addFHIR adds a concept and those below it. parent is the code of the concept around it,
// or "".
func (c *collector) addFHIR(from *fhirConcept, parent string) {
	c.report.Rows++
	for i := range from.Concepts {
		c.addFHIR(&from.Concepts[i], from.Code)
	}
	concept := kb.Concept{ID: kb.ConceptID(from.Code), Name: from.Display}
	if parent != "" {
		concept.Parents = append(concept.Parents, kb.ConceptID(parent))
	}
	for _, property := range from.Properties {
		switch {
		case property.Code == "parent":
			concept.Parents = append(concept.Parents, kb.ConceptID(property.Value))
		case property.Code == "inactive" && property.IsTrue, property.Code == "status" && (property.Value == "retired" || property.Value == "deprecated"):
			c.report.Obsolete++
			return
		case property.Code == "type" || property.Code == "semanticType" || property.Code == "category":
			concept.Types = append(concept.Types, property.Value+property.Text)
		}
	}
	for _, d := range from.Designations {
		if d.Language == "" || c.wants(d.Language) {
			concept.Synonyms = append(concept.Synonyms, d.Value)
		}
	}
	if concept.ID == "" {
		c.report.NoID++
		return
	}
	c.add(concept)
}

// scispacyConcept is a line of a knowledge base of scispaCy.
type scispacyConcept struct {
	ID      string   `json:"concept_id"`
	Name    string   `json:"canonical_name"`
	Aliases []string `json:"aliases"`
	Types   []string `json:"types"`
}

// readScispaCy reads the JSON lines of a knowledge base of scispaCy
// (https://github.com/allenai/scispacy, scispacy/linking_utils.py).
func (c *collector) readScispaCy(lines *input.Lines) error {
	return c.eachLine(lines, func(text string, line int) error {
		var concept scispacyConcept
		if err := json.Unmarshal([]byte(text), &concept); err != nil {
			bad := input.JSONError(err)
			return c.badRow(line, bad.Want, bad.Got)
		}
		if concept.ID == "" {
			return c.badRow(line, `an object with a "concept_id"`, input.Quote(text))
		}
		c.add(kb.Concept{ID: kb.ConceptID(concept.ID), Name: concept.Name, Synonyms: concept.Aliases, Types: concept.Types})
		return nil
	})
}
