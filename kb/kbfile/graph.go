package kbfile

import (
	"bufio"
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
// memory at once. Each item of a list and each member of an object is a record for the
// limits.
type jsonStream struct {
	*json.Decoder
	c       *collector
	records *input.RecordReader // the source of the decoder
	depth   int                 // number of open objects and lists
}

func newJSONStream(r io.Reader, c *collector) *jsonStream {
	records := input.NewRecordReader(r, "an item of JSON", c.opts.Limits)
	return &jsonStream{Decoder: json.NewDecoder(transform.NewReader(records, encoding.UTF8Validator)), c: c,
		records: records}
}

// Decode decodes the value that is next into v, with the names of members compared exactly.
func (s *jsonStream) Decode(v any) error {
	var raw json.RawMessage
	if err := s.Decoder.Decode(&raw); err != nil {
		return err
	}
	return input.DecodeJSON(raw, v)
}

// eachMember calls member for each key of the object that is next, with the value unread.
func (s *jsonStream) eachMember(member func(key string) error) error {
	return s.each('{', func() error {
		key, err := s.Token()
		if err != nil {
			return err
		}
		return member(key.(string))
	})
}

// eachItem calls item for each item of the list that is next, with the item unread.
func (s *jsonStream) eachItem(item func() error) error { return s.each('[', item) }

// each calls do for each element of the object or list that is next, which opens with the
// bracket.
func (s *jsonStream) each(bracket json.Delim, do func() error) error {
	token, err := s.Token()
	if err == nil && token != bracket {
		err = fmt.Errorf("byte %d: want %q, got %q", s.InputOffset(), bracket.String(), fmt.Sprint(token))
	}
	if err == nil {
		err = s.nest(1)
	}
	if err != nil {
		return err
	}
	for s.More() {
		if err := do(); err != nil {
			return err
		}
		if s.c.full != nil {
			return s.c.full
		}
		s.records.Begin(s.InputOffset())
	}
	if _, err = s.Token(); err != nil {
		return err
	}
	return s.nest(-1)
}

// nest counts brackets that open, or close if n is negative.
func (s *jsonStream) nest(n int) error {
	if s.depth += n; s.depth > maxDepth {
		return fmt.Errorf("byte %d: want lists and objects nested at most %d deep, got more", s.InputOffset(), maxDepth)
	}
	return nil
}

// skip reads the next value without keeping it.
func (s *jsonStream) skip() error {
	outside := s.depth
	for {
		token, err := s.Token()
		if err != nil {
			return err
		}
		s.records.Begin(s.InputOffset())
		switch token {
		case json.Delim('{'), json.Delim('['):
			err = s.nest(1)
		case json.Delim('}'), json.Delim(']'):
			err = s.nest(-1)
		}
		if err != nil || s.depth == outside {
			return err
		}
	}
}

// wrap words an error of the decoder for the author of the file.
func (s *jsonStream) wrap(err error) error {
	var syntax *json.SyntaxError
	var wrongType *json.UnmarshalTypeError
	var member *input.LineError
	switch {
	case isLimit(err):
		return fmt.Errorf("after byte %d: %w", s.InputOffset(), err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("byte %d: want JSON, got an unfinished value", s.InputOffset())
	case errors.Is(err, encoding.ErrInvalidUTF8):
		return fmt.Errorf("after byte %d: want UTF-8", s.InputOffset())
	case errors.As(err, &syntax), errors.As(err, &wrongType):
		return fmt.Errorf("byte %d: %w", s.InputOffset(), input.JSONError(err))
	case errors.As(err, &member):
		return fmt.Errorf("byte %d: %w", s.InputOffset(), member)
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
	s := newJSONStream(r, c)
	graph := func(key string) error {
		switch key {
		case "nodes":
			return s.eachItem(func() error {
				var node oboGraphNode
				if err := s.Decode(&node); err != nil {
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
				if err := s.Decode(&edge); err != nil {
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
		c.report.Obsolete++
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
			c.report.OtherScope++
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
	return c.addChecked(concept)
}

// addChecked adds a concept of a format without lines, unless one of its identifiers is malformed.
func (c *collector) addChecked(concept kb.Concept) error {
	if bad := checkIDs([]kb.ConceptID{concept.ID}, concept.AltIDs, concept.Xrefs, concept.Parents); bad != nil {
		return c.reject(0, bad)
	}
	c.addDecoded(concept)
	return nil
}

// fhirDesignation is a further name.
type fhirDesignation struct {
	Language string `json:"language"`
	Value    string `json:"value"`
}

// fhirConcept is a concept of a CodeSystem, without those below it.
type fhirConcept struct {
	Code         string
	Display      string
	Designations []fhirDesignation
	Inactive     bool
	Properties   []struct {
		Code   string `json:"code"`
		Value  string `json:"valueCode"`
		Text   string `json:"valueString"`
		IsTrue bool   `json:"valueBoolean"`
	}
}

// readFHIR reads a CodeSystem or a ValueSet of FHIR in JSON (https://hl7.org/fhir/codesystem.html). The
// display is the preferred name, designations are synonyms; parents are the concepts
// around a concept and those of the property "parent". Inactive concepts are left out.
func (c *collector) readFHIR(r *bufio.Reader) error {
	s := newJSONStream(r, c)
	return s.wrap(s.eachMember(func(key string) error {
		switch key {
		case "resourceType":
			var resource string
			if err := s.Decode(&resource); err != nil {
				return err
			}
			if resource != "CodeSystem" && resource != "ValueSet" {
				return fmt.Errorf("the FHIR resource is a %s, want a CodeSystem or a ValueSet", resource)
			}
			return nil
		case "concept":
			_, err := c.readFHIRConcepts(s)
			return err
		case "compose", "expansion":
			return c.readValueSet(s)
		}
		return s.skip()
	}))
}

// valueSetCode is a code of a ValueSet with those below it, or of its compose a code system with its codes.
type valueSetCode struct {
	System   string `json:"system"`
	Code     string `json:"code"`
	Display  string `json:"display"`
	Inactive bool   `json:"inactive"`

	Designations []fhirDesignation `json:"designation"`
	Concepts     []valueSetCode    `json:"concept"`
	Contains     []valueSetCode    `json:"contains"`
}

// readValueSet reads the codes that a ValueSet lists in "compose" or "expansion"
// (https://hl7.org/fhir/valueset.html). A code of two code systems is an error, since codes are unique within one alone.
func (c *collector) readValueSet(s *jsonStream) error {
	systems := make(map[string]string) // code -> system
	var add func(from *valueSetCode, system string) error
	add = func(from *valueSetCode, system string) error {
		if from.System != "" {
			system = from.System
		}
		if code := strings.TrimSpace(from.Code); code != "" {
			if other, known := systems[code]; known && other != system {
				return fmt.Errorf("want codes of one code system, got %s of %s and of %s", input.Quote(code), other, system)
			}
			systems[code] = system
			c.charge(mapEntrySize, code)
			c.report.Rows++
			err := c.addFHIR(&fhirConcept{Code: code, Display: from.Display, Designations: from.Designations,
				Inactive: from.Inactive})
			if err != nil {
				return err
			}
		}
		for _, list := range [][]valueSetCode{from.Concepts, from.Contains} {
			for i := range list {
				if err := add(&list[i], system); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return s.eachMember(func(key string) error {
		if key != "include" && key != "contains" {
			return s.skip()
		}
		return s.eachItem(func() error {
			var from valueSetCode
			if err := s.Decode(&from); err != nil {
				return err
			}
			return add(&from, "")
		})
	})
}

// readFHIRConcepts reads and adds a list of concepts and those below them. It returns the
// codes of the list.
func (c *collector) readFHIRConcepts(s *jsonStream) ([]kb.ConceptID, error) {
	var codes []kb.ConceptID
	err := s.eachItem(func() error {
		var concept fhirConcept
		var below []kb.ConceptID
		err := s.eachMember(func(key string) (err error) {
			switch key {
			case "code":
				return s.Decode(&concept.Code)
			case "display":
				return s.Decode(&concept.Display)
			case "designation":
				return s.Decode(&concept.Designations)
			case "property":
				return s.Decode(&concept.Properties)
			case "concept":
				below, err = c.readFHIRConcepts(s)
				return err
			}
			return s.skip()
		})
		if err != nil {
			return err
		}
		c.report.Rows++
		if concept.Code = strings.TrimSpace(concept.Code); concept.Code == "" {
			c.report.NoID++
			return nil
		}
		code := kb.ConceptID(concept.Code)
		for _, child := range below {
			c.edges = append(c.edges, Edge{child, code})
		}
		codes = append(codes, code)
		c.charge(edgeSize, concept.Code)
		return c.addFHIR(&concept)
	})
	return codes, err
}

// addFHIR adds a concept.
func (c *collector) addFHIR(from *fhirConcept) error {
	concept := kb.Concept{ID: kb.ConceptID(from.Code), Name: from.Display}
	if from.Inactive {
		c.report.Obsolete++
		return nil
	}
	for _, property := range from.Properties {
		switch {
		case property.Code == "parent":
			concept.Parents = append(concept.Parents, kb.ConceptID(property.Value))
		case property.Code == "inactive" && property.IsTrue, property.Code == "status" &&
			(property.Value == "retired" || property.Value == "deprecated"):
			c.report.Obsolete++
			return nil
		case property.Code == "type" || property.Code == "semanticType" || property.Code == "category":
			concept.Types = append(concept.Types, property.Value+property.Text)
		}
	}
	for _, d := range from.Designations {
		if d.Language == "" || c.wants(d.Language) {
			concept.Synonyms = append(concept.Synonyms, d.Value)
		}
	}
	return c.addChecked(concept)
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
		if err := input.DecodeJSON([]byte(text), &concept); err != nil {
			return c.reject(line, input.JSONError(err))
		}
		if concept.ID = strings.TrimSpace(concept.ID); concept.ID == "" {
			return c.badRow(line, `an object with a "concept_id"`, input.Quote(text))
		}
		if bad := checkIDs([]kb.ConceptID{kb.ConceptID(concept.ID)}); bad != nil {
			return c.reject(line, bad)
		}
		c.add(kb.Concept{ID: kb.ConceptID(concept.ID), Name: concept.Name, Synonyms: concept.Aliases,
			Types: concept.Types})
		return nil
	})
}
