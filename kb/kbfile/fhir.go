package kbfile

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
)

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
	s := newJSONReader(r, c)
	return s.wrap(s.eachMember(func(key string) error {
		switch key {
		case "resourceType":
			var resource string
			if err := s.decode(&resource); err != nil {
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
func (c *collector) readValueSet(s *jsonReader) error {
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
			keep(c, code)
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
			if err := s.decode(&from); err != nil {
				return err
			}
			return add(&from, "")
		})
	})
}

// readFHIRConcepts reads and adds a list of concepts and those below them. It returns the
// codes of the list.
func (c *collector) readFHIRConcepts(s *jsonReader) ([]kb.ConceptID, error) {
	var codes []kb.ConceptID
	err := s.eachItem(func() error {
		var concept fhirConcept
		var below []kb.ConceptID
		err := s.eachMember(func(key string) (err error) {
			switch key {
			case "code":
				return s.decode(&concept.Code)
			case "display":
				return s.decode(&concept.Display)
			case "designation":
				return s.decode(&concept.Designations)
			case "property":
				return s.decode(&concept.Properties)
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
		keep(c, concept.Code)
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
	return c.addChecked(0, concept)
}
