package kbfile

import (
	"bufio"
	"encoding/xml"
	"regexp"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/kb"
)

// Namespaces of RDF/XML.
const (
	rdfNS      = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	rdfsNS     = "http://www.w3.org/2000/01/rdf-schema#"
	owlNS      = "http://www.w3.org/2002/07/owl#"
	skosNS     = "http://www.w3.org/2004/02/skos/core#"
	oboInOwlNS = "http://www.geneontology.org/formats/oboInOwl#"
	oboNS      = "http://purl.obolibrary.org/obo/"
)

// rdfProperty is a property of a resource: its text, or the resource that it refers to.
type rdfProperty struct {
	XMLName  xml.Name
	Language string `xml:"http://www.w3.org/XML/1998/namespace lang,attr"`
	Resource string `xml:"http://www.w3.org/1999/02/22-rdf-syntax-ns# resource,attr"`
	Text     string `xml:",chardata"`
}

// rdfResource is a child of rdf:RDF.
type rdfResource struct {
	XMLName    xml.Name
	About      string        `xml:"http://www.w3.org/1999/02/22-rdf-syntax-ns# about,attr"`
	Properties []rdfProperty `xml:",any"`
}

// readRDF reads the classes of OWL and the concepts of SKOS from RDF/XML, one at a time.
// The preferred name is rdfs:label or skos:prefLabel; synonyms are skos:altLabel,
// skos:hiddenLabel and the exact and related synonyms of oboInOwl, and parents are the
// named classes of rdfs:subClassOf, or skos:broader. The identifier is oboInOwl:id or skos:notation,
// or else the IRI, whose OBO form is shortened: obo/DOID_9352 is DOID:9352. Deprecated
// resources are left out.
func (c *collector) readRDF(r *bufio.Reader) error {
	return c.eachElement(r, func(decoder *xml.Decoder, start xml.StartElement) (bool, error) {
		if start.Name.Space == rdfNS && start.Name.Local == "RDF" {
			return false, nil
		}
		var resource rdfResource
		if err := decoder.DecodeElement(&resource, &start); err != nil {
			return true, err
		}
		if resource.About == "" || !resource.isConcept() {
			return true, nil
		}
		c.report.Rows++
		c.addResource(&resource)
		return true, nil
	})
}

// isConcept reports whether a resource is a class or a SKOS concept.
func (r *rdfResource) isConcept() bool {
	isType := func(name xml.Name) bool {
		return name == xml.Name{Space: owlNS, Local: "Class"} || name == xml.Name{Space: skosNS, Local: "Concept"} || name == xml.Name{Space: rdfsNS, Local: "Class"}
	}
	return isType(r.XMLName) || slices.ContainsFunc(r.Properties, func(p rdfProperty) bool {
		at := strings.LastIndexByte(p.Resource, '#') + 1
		return p.XMLName == xml.Name{Space: rdfNS, Local: "type"} && isType(xml.Name{Space: p.Resource[:at], Local: p.Resource[at:]})
	})
}

// addResource adds the concept of a resource.
func (c *collector) addResource(resource *rdfResource) {
	iri := shortIRI(resource.About)
	concept := kb.Concept{ID: iri}
	var ids []kb.ConceptID
	for _, p := range resource.Properties {
		text := strings.Join(strings.Fields(p.Text), " ")
		switch p.XMLName.Space + p.XMLName.Local {
		case rdfsNS + "label", skosNS + "prefLabel":
			switch {
			case p.Language != "" && !c.wants(p.Language):
			case concept.Name == "":
				concept.Name = text
			default:
				concept.Synonyms = append(concept.Synonyms, text)
			}
		case skosNS + "altLabel", skosNS + "hiddenLabel", oboInOwlNS + "hasExactSynonym", oboInOwlNS + "hasRelatedSynonym", oboNS + "IAO_0000118":
			if p.Language == "" || c.wants(p.Language) {
				concept.Synonyms = append(concept.Synonyms, text)
			}
		case oboInOwlNS + "hasNarrowSynonym", oboInOwlNS + "hasBroadSynonym":
			c.report.OtherScope++
		case oboInOwlNS + "hasAlternativeId":
			concept.AltIDs = append(concept.AltIDs, kb.ConceptID(text))
		case oboInOwlNS + "id", skosNS + "notation":
			ids = append(ids, kb.ConceptID(text))
		case rdfsNS + "subClassOf", skosNS + "broader":
			if p.Resource != "" {
				concept.Parents = append(concept.Parents, shortIRI(p.Resource))
			}
		case owlNS + "deprecated":
			if text == "true" || text == "1" {
				c.report.Obsolete++
				return
			}
		}
	}
	if len(ids) > 0 && ids[0] != "" {
		concept.ID, concept.AltIDs = ids[0], append(append(concept.AltIDs, iri), ids[1:]...)
	}
	c.addDecoded(concept)
}

// oboIRI is an identifier of OBO as an IRI.
var oboIRI = regexp.MustCompile(`^http://purl\.obolibrary\.org/obo/([A-Za-z]+)_([A-Za-z0-9]+)$`)

// shortIRI returns the identifier of an IRI: DOID:9352 for one of OBO, or the IRI itself.
func shortIRI(iri string) kb.ConceptID {
	if parts := oboIRI.FindStringSubmatch(iri); parts != nil {
		return kb.ConceptID(parts[1] + ":" + parts[2])
	}
	return kb.ConceptID(iri)
}
