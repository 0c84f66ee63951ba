package kbfile

import (
	_ "embed" // the properties
	"strings"
)

const (
	rdfNS = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	xmlNS = "http://www.w3.org/XML/1998/namespace"
)

// rdfRole is the role of a property or a class, as in properties.txt.
type rdfRole string

const (
	rdfType            rdfRole = "type"
	rdfPreferred       rdfRole = "preferred"
	rdfSynonym         rdfRole = "synonym"
	rdfOtherScope      rdfRole = "other scope"
	rdfAltID           rdfRole = "alternative id"
	rdfXref            rdfRole = "xref"
	rdfID              rdfRole = "id"
	rdfParent          rdfRole = "parent"
	rdfChild           rdfRole = "child"
	rdfDeprecated      rdfRole = "deprecated"
	rdfReplacedBy      rdfRole = "replaced by"
	rdfTypes           rdfRole = "types"
	rdfStatus          rdfRole = "status"
	rdfPreferredLabel  rdfRole = "preferred label" // SKOS-XL
	rdfLabel           rdfRole = "label"           // SKOS-XL
	rdfLiteralForm     rdfRole = "literal form"    // of a SKOS-XL label
	rdfNoName          rdfRole = "no name"
	rdfConceptClass    rdfRole = "concept class"
	rdfDeprecatedClass rdfRole = "deprecated class" // the class of a deprecated concept, or a parent of them
	rdfObsoleteClass   rdfRole = "obsolete class"
)

//go:embed properties.txt
var propertyList string

// rdfPrefixes maps prefixes to their namespaces, and rdfRoles maps the IRIs of properties and classes to their roles.
var rdfPrefixes, rdfRoles = make(map[string]string), make(map[string]rdfRole)

func init() {
	for line := range strings.Lines(propertyList) {
		role, items, _ := strings.Cut(line, ": ")
		for item := range strings.FieldsSeq(items) {
			if prefix, base, isPrefix := strings.Cut(item, "="); isPrefix {
				rdfPrefixes[prefix] = base
			} else if role[0] != '#' {
				rdfRoles[fullIRI(item)] = rdfRole(role)
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
