package sssom

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/kb"
)

// Identifiers without a prefix get ownPrefix, and unknown prefixes expand to names below ownBase.
const (
	ownPrefix = "dictionary"
	ownBase   = "urn:dictionary:"
)

// builtin are the prefixes that SSSOM defines. A file must not redefine them.
var builtin = []string{"linkml", "owl", "prov", "rdf", "rdfs", "semapv", "skos", "sssom", "urn", "xsd"}

var (
	curieForm = regexp.MustCompile(`^([A-Za-z_][\w.-]*):([^\s/:][^\s:]*)$`)
	iriForm   = regexp.MustCompile(`^(https?://\S*[/#])([\w.%-]+)$`)
	iriPrefix = regexp.MustCompile(`^ns\d+$`)
)

// prefixes maps the prefixes of a file to their expansions.
type prefixes map[string]string

// curie returns a concept identifier as a CURIE, and adds its prefix to p.
func (p prefixes) curie(id kb.ConceptID) string {
	if parts := iriForm.FindStringSubmatch(string(id)); parts != nil {
		return p.ofBase(parts[1]) + ":" + parts[2]
	}
	parts := curieForm.FindStringSubmatch(string(id))
	if parts == nil || parts[1] == ownPrefix || iriPrefix.MatchString(parts[1]) || slices.Contains(builtin, parts[1]) {
		p[ownPrefix] = ownBase
		return ownPrefix + ":" + url.PathEscape(string(id))
	}
	if p[parts[1]] = kb.PrefixIRI(parts[1]); p[parts[1]] == "" {
		p[parts[1]] = ownBase + parts[1] + ":"
	}
	return string(id)
}

// ofBase returns the prefix for IRIs that begin with base.
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

// concept returns the identifier from which curie made a CURIE. For any other CURIE, it returns the CURIE itself, or
// its IRI if the file expands its prefix in another way than ctxnorm.
func (p prefixes) concept(id string) (kb.ConceptID, error) {
	prefix, local, _ := strings.Cut(id, ":")
	iri := p[prefix] + local
	known, _, _ := kb.ConceptID(iri).Split()
	own, _, _ := kb.ConceptID(id).Split()
	switch {
	case prefix == ownPrefix && p[prefix] == ownBase:
		id, err := url.PathUnescape(local)
		return kb.ConceptID(id), err
	case p[prefix] != "" && (iriPrefix.MatchString(prefix) || strings.Contains(iri, "://") && known != "" && known != own):
		return kb.ConceptID(iri), nil
	}
	return kb.ConceptID(id), nil
}
