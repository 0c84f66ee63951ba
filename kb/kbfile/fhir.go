package kbfile

import (
	"bufio"
	"cmp"
	"fmt"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
)

// fhirCode is a code of a CodeSystem or a ValueSet with those below it, or of the compose of a ValueSet a code system
// with its codes.
type fhirCode struct {
	System   string `json:"system"`
	Code     string `json:"code"`
	Display  string `json:"display"`
	Inactive bool   `json:"inactive"`

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
	Concepts []fhirCode `json:"concept"`
	Contains []fhirCode `json:"contains"`
}

// fhirReader reads the codes of a resource. Codes are unique within one system alone.
type fhirReader struct {
	*collector
	systems map[string]string // code -> system
}

// readFHIR reads a CodeSystem or a ValueSet of FHIR in JSON (https://hl7.org/fhir/codesystem.html). The
// display is the preferred name, designations are synonyms; parents are the concepts
// around a concept and those of the property "parent". Inactive concepts are left out.
func (c *collector) readFHIR(r *bufio.Reader) error {
	reader := &fhirReader{c, make(map[string]string)}
	s := newJSONReader(r, c)
	codes := func(isSystem bool) error {
		return s.eachItem(func() error {
			var code fhirCode
			if err := s.decode(&code); err != nil {
				return err
			}
			return reader.add(&code, "", "", isSystem)
		})
	}
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
			return codes(true)
		case "compose", "expansion":
			return s.eachMember(func(key string) error {
				if key != "include" && key != "contains" {
					return s.skip()
				}
				return codes(false)
			})
		}
		return s.skip()
	}))
}

// add adds a code, which is within a system and below another code, and those below it. isSystem says that it is of a
// CodeSystem, each concept of which has a code. A code of two code systems is an error.
func (r *fhirReader) add(from *fhirCode, system string, above kb.ConceptID, isSystem bool) error {
	system = cmp.Or(from.System, system)
	code := strings.TrimSpace(from.Code)
	switch other, known := r.systems[code]; {
	case code == "" && isSystem:
		r.report.Rows++
		r.report.Counts[rowsWithoutID]++
	case code == "":
	case known && other != system:
		return fmt.Errorf("want codes of one code system, got %s of %s and of %s", input.Quote(code), other, system)
	default:
		r.systems[code] = system
		r.report.Rows++
		if above != "" {
			r.addEdge(Edge{kb.ConceptID(code), above})
		}
		if err := r.addCode(kb.ConceptID(code), from); err != nil {
			return err
		}
	}
	for i := range from.Concepts {
		if err := r.add(&from.Concepts[i], system, kb.ConceptID(code), isSystem); err != nil {
			return err
		}
	}
	for i := range from.Contains {
		if err := r.add(&from.Contains[i], system, "", isSystem); err != nil {
			return err
		}
	}
	return nil
}

// addCode adds the concept of a code.
func (r *fhirReader) addCode(code kb.ConceptID, from *fhirCode) error {
	concept := kb.Concept{ID: code, Name: from.Display}
	if from.Inactive {
		r.report.Counts[obsoleteTerms]++
		return nil
	}
	for _, property := range from.Properties {
		switch {
		case property.Code == "parent":
			concept.Parents = append(concept.Parents, kb.ConceptID(property.Value))
		case property.Code == "inactive" && property.IsTrue, property.Code == "status" &&
			(property.Value == "retired" || property.Value == "deprecated"):
			r.report.Counts[obsoleteTerms]++
			return nil
		case property.Code == "type" || property.Code == "semanticType" || property.Code == "category":
			concept.Types = append(concept.Types, property.Value+property.Text)
		}
	}
	for _, d := range from.Designations {
		if d.Language == "" || r.wants(d.Language) {
			concept.Synonyms = append(concept.Synonyms, d.Value)
		}
	}
	return r.addChecked(0, concept)
}
