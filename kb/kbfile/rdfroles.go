package kbfile

// Namespaces of RDF/XML.
const (
	xmlNS      = "http://www.w3.org/XML/1998/namespace"
	rdfNS      = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	rdfsNS     = "http://www.w3.org/2000/01/rdf-schema#"
	owlNS      = "http://www.w3.org/2002/07/owl#"
	skosNS     = "http://www.w3.org/2004/02/skos/core#"
	oboInOwlNS = "http://www.geneontology.org/formats/oboInOwl#"
	oboNS      = "http://purl.obolibrary.org/obo/"
	skosxlNS   = "http://www.w3.org/2008/05/skos-xl#"
	ncitNS     = "http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl#"
	efoNS      = "http://www.ebi.ac.uk/efo/"
)

// rdfRole is what a property says of a resource.
type rdfRole int

const (
	rdfType rdfRole = iota + 1
	rdfPreferred
	rdfSynonym
	rdfOtherScope
	rdfAltID
	rdfXref
	rdfID
	rdfParent
	rdfChild
	rdfDeprecated
	rdfReplacedBy
	rdfTypes          // the semantic type of a concept
	rdfStatus         // the state of a concept
	rdfPreferredLabel // a label of SKOS-XL
	rdfLabel          // another
	rdfLiteralForm    // of a label of SKOS-XL
)

// rdfRoles are the properties that are read, by their IRIs.
var rdfRoles = map[string]rdfRole{
	rdfNS + "type":                   rdfType,
	rdfsNS + "label":                 rdfPreferred,
	skosNS + "prefLabel":             rdfPreferred,
	skosNS + "altLabel":              rdfSynonym,
	skosNS + "hiddenLabel":           rdfSynonym,
	skosxlNS + "prefLabel":           rdfPreferredLabel,
	skosxlNS + "altLabel":            rdfLabel,
	skosxlNS + "hiddenLabel":         rdfLabel,
	skosxlNS + "literalForm":         rdfLiteralForm,
	oboInOwlNS + "hasExactSynonym":   rdfSynonym,
	oboInOwlNS + "hasRelatedSynonym": rdfSynonym,
	oboInOwlNS + "hasSynonym":        rdfSynonym,
	oboNS + "IAO_0000118":            rdfSynonym, // alternative label
	oboNS + "IAO_0000111":            rdfSynonym, // editor preferred label
	oboNS + "OMO_0003000":            rdfSynonym, // abbreviation
	efoNS + "alternative_term":       rdfSynonym,

	"http://schema.org/name":                     rdfPreferred,
	"https://schema.org/name":                    rdfPreferred,
	"http://schema.org/alternateName":            rdfSynonym,
	"https://schema.org/alternateName":           rdfSynonym,
	"http://www.orpha.net/ORDO/Orphanet_#symbol": rdfSynonym,
	"http://purl.org/dc/terms/isReplacedBy":      rdfReplacedBy,
	oboNS + "IAO_0100001":                        rdfReplacedBy,
	ncitNS + "P108":                              rdfPreferred, // Preferred_Name
	ncitNS + "P107":                              rdfSynonym,   // Display_Name
	ncitNS + "P90":                               rdfSynonym,   // FULL_SYN
	ncitNS + "P106":                              rdfTypes,     // Semantic_Type
	ncitNS + "P310":                              rdfStatus,    // Concept_Status
	ncitNS + "NHC0":                              rdfID,        // code

	oboInOwlNS + "hasNarrowSynonym": rdfOtherScope,
	oboInOwlNS + "hasBroadSynonym":  rdfOtherScope,
	oboInOwlNS + "hasAlternativeId": rdfAltID,
	oboInOwlNS + "hasDbXref":        rdfXref,
	skosNS + "exactMatch":           rdfXref,
	oboInOwlNS + "id":               rdfID,
	skosNS + "notation":             rdfID,
	rdfsNS + "subClassOf":           rdfParent,
	skosNS + "broader":              rdfParent,
	skosNS + "narrower":             rdfChild,
	owlNS + "deprecated":            rdfDeprecated,
}

// obsoleteClasses are the classes that retired classes are below.
var obsoleteClasses = map[string]bool{
	oboInOwlNS + "ObsoleteClass": true,
	owlNS + "DeprecatedClass":    true,
	efoNS + "obsolescence":       true,
}

// rdfNotNames are the properties whose texts are no names: they are not counted as properties that are not read.
var rdfNotNames = map[string]bool{
	rdfsNS + "comment": true, skosNS + "definition": true, skosNS + "note": true, skosNS + "scopeNote": true,
	skosNS + "example": true, skosNS + "editorialNote": true, skosNS + "historyNote": true, skosNS + "changeNote": true,
	oboNS + "IAO_0000115": true, oboInOwlNS + "hasOBONamespace": true,
	oboInOwlNS + "shorthand": true, owlNS + "versionInfo": true, xmlNS + "lang": true, xmlNS + "base": true,
	rdfNS + "about": true, rdfNS + "ID": true, rdfNS + "nodeID": true, rdfNS + "resource": true,
	rdfNS + "datatype": true, rdfNS + "parseType": true,
}

// rdfConceptTypes are the types of the resources that are concepts.
var rdfConceptTypes = map[string]bool{
	owlNS + "Class": true, rdfsNS + "Class": true, skosNS + "Concept": true, owlNS + "DeprecatedClass": true,
}
