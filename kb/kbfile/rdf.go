package kbfile

import (
	"bufio"
	"cmp"
	"encoding/xml"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/kb"
)

// rdfResource collects the properties of a resource, which may be spread over several elements.
type rdfResource struct {
	iri                   string
	values                []rdfValue // values to keep until the end of the file
	isConcept, deprecated bool
	otherScope            int
	otherLanguages        []string // one for each name that is skipped
}

// rdfValue is a value of a property: a text, an identifier or the IRI of a label.
type rdfValue struct {
	role  role
	value string
}

// all returns the values with a role.
func (r *rdfResource) all(role role) (values []kb.ConceptID) {
	for _, v := range r.values {
		if v.role == role {
			values = append(values, kb.ConceptID(v.value))
		}
	}
	return values
}

// rdfReader reads the triples of RDF/XML (https://www.w3.org/TR/rdf-syntax-grammar/), in which node and property
// elements alternate: <node><property><node/></property></node>.
type rdfReader struct {
	*collector
	decoder   *xml.Decoder
	resources map[string]*rdfResource // by IRI; only those with a property that is used
	order     []*rdfResource          // in order of first occurrence
	others    map[string]int          // properties with texts that are ignored
	blanks    int                     // number of blank nodes named by nameBlank
}

// rdfScope holds the attributes that an element inherits.
type rdfScope struct {
	base, language string // xml:base and xml:lang
	depth          int
}

// rdfProperty is a property of a resource with its value: a text, or the IRI of another resource.
type rdfProperty struct {
	name, text, language, object string
}

// readRDF reads the classes of OWL and the concepts of SKOS from RDF/XML. The preferred name is rdfs:label or
// skos:prefLabel. Synonyms are skos:altLabel, skos:hiddenLabel, their SKOS-XL counterparts, the exact and related
// synonyms of oboInOwl and those of NCI Thesaurus, EFO and schema.org. Parents are the named classes of
// rdfs:subClassOf, skos:broader, or the resource that has the concept as skos:narrower. The identifier is oboInOwl:id,
// skos:notation or the code of NCI Thesaurus, if no other concept has it (a notation is unique within one scheme at
// most, SKOS Reference, section 6.5.1), or else the IRI, whose OBO form is shortened: obo/DOID_9352 is DOID:9352.
// Deprecated resources and those below an obsolete class are skipped, and lead to their replacements. Other properties
// of concepts with texts are counted. Because properties of a resource may occur anywhere, all resources are kept in
// memory until the end.
func (c *collector) readRDF(r *bufio.Reader) error {
	reader := &rdfReader{collector: c, resources: make(map[string]*rdfResource), others: make(map[string]int)}
	var root rdfScope
	err := c.eachElement(r, func(decoder *xml.Decoder, start xml.StartElement) (bool, error) {
		reader.decoder = decoder
		if start.Name.Space == rdfNS && start.Name.Local == "RDF" {
			root = root.within(start)
			return false, nil
		}
		_, err := reader.node(start, root, false)
		return true, err
	})
	if err != nil {
		return err
	}
	if len(reader.others) > 0 {
		c.note("properties with texts that are not read: %s", counts(reader.others))
	}
	retired := reader.retired()
	shared := reader.sharedIDs(retired)
	isConcept := func(_ string, resource *rdfResource) bool { return resource.isConcept }
	maps.DeleteFunc(reader.resources, isConcept) // labels remain
	for i, resource := range reader.order {
		if err := reader.addResource(resource, retired[resource], shared); err != nil {
			return err
		}
		reader.order[i] = nil
	}
	return nil
}

// retired returns the resources that are deprecated or below an obsolete class.
func (r *rdfReader) retired() map[*rdfResource]bool {
	retired := make(map[*rdfResource]bool)
	below := make(map[kb.ConceptID][]*rdfResource)
	var waiting []kb.ConceptID
	for _, resource := range r.order {
		for _, parent := range resource.all(roleParents) {
			if below[parent] == nil && isObsoleteClass(string(parent)) {
				waiting = append(waiting, parent)
			}
			below[parent] = append(below[parent], resource)
		}
	}
	for len(waiting) > 0 {
		parent := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		for _, child := range below[parent] {
			if !retired[child] {
				retired[child] = true
				waiting = append(waiting, shortIRI(child.iri))
			}
		}
	}
	for _, resource := range r.order {
		if resource.deprecated || isObsoleteClass(resource.iri) {
			retired[resource] = true
		}
	}
	return retired
}

// sharedIDs returns the identifiers that several concepts have, ignoring retired concepts.
func (r *rdfReader) sharedIDs(retired map[*rdfResource]bool) map[kb.ConceptID]bool {
	owner, shared := make(map[kb.ConceptID]*rdfResource), make(map[kb.ConceptID]bool)
	for _, resource := range r.order {
		if !resource.isConcept || retired[resource] {
			continue
		}
		for _, id := range resource.all(roleID) {
			if other, known := owner[id]; known && other != resource {
				shared[id] = true
			}
			owner[id] = resource
		}
	}
	return shared
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

// resolve returns the IRI that a reference denotes.
func (s rdfScope) resolve(reference string) string {
	base, _, _ := strings.Cut(s.base, "#")
	switch {
	case base == "":
		return reference
	case reference == "" || reference[0] == '#':
		return base + reference
	}
	if at := strings.IndexAny(reference, ":/?#"); at >= 0 && reference[at] == ':' { // the reference has a scheme
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

// node reads the rest of a node that began with start, and returns its IRI. A blank node has the IRI "" unless the file
// gives it an identifier, or named is true because it is a label.
func (r *rdfReader) node(start xml.StartElement, scope rdfScope, named bool) (iri string, err error) {
	scope = scope.within(start)
	for _, a := range start.Attr {
		switch a.Name {
		case xml.Name{Space: rdfNS, Local: "about"}:
			iri = scope.resolve(a.Value)
		case xml.Name{Space: rdfNS, Local: "ID"}:
			iri = scope.resolve("#" + a.Value)
		case xml.Name{Space: rdfNS, Local: "nodeID"}:
			iri = blankNode + a.Value
		}
	}
	if iri == "" && named {
		iri = r.nameBlank()
	}
	r.add(iri, rdfProperty{name: rdfNS + "type", object: start.Name.Space + start.Name.Local})
	r.addAttributes(iri, start, scope)
	return iri, r.properties(iri, scope)
}

// blankNode is the prefix of the names of blank nodes.
const blankNode = "_:"

// isBlank reports whether a node has no IRI.
func isBlank(iri string) bool { return iri == "" || strings.HasPrefix(iri, blankNode) }

// nameBlank returns a name for a blank node that differs from every nodeID.
func (r *rdfReader) nameBlank() string {
	r.blanks++
	return fmt.Sprintf("%s %d", blankNode, r.blanks)
}

// properties reads the properties of a node up to its end.
func (r *rdfReader) properties(iri string, scope rdfScope) error {
	if scope.depth > maxDepth {
		return r.rowError(line(r.decoder), tooDeep)
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

// property reads the rest of a property of a node. If it contains a node, that node is its value.
func (r *rdfReader) property(iri string, start xml.StartElement, scope rdfScope) error {
	scope = scope.within(start)
	p := rdfProperty{name: start.Name.Space + start.Name.Local, language: scope.language}
	content := ""
	for _, a := range start.Attr {
		switch a.Name {
		case xml.Name{Space: rdfNS, Local: "resource"}:
			p.object = scope.resolve(a.Value)
		case xml.Name{Space: rdfNS, Local: "nodeID"}:
			p.object = blankNode + a.Value
		case xml.Name{Space: rdfNS, Local: "parseType"}:
			content = a.Value
		case xml.Name{Space: rdfNS, Local: "datatype"}:
			p.language = "" // a typed text has no language
		}
	}
	isLabel := rdfLabels[rdfRoles[p.name]] != ""
	if content == "Resource" { // the content belongs to a blank node
		if isLabel {
			p.object = r.nameBlank()
			r.add(iri, p)
		}
		return r.properties(p.object, scope)
	}
	r.addAttributes(p.object, start, scope)
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
			object, err := r.node(token, scope, isLabel)
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

// addAttributes adds those properties of a resource that are attributes of an element.
func (r *rdfReader) addAttributes(iri string, start xml.StartElement, scope rdfScope) {
	for _, a := range start.Attr {
		if a.Name.Space == "" || a.Name.Space == "xmlns" {
			continue
		}
		text := strings.Join(strings.Fields(a.Value), " ")
		p := rdfProperty{name: a.Name.Space + a.Name.Local, text: text, language: scope.language}
		if rdfRoles[p.name] == rdfType {
			p = rdfProperty{name: p.name, object: scope.resolve(a.Value)}
		}
		r.add(iri, p)
	}
}

// resource returns the resource with an IRI, and adds it if it is new.
func (r *rdfReader) resource(iri string) *rdfResource {
	resource := r.resources[iri]
	if resource == nil {
		resource = &rdfResource{iri: iri}
		r.resources[iri] = resource
		r.order = append(r.order, resource)
	}
	return resource
}

// add adds a property to the resource with an IRI, which is "" for a blank node.
func (r *rdfReader) add(iri string, p rdfProperty) {
	const maxProperties = 1000 // distinct properties to count
	role, class := rdfRoles[p.name], rdfRoles[p.object]
	switch {
	case iri == "" || r.full != nil || role == rdfNoName:
		return
	case role == "":
		if p.text != "" && (r.others[p.name] > 0 || len(r.others) < maxProperties) {
			r.others[p.name]++
		}
		return
	case role == roleXrefs && isBlank(iri): // the source of an axiom
		return
	case role == rdfType && class != rdfConceptClass && class != rdfDeprecatedClass,
		(role == roleParents || role == rdfChild) && isBlank(p.object):
		return
	case role == rdfChild:
		iri, role, p.object = p.object, roleParents, iri
	}
	resource := r.resource(iri)
	value := cmp.Or(p.object, p.text)
	switch role {
	case roleName, roleSynonyms, rdfLiteralForm:
		if p.language != "" && !r.selects(p.language) {
			resource.otherLanguages = append(resource.otherLanguages, p.language)
			return
		}
		value = p.text
	case roleAltIDs, roleID, roleTypes:
		value = p.text
	case roleParents, roleXrefs, roleReplacedBy:
		value = string(shortIRI(value))
	case rdfType:
		resource.isConcept = true
		resource.deprecated = resource.deprecated || class == rdfDeprecatedClass
		return
	case rdfOtherScope:
		resource.otherScope++
		return
	case roleStatus:
		resource.deprecated = resource.deprecated || isRetired(roleStatus, p.text, never)
		return
	case stateObsolete:
		resource.deprecated = resource.deprecated || p.text == "true" || p.text == "1"
		return
	}
	resource.values = append(resource.values, rdfValue{role, value})
}

// addResource adds the concept of a resource. Resources that are not concepts are ignored.
func (r *rdfReader) addResource(resource *rdfResource, retired bool, shared map[kb.ConceptID]bool) error {
	if !resource.isConcept || isBlank(resource.iri) || isObsoleteClass(resource.iri) {
		return nil
	}
	r.report.Rows++
	t := &term{Concept: kb.Concept{ID: shortIRI(resource.iri)}, obsolete: retired}
	for _, v := range resource.values {
		t.addValue(v.role, v.value)
	}
	own := slices.DeleteFunc(resource.all(roleID), func(id kb.ConceptID) bool { return id == "" || shared[id] })
	if len(own) > 0 {
		t.ID, t.AltIDs = own[0], append(append(t.AltIDs, t.ID), own[1:]...)
	}
	if retired {
		return r.addTerm(t)
	}
	r.count(otherNames, resource.otherScope)
	for _, language := range resource.otherLanguages {
		r.leaveOut(language)
	}
	for _, v := range resource.values { // texts of SKOS-XL labels (SKOS Reference, appendix B, S55 to S57)
		label, role := r.resources[v.value], rdfLabels[v.role]
		if label == nil || role == "" {
			continue
		}
		for _, text := range label.all(rdfLiteralForm) {
			t.addValue(role, string(text))
		}
		for _, language := range label.otherLanguages {
			r.leaveOut(language)
		}
	}
	return r.addTerm(t)
}

// rdfLabels maps the roles of SKOS-XL labels to the roles of their texts.
var rdfLabels = map[role]role{rdfPreferredLabel: roleName, rdfLabel: roleSynonyms}

// oboIRI matches an OBO identifier in the form of an IRI.
var oboIRI = regexp.MustCompile(`^http://purl\.obolibrary\.org/obo/([A-Za-z]+)_([A-Za-z0-9]+)$`)

// shortIRI returns the identifier for an IRI: DOID:9352 for an IRI of OBO, otherwise the IRI itself.
func shortIRI(iri string) kb.ConceptID {
	if parts := oboIRI.FindStringSubmatch(iri); parts != nil {
		return kb.ConceptID(parts[1] + ":" + parts[2])
	}
	return kb.ConceptID(iri)
}
