package kbfile

import (
	"bufio"
	"encoding/xml"
	"net/url"
	"regexp"
	"strings"

	"github.com/ctxnorm/ctxnorm/kb"
)

// Namespaces of RDF/XML.
const (
	xmlNS      = "http://www.w3.org/XML/1998/namespace"
	rdfNS      = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	rdfsNS     = "http://www.w3.org/2000/01/rdf-schema#"
	owlNS      = "http://www.w3.org/2002/07/owl#"
	skosNS     = "http://www.w3.org/2004/02/skos/core#"
	oboInOwlNS = "http://www.geneontology.org/formats/oboInOwl#"
	oboNS      = "http://purl.obolibrary.org/obo/"
)

// rdfRole is what a property says of a resource.
type rdfRole int

const (
	rdfType rdfRole = iota + 1
	rdfPreferred
	rdfSynonym
	rdfOtherScope
	rdfAltID
	rdfID
	rdfParent
	rdfChild
	rdfDeprecated
)

var rdfRoles = map[string]rdfRole{
	rdfNS + "type":                   rdfType,
	rdfsNS + "label":                 rdfPreferred,
	skosNS + "prefLabel":             rdfPreferred,
	skosNS + "altLabel":              rdfSynonym,
	skosNS + "hiddenLabel":           rdfSynonym,
	oboInOwlNS + "hasExactSynonym":   rdfSynonym,
	oboInOwlNS + "hasRelatedSynonym": rdfSynonym,
	oboNS + "IAO_0000118":            rdfSynonym,
	oboInOwlNS + "hasNarrowSynonym":  rdfOtherScope,
	oboInOwlNS + "hasBroadSynonym":   rdfOtherScope,
	oboInOwlNS + "hasAlternativeId":  rdfAltID,
	oboInOwlNS + "id":                rdfID,
	skosNS + "notation":              rdfID,
	rdfsNS + "subClassOf":            rdfParent,
	skosNS + "broader":               rdfParent,
	skosNS + "narrower":              rdfChild,
	owlNS + "deprecated":             rdfDeprecated,
}

// rdfConceptTypes are the types of the resources that are concepts.
var rdfConceptTypes = map[string]bool{owlNS + "Class": true, rdfsNS + "Class": true, skosNS + "Concept": true}

// rdfResource collects what a file says of a resource, in any number of elements. It is small, since
// all of them are in memory until the end of the file.
type rdfResource struct {
	iri, name             string
	synonyms              []string
	parents               []kb.ConceptID
	isConcept, deprecated bool
	more                  *rdfMore // nil if there is no more
}

// rdfMore holds the properties that few resources have.
type rdfMore struct {
	ids, altIDs    []kb.ConceptID
	otherScope     int
	otherLanguages []string // of names that are left out, one each
}

// Memory of an rdfResource and its entry in the map, of an rdfMore, and of a value in a list
// besides the string, in bytes.
const (
	rdfResourceSize = 160
	rdfMoreSize     = 80
	rdfValueSize    = 32 // the list is copied as it grows, and the allocator rounds short strings up
)

// rdfReader reads the triples of RDF/XML (https://www.w3.org/TR/rdf-syntax-grammar/), whose
// elements are nodes and properties by turns: <node><property><node/></property></node>.
type rdfReader struct {
	*collector
	decoder   *xml.Decoder
	resources map[string]*rdfResource // by IRI; those of which something is said that is read
	order     []*rdfResource          // as they are first named
	before    int64                   // memory of what was collected before
}

// rdfScope is what the elements around an element say of it.
type rdfScope struct {
	base, language string // xml:base and xml:lang
	depth          int
}

// rdfProperty is a property of a resource: its text, or the IRI of another resource.
type rdfProperty struct {
	name, text, language, object string
}

// readRDF reads the classes of OWL and the concepts of SKOS from RDF/XML.
// The preferred name is rdfs:label or skos:prefLabel; synonyms are skos:altLabel,
// skos:hiddenLabel and the exact and related synonyms of oboInOwl, and parents are the
// named classes of rdfs:subClassOf, skos:broader, or the resource that a concept is skos:narrower of.
// The identifier is oboInOwl:id or skos:notation,
// or else the IRI, whose OBO form is shortened: obo/DOID_9352 is DOID:9352. Deprecated
// resources are left out. Since a file may say what a resource is anywhere, all are kept in memory
// up to its end.
func (c *collector) readRDF(r *bufio.Reader) error {
	reader := &rdfReader{collector: c, resources: make(map[string]*rdfResource), before: c.kept}
	var root rdfScope
	err := c.eachElement(r, func(decoder *xml.Decoder, start xml.StartElement) (bool, error) {
		reader.decoder = decoder
		if start.Name.Space == rdfNS && start.Name.Local == "RDF" {
			root = root.within(start)
			return false, nil
		}
		_, err := reader.node(start, root)
		return true, err
	})
	if err != nil {
		return err
	}
	c.kept, reader.resources = reader.before, nil // the concepts are counted anew
	for i, resource := range reader.order {
		c.addResource(resource)
		reader.order[i] = nil
	}
	return nil
}

// within returns the scope of the content of an element.
func (s rdfScope) within(start xml.StartElement) rdfScope {
	s.depth++
	for _, a := range start.Attr {
		if a.Name.Space == xmlNS && a.Name.Local == "base" {
			s.base = s.resolve(a.Value)
		} else if a.Name.Space == xmlNS && a.Name.Local == "lang" {
			s.language = a.Value
		}
	}
	return s
}

// resolve returns the IRI that a reference stands for.
func (s rdfScope) resolve(reference string) string {
	base, _, _ := strings.Cut(s.base, "#")
	switch {
	case base == "":
		return reference
	case reference == "" || reference[0] == '#':
		return base + reference
	}
	if at := strings.IndexAny(reference, ":/?#"); at >= 0 && reference[at] == ':' { // it has a scheme
		return reference
	}
	from, err := url.Parse(base)
	if err != nil {
		return reference
	}
	to, err := from.Parse(reference)
	if err != nil {
		return reference
	}
	return to.String()
}

// node reads the rest of a node that began with start. It returns its IRI, "" for a blank node.
func (r *rdfReader) node(start xml.StartElement, scope rdfScope) (iri string, err error) {
	scope = scope.within(start)
	for _, a := range start.Attr {
		switch a.Name {
		case xml.Name{Space: rdfNS, Local: "about"}:
			iri = scope.resolve(a.Value)
		case xml.Name{Space: rdfNS, Local: "ID"}:
			iri = scope.resolve("#" + a.Value)
		}
	}
	r.add(iri, rdfProperty{name: rdfNS + "type", object: start.Name.Space + start.Name.Local})
	r.addAttributes(iri, start, scope)
	return iri, r.properties(iri, scope)
}

// properties reads the properties of a node up to its end.
func (r *rdfReader) properties(iri string, scope rdfScope) error {
	if scope.depth > maxDepth {
		return r.tooDeep(line(r.decoder))
	}
	for {
		token, err := r.decoder.Token()
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			if err := r.property(iri, token, scope); err != nil {
				return err
			}
		case xml.EndElement:
			return nil
		}
	}
}

// property reads the rest of a property of a node. A node in it is what it refers to.
func (r *rdfReader) property(iri string, start xml.StartElement, scope rdfScope) error {
	scope = scope.within(start)
	p := rdfProperty{name: start.Name.Space + start.Name.Local, language: scope.language}
	content := ""
	for _, a := range start.Attr {
		switch a.Name {
		case xml.Name{Space: rdfNS, Local: "resource"}:
			p.object = scope.resolve(a.Value)
		case xml.Name{Space: rdfNS, Local: "parseType"}:
			content = a.Value
		case xml.Name{Space: rdfNS, Local: "datatype"}:
			p.language = "" // such a text has none
		}
	}
	r.addAttributes(p.object, start, scope)
	if content == "Resource" { // of a blank node
		return r.properties("", scope)
	}
	isXML := content != "" && content != "Collection"
	var text strings.Builder
	for depth := 0; ; {
		token, err := r.decoder.Token()
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.CharData:
			text.Write(token)
		case xml.StartElement:
			if isXML {
				depth++
				continue
			}
			object, err := r.node(token, scope)
			if err != nil {
				return err
			}
			if content == "" && p.object == "" {
				p.object = object
			}
		case xml.EndElement:
			if depth--; depth < 0 {
				p.text = strings.Join(strings.Fields(text.String()), " ")
				r.add(iri, p)
				return nil
			}
		}
	}
}

// addAttributes adds the properties of a resource that are attributes of an element.
func (r *rdfReader) addAttributes(iri string, start xml.StartElement, scope rdfScope) {
	for _, a := range start.Attr {
		p := rdfProperty{name: a.Name.Space + a.Name.Local, text: strings.Join(strings.Fields(a.Value), " "), language: scope.language}
		if rdfRoles[p.name] == rdfType {
			p = rdfProperty{name: p.name, object: scope.resolve(a.Value)}
		}
		r.add(iri, p)
	}
}

// resource returns what is collected of the resource with an IRI.
func (r *rdfReader) resource(iri string) *rdfResource {
	resource := r.resources[iri]
	if resource == nil {
		resource = &rdfResource{iri: iri}
		r.resources[iri] = resource
		r.order = append(r.order, resource)
		r.charge(rdfResourceSize, iri)
	}
	return resource
}

// add adds a property of the resource with an IRI, which is "" for a blank node.
func (r *rdfReader) add(iri string, p rdfProperty) {
	role := rdfRoles[p.name]
	switch {
	case iri == "" || role == 0 || r.full != nil:
		return
	case role == rdfType && !rdfConceptTypes[p.object], (role == rdfParent || role == rdfChild) && p.object == "":
		return
	case role == rdfChild:
		iri, role, p.object = p.object, rdfParent, iri
	}
	resource := r.resource(iri)
	isName := role == rdfPreferred || role == rdfSynonym
	switch {
	case isName && p.language != "" && !r.selects(p.language):
		more := r.more(resource)
		more.otherLanguages = append(more.otherLanguages, p.language)
		r.charge(rdfValueSize, p.language)
	case role == rdfPreferred && resource.name == "":
		resource.name = p.text
		r.charge(0, p.text)
	case isName:
		resource.synonyms = append(resource.synonyms, p.text)
		r.charge(rdfValueSize, p.text)
	case role == rdfType:
		resource.isConcept = true
	case role == rdfParent:
		parent := shortIRI(p.object)
		resource.parents = append(resource.parents, parent)
		r.charge(rdfValueSize, string(parent))
	case role == rdfAltID:
		more := r.more(resource)
		more.altIDs = append(more.altIDs, kb.ConceptID(p.text))
		r.charge(rdfValueSize, p.text)
	case role == rdfID:
		more := r.more(resource)
		more.ids = append(more.ids, kb.ConceptID(p.text))
		r.charge(rdfValueSize, p.text)
	case role == rdfOtherScope:
		r.more(resource).otherScope++
	case role == rdfDeprecated:
		resource.deprecated = resource.deprecated || p.text == "true" || p.text == "1"
	}
}

// more returns the rest of a resource, to be changed.
func (r *rdfReader) more(resource *rdfResource) *rdfMore {
	if resource.more == nil {
		resource.more = &rdfMore{}
		r.charge(rdfMoreSize)
	}
	return resource.more
}

// addResource adds the concept of a resource, if it is one.
func (c *collector) addResource(resource *rdfResource) {
	if !resource.isConcept {
		return
	}
	c.report.Rows++
	if resource.deprecated {
		c.report.Obsolete++
		return
	}
	iri := shortIRI(resource.iri)
	concept := kb.Concept{ID: iri, Name: resource.name, Synonyms: resource.synonyms, Parents: resource.parents}
	if more := resource.more; more != nil {
		concept.AltIDs = more.altIDs
		if len(more.ids) > 0 && more.ids[0] != "" {
			concept.ID, concept.AltIDs = more.ids[0], append(append(concept.AltIDs, iri), more.ids[1:]...)
		}
		c.report.OtherScope += more.otherScope
		for _, language := range more.otherLanguages {
			c.leaveOut(language)
		}
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
