package sssom

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/kb"
)

// Identifiers without a prefix get one, and prefixes that are not known expand to names below it.
const (
	ownPrefix = "dictionary"
	ownBase   = "urn:dictionary:"
)

// obo is what the prefixes of the OBO Foundry expand to, before an underscore.
const obo = "http://purl.obolibrary.org/obo/"

// bases are what prefixes expand to, as Bioregistry (https://bioregistry.io) has them.
var bases = map[string]string{
	"MESH": "http://id.nlm.nih.gov/mesh/", "OMIM": "https://omim.org/entry/", "SNOMED": "http://snomed.info/id/",
	"UMLS": "http://linkedlifedata.com/resource/umls/id/", "NCBIGene": "https://www.ncbi.nlm.nih.gov/gene/",
	"EFO": "http://www.ebi.ac.uk/efo/EFO_", "Orphanet": "http://www.orpha.net/ORDO/Orphanet_",
	"CHEBI": obo + "CHEBI_", "CL": obo + "CL_", "DOID": obo + "DOID_", "GO": obo + "GO_", "HP": obo + "HP_",
	"MONDO": obo + "MONDO_", "MP": obo + "MP_", "NCBITaxon": obo + "NCBITaxon_", "NCIT": obo + "NCIT_",
	"PR": obo + "PR_",
	"SO": obo + "SO_", "UBERON": obo + "UBERON_",
}

// builtin are the prefixes that SSSOM defines, which a file must not define otherwise.
var builtin = []string{"linkml", "owl", "prov", "rdf", "rdfs", "semapv", "skos", "sssom", "urn", "xsd"}

var (
	curieForm = regexp.MustCompile(`^([A-Za-z_][\w.-]*):([^\s/:][^\s:]*)$`)
	iriForm   = regexp.MustCompile(`^(https?://\S*[/#])([\w.%-]+)$`)
	iriPrefix = regexp.MustCompile(`^ns\d+$`)
)

// prefixes are the prefixes of a file, and what they expand to.
type prefixes map[string]string

// curie returns the identifier of a concept as a CURIE, and adds its prefix.
func (p prefixes) curie(id kb.ConceptID) string {
	if parts := iriForm.FindStringSubmatch(string(id)); parts != nil {
		return p.ofBase(parts[1]) + ":" + parts[2]
	}
	parts := curieForm.FindStringSubmatch(string(id))
	if parts == nil || parts[1] == ownPrefix || iriPrefix.MatchString(parts[1]) || slices.Contains(builtin, parts[1]) {
		p[ownPrefix] = ownBase
		return ownPrefix + ":" + url.PathEscape(string(id))
	}
	if p[parts[1]] = bases[parts[1]]; p[parts[1]] == "" {
		p[parts[1]] = ownBase + parts[1] + ":"
	}
	return string(id)
}

// ofBase returns the prefix of the IRIs that begin with base.
func (p prefixes) ofBase(base string) string {
	for n := 1; ; n++ {
		prefix := fmt.Sprintf("ns%d", n)
		if p[prefix] == "" {
			p[prefix] = base
		}
		if p[prefix] == base {
			return prefix
		}
	}
}

// concept returns the identifier that curie returned a CURIE of. Any other is the identifier itself.
func (p prefixes) concept(curie string) (kb.ConceptID, error) {
	prefix, local, _ := strings.Cut(curie, ":")
	switch {
	case prefix == ownPrefix && p[prefix] == ownBase:
		id, err := url.PathUnescape(local)
		return kb.ConceptID(id), err
	case iriPrefix.MatchString(prefix) && p[prefix] != "":
		return kb.ConceptID(p[prefix] + local), nil
	}
	return kb.ConceptID(curie), nil
}
