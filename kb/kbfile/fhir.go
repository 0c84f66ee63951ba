package kbfile

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
)

// fhirCode is a code of a CodeSystem or ValueSet without its children, or a system in the compose of a ValueSet.
type fhirCode struct {
	System, Code, Display string
	Inactive              bool
	Designations          []struct {
		Language string `json:"language"`
		Value    string `json:"value"`
	}
	Properties []struct {
		Code   string `json:"code"`
		Value  string `json:"valueCode"`
		Text   string `json:"valueString"`
		IsTrue bool   `json:"valueBoolean"`
	}
}

// fhirReader reads the codes of a resource. Codes are unique only within one system.
type fhirReader struct {
	*collector
	*jsonReader
	isSystem bool           // the resource is a CodeSystem, where each concept has a code
	unplaced []kb.ConceptID // codes whose system an enclosing element may name
}

// readFHIR reads a CodeSystem or a ValueSet of FHIR in JSON (https://hl7.org/fhir/codesystem.html). The display is the
// preferred name, and designations are synonyms. Parents are the enclosing concepts and those of the property "parent".
// Inactive concepts are skipped.
func (c *collector) readFHIR(r *bufio.Reader) error {
	s := newJSONReader(r, c)
	codes := func(isSystem bool) error {
		reader := &fhirReader{collector: c, jsonReader: s, isSystem: isSystem}
		if _, err := reader.readCodes(); err != nil {
			return err
		}
		return reader.place(0, "")
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

// readCodes reads and adds the codes of a list and their descendants, one at a time. It returns the codes of the list.
func (r *fhirReader) readCodes() (codes []kb.ConceptID, err error) {
	err = r.eachItem(func() error {
		var from fhirCode
		var below []kb.ConceptID
		first := len(r.unplaced)
		members := map[string]any{"system": &from.System, "code": &from.Code, "display": &from.Display,
			"inactive": &from.Inactive, "designation": &from.Designations, "property": &from.Properties}
		err := r.eachMember(func(key string) (err error) {
			switch v := members[key]; {
			case v != nil:
				return r.decode(v)
			case key == "concept":
				below, err = r.readCodes()
			case key == "contains":
				_, err = r.readCodes()
			default:
				return r.skip()
			}
			return err
		})
		code := kb.ConceptID(strings.TrimSpace(from.Code))
		switch {
		case err != nil:
			return err
		case code != "":
			r.report.Rows++
			codes = append(codes, code)
			for _, child := range below {
				r.addEdge(Edge{child, code})
			}
			r.unplaced = append(r.unplaced, code)
			err = r.addCode(code, &from)
		case r.isSystem:
			r.report.Rows++
			r.report.Counts[rowsWithoutID]++
		}
		if err != nil || from.System == "" {
			return err
		}
		return r.place(first, from.System)
	})
	return codes, err
}

// place sets the system of the unplaced codes from index first on. It returns an error for a code of two code systems.
func (r *fhirReader) place(first int, system string) error {
	for _, code := range r.unplaced[first:] {
		if other, isOther := r.otherScheme(code, system); isOther {
			return fmt.Errorf("want codes of one code system, got %s of %s and of %s", input.Quote(string(code)), other, system)
		}
	}
	r.unplaced = r.unplaced[:first]
	return nil
}

// addCode adds the concept of a code.
func (r *fhirReader) addCode(code kb.ConceptID, from *fhirCode) error {
	t := &term{Concept: kb.Concept{ID: code, Name: from.Display}, obsolete: from.Inactive}
	for _, property := range from.Properties {
		switch {
		case property.Code == "parent":
			t.addValue(roleParents, property.Value)
		case property.Code == "inactive" && property.IsTrue, property.Code == "status" &&
			(property.Value == "retired" || property.Value == "deprecated"):
			t.obsolete = true
		case property.Code == "type" || property.Code == "semanticType" || property.Code == "category":
			t.Types = append(t.Types, property.Value+property.Text)
		}
	}
	for _, d := range from.Designations {
		if !t.obsolete && (d.Language == "" || r.wants(d.Language)) {
			t.Synonyms = append(t.Synonyms, d.Value)
		}
	}
	return r.addTerm(t)
}
