package kbfile

import (
	_ "embed" // the properties
	"strings"
)

const (
	rdfNS = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	xmlNS = "http://www.w3.org/XML/1998/namespace"
)

// These are further roles of properties and classes in properties.txt.
const (
	rdfType            role = "type"
	rdfOtherScope      role = "other scope"
	rdfChild           role = "child"
	rdfPreferredLabel  role = "preferred label" // SKOS-XL
	rdfLabel           role = "label"           // SKOS-XL
	rdfLiteralForm     role = "literal form"    // of a SKOS-XL label
	rdfNoName          role = "no name"
	rdfConceptClass    role = "concept class"
	rdfDeprecatedClass role = "deprecated class" // the class of a deprecated concept, or a parent of them
	rdfObsoleteClass   role = "obsolete class"
)

//go:embed properties.txt
var propertyList string

// rdfPrefixes maps prefixes to their namespaces, and rdfRoles maps the IRIs of properties and classes to their roles.
var rdfPrefixes, rdfRoles = make(map[string]string), make(map[string]role)

func init() {
	for line := range strings.Lines(propertyList) {
		has, items, _ := strings.Cut(line, ": ")
		for item := range strings.FieldsSeq(items) {
			if prefix, base, isPrefix := strings.Cut(item, "="); isPrefix {
				rdfPrefixes[prefix] = base
			} else if has[0] != '#' {
				rdfRoles[fullIRI(item)] = role(has)
			}
		}
	}
}

// fullIRI returns the IRI of a property, replacing a known prefix.
func fullIRI(property string) string {
	if prefix, local, _ := strings.Cut(property, ":"); rdfPrefixes[prefix] != "" {
		return rdfPrefixes[prefix] + local
	}
	return property
}

// isObsoleteClass reports whether the subclasses of a class are retired.
func isObsoleteClass(iri string) bool {
	return rdfRoles[iri] == rdfObsoleteClass || rdfRoles[iri] == rdfDeprecatedClass
}
