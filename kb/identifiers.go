package kb

import (
	_ "embed"
	"strings"
)

// prefix is a row of the table of prefixes.
type prefix struct {
	key        string
	iri        string // replaces the prefix and colon in the IRI of an identifier; may be empty
	fhir       string // FHIR system of its codes; may be empty
	fhirPrefix bool   // whether FHIR codes include the prefix
}

//go:embed prefixes.tsv
var prefixTable string

var (
	prefixes = make(map[string]*prefix) // by all spellings, normalized by fold
	bases    = make(map[string]*prefix) // by the beginning of an IRI, without its scheme; nil if a prefix follows
)

func init() {
	for line := range strings.Lines(prefixTable) {
		cells := append(strings.Split(strings.TrimSuffix(line, "\n"), "\t"), "", "")
		if strings.HasPrefix(line, "#") {
			continue
		}
		iris := strings.Fields(cells[2])
		var p *prefix
		if cells[0] != "" {
			p = &prefix{key: fold(cells[0]), iri: append(iris, "")[0]}
			p.fhir, p.fhirPrefix = strings.CutPrefix(cells[3], "keep ")
		}
		for _, spelling := range append(strings.Fields(cells[1]), fold(cells[0])) {
			prefixes[spelling] = p
		}
		for _, iri := range iris {
			bases[withoutScheme(iri)] = p
		}
	}
	delete(prefixes, "")
}

// PrefixIRI returns the IRI that replaces a prefix and its colon in an identifier; it may be empty.
func PrefixIRI(prefix string) string {
	if p := known(prefix); p != nil {
		return p.iri
	}
	return ""
}

// FHIR returns the FHIR system of an identifier, or "" if it is unknown, and the code in that system.
func (id ConceptID) FHIR() (system, code string) {
	before, code, _ := strings.Cut(string(id), ":")
	p := known(before)
	if p == nil || p.fhir == "" {
		return "", string(id)
	}
	if p.fhirPrefix {
		code = string(id)
	}
	return p.fhir, code
}

// known returns the prefix with this spelling, which may end with a release date or year: SNOMEDCT_US_2023_03_01.
func known(prefix string) *prefix {
	folded := fold(prefix)
	if i := strings.LastIndex(folded, "20"); prefixes[folded] == nil && i > 0 && (len(folded)-i == 4 || len(folded)-i == 8) {
		folded = folded[:i]
	}
	return prefixes[folded]
}

// fold returns a prefix in lower case, without characters other than letters and digits.
func fold(prefix string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r < 0x80 && (r < '0' || r > '9') && (r < 'a' || r > 'z'):
			return -1
		}
		return r
	}, prefix)
}

func withoutScheme(iri string) string {
	_, rest, _ := strings.Cut(iri, "://")
	return strings.TrimPrefix(rest, "www.")
}

// Split returns the common part of all spellings of an identifier, such as HP:0001250, hp:0001250, HP_0001250 and
// http://purl.obolibrary.org/obo/HP_0001250: the prefix in lower case, which may be empty, and the rest. Without a
// colon, what looks like a prefix may not be one: sure is true if it is.
func (id ConceptID) Split() (prefix, local string, sure bool) { return splitIdentifier(string(id)) }

func splitIdentifier(id string) (prefix, local string, sure bool) {
	id = strings.TrimSpace(id)
	if scheme, _, found := strings.Cut(id, "://"); found && (scheme == "http" || scheme == "https") {
		return splitIRI(withoutScheme(id))
	}
	// a prefix and digits, possibly with characters between them: MIM #610549, NCBI:txid9606
	head := strings.TrimRight(id, "0123456789")
	before, local, colon := strings.Cut(id, ":")
	if p := known(head); p != nil && len(head) < len(id) && !strings.ContainsAny(head, "0123456789") {
		return p.key, id[len(head):], colon || fold(head) != strings.ToLower(head)
	}
	if !colon {
		return splitWords(id)
	}
	if second, _, nested := strings.Cut(local, ":"); nested && (known(second) != nil || fold(second) == fold(before)) {
		return splitIdentifier(local) // DO:DOID:9352, MGI:MGI:1
	}
	if prefix = fold(before); known(before) != nil {
		prefix = known(before).key
	}
	return prefix, strings.TrimSpace(local), true
}

// splitWords splits an identifier at "_" or a space: data_0006.
func splitWords(id string) (prefix, local string, sure bool) {
	i := strings.IndexAny(id, "_ ")
	if i <= 0 || !strings.ContainsAny(id[i:], "0123456789") || strings.ContainsAny(id[:i], "-.0123456789") {
		return "", id, false
	}
	if p := known(id[:i]); p != nil {
		return p.key, strings.TrimLeft(id[i:], "_ "), true
	}
	return fold(id[:i]), strings.TrimLeft(id[i:], "_ "), false
}

// splitIRI splits an IRI without its scheme. If it has no known beginning, the prefix is empty.
func splitIRI(iri string) (prefix, local string, sure bool) {
	for i := len(iri) - 1; i > 0; i-- {
		p, isBase := bases[iri[:i]]
		if !isBase {
			continue
		}
		if p != nil {
			return p.key, iri[i:], true
		}
		first, rest, found := strings.Cut(iri[i:], "/")
		switch {
		case !found:
			rest = first // HP:0001250 or HP_0001250
		case !strings.Contains(rest, ":"):
			rest = first + ":" + rest
		}
		return splitIdentifier(rest)
	}
	return "", "//" + iri, false
}
