package kbfile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
)

// Fields of a row of MRCONSO.RRF, UMLS Reference Manual, table "Concept Names and Sources", and of RXNCONSO.RRF,
// RxNorm Technical Documentation, section 12.4: CUI LAT TS LUI STT SUI ISPREF AUI SAUI SCUI SDUI SAB TTY CODE STR SRL
// SUPPRESS CVF, each followed by a vertical bar.
const (
	mrconsoCUI      = 0
	mrconsoLAT      = 1
	mrconsoTS       = 2
	mrconsoSTT      = 4
	mrconsoISPREF   = 6
	mrconsoSAB      = 11
	mrconsoTTY      = 12
	mrconsoCODE     = 13
	mrconsoSTR      = 14
	mrconsoSUPPRESS = 16
	mrconsoFields   = 17 // minimum; CVF was added later
)

// readMRCONSO reads the names in the wanted languages that are not suppressed. The preferred name is the preferred atom
// of the preferred form of the preferred term (TS P, STT PF, ISPREF Y), or none if a concept has no such row. In
// RXNCONSO.RRF, where these fields are empty, it is the name of the source RXNORM that is no synonym, whose term type
// (IN, BN, SCD, …) is the type of the concept. The codes of the sources of its names are its identifiers in other
// vocabularies. The rows of a concept must be consecutive, as they are in the files that NLM distributes.
func (c *collector) readMRCONSO(lines *input.Lines) error {
	var concept umlsConcept
	err := c.eachLine(lines, func(text string, line int) error {
		fields := strings.Split(text, "|")
		if len(fields) < mrconsoFields {
			return c.badRow(line, fmt.Sprintf("at least %d fields separated by |", mrconsoFields),
				fmt.Sprintf("%d in %s", len(fields), input.Quote(text)))
		}
		cui := kb.ConceptID(strings.TrimSpace(fields[mrconsoCUI]))
		switch {
		case cui == "":
			return c.badRow(line, "a CUI in field 1", input.Quote(text))
		case !c.wants(fields[mrconsoLAT]):
			return nil
		case fields[mrconsoSUPPRESS] != "N" && fields[mrconsoSUPPRESS] != "":
			c.report.Suppressed++
			return nil
		}
		xref := xrefOf(fields)
		if bad := checkIDs([]kb.ConceptID{cui, xref}); bad != nil {
			return c.reject(line, bad)
		}
		if cui != concept.ID {
			concept.addTo(c)
			concept = umlsConcept{Concept: kb.Concept{ID: kb.ConceptID(strings.Clone(string(cui)))}}
		}
		concept.addAtom(fields, xref)
		c.rowBytes = 0
		if err := c.opts.Limits.CheckRecord("the names of a concept", concept.bytes); err != nil {
			return fmt.Errorf("line %d: concept %s: %w", line, input.Quote(string(cui)), err)
		}
		return nil
	})
	concept.addTo(c)
	return err
}

// umlsConcept is a concept of which some atoms, the rows of MRCONSO, were read.
type umlsConcept struct {
	kb.Concept
	bytes int64 // of its names and codes
}

// addAtom adds the name of a row, and its code in another vocabulary unless that is "".
func (u *umlsConcept) addAtom(fields []string, xref kb.ConceptID) {
	isPreferred := isPreferredAtom(fields[mrconsoTS], fields[mrconsoSTT], fields[mrconsoISPREF])
	if fields[mrconsoTS] == "" && fields[mrconsoSAB] == "RXNORM" && !rxnormSynonyms[fields[mrconsoTTY]] {
		isPreferred, u.Types = true, append(u.Types, strings.Clone(fields[mrconsoTTY]))
	}
	if xref != "" && !slices.Contains(u.Xrefs, xref) {
		u.Xrefs = append(u.Xrefs, xref)
		u.bytes += stringSize + int64(len(xref))
	}
	name := strings.Clone(fields[mrconsoSTR]) // keeps the name alone in memory
	u.bytes += stringSize + int64(len(name))
	if isPreferred && u.Name == "" {
		u.Name = strings.TrimSpace(name)
	} else {
		u.Synonyms = append(u.Synonyms, name)
	}
}

// isPreferredAtom reports whether an atom of UMLS is the preferred one of the preferred form of the preferred term.
func isPreferredAtom(ts, stt, ispref string) bool { return ts == "P" && stt == "PF" && ispref == "Y" }

// addTo adds the concept to c, unless it has no names.
func (u *umlsConcept) addTo(c *collector) {
	if u.Name != "" || len(u.Synonyms) > 0 {
		c.addDecoded(u.Concept)
	}
}

// xrefOf returns the identifier of a row of MRCONSO in the vocabulary of its name, or "". RxNorm's own codes are its
// concepts.
func xrefOf(fields []string) kb.ConceptID {
	code := fields[mrconsoCODE]
	if code == "" || code == noCode || code == fields[mrconsoCUI] {
		return ""
	}
	return kb.ConceptID(fields[mrconsoSAB] + ":" + code)
}

// noCode stands in MRCONSO for the code of a source that has none.
const noCode = "NOCODE"

// rxnormSynonyms are the types of the terms of RXNORM that are other names of a concept.
var rxnormSynonyms = map[string]bool{"SY": true, "TMSY": true, "PSN": true, "ET": true}

// readMRSTY reads MRSTY.RRF or RXNSTY.RRF, whose rows are a concept, one of its semantic types, the number of the
// type and its name. The concepts have no names: they are joined with those of another file.
func (c *collector) readMRSTY(lines *input.Lines) error {
	return c.eachLine(lines, func(text string, line int) error {
		fields := strings.SplitN(text, "|", 3)
		id := kb.ConceptID(strings.TrimSpace(fields[0]))
		if len(fields) < 3 || id == "" || fields[1] == "" {
			return c.badRow(line, "a concept and its type, separated by |", input.Quote(text))
		}
		if bad := checkIDs([]kb.ConceptID{id}); bad != nil {
			return c.reject(line, bad)
		}
		c.addDecoded(kb.Concept{ID: kb.ConceptID(strings.Clone(string(id))), Types: []string{strings.Clone(fields[1])}})
		return nil
	})
}

// Fields of a row of llt.asc and pt.asc of MedDRA (MedDRA Distribution File Format Document), separated by dollar
// signs: the code and the name of a term, and in llt.asc the code of its preferred term and whether it is current.
const (
	meddraCode    = 0
	meddraName    = 1
	meddraPT      = 2
	meddraCurrent = 9
	meddraFields  = 10 // minimum
)

// readMedDRA reads the lowest level terms of MedDRA, which are names of their preferred terms, or the preferred
// terms. Terms that are not current are left out.
func (c *collector) readMedDRA(lines *input.Lines) error {
	return c.eachLine(lines, func(text string, line int) error {
		fields := strings.Split(text, "$")
		if len(fields) < meddraFields || strings.TrimSpace(fields[meddraCode]) == "" {
			got := fmt.Sprintf("%d in %s", len(fields), input.Quote(text))
			return c.badRow(line, fmt.Sprintf("a code and at least %d fields separated by $", meddraFields), got)
		}
		code := kb.ConceptID(strings.TrimSpace(fields[meddraCode]))
		preferred := kb.ConceptID(strings.TrimSpace(fields[meddraPT]))
		if bad := checkIDs([]kb.ConceptID{code, preferred}); bad != nil {
			return c.reject(line, bad)
		}
		switch {
		case preferred == "": // of pt.asc
			c.add(kb.Concept{ID: code, Name: fields[meddraName]})
		case fields[meddraCurrent] == "N":
			c.report.Obsolete++
		case code == preferred:
			c.add(kb.Concept{ID: code, Name: fields[meddraName]})
		default:
			c.addNames(preferred, []string{fields[meddraName]}, code)
		}
		return nil
	})
}

// readBioSyn reads the dictionary format of BioSyn (Sung et al., ACL 2020,
// https://github.com/dmis-lab/BioSyn): one concept per line, with its identifier and any
// alternative ones separated by |, then ||, and its names separated by |, the preferred one
// first.
func (c *collector) readBioSyn(lines *input.Lines) error {
	const want = `"id|altid||name|synonym"`
	return c.eachLine(lines, func(text string, line int) error {
		left, right, found := strings.Cut(text, "||")
		ids := splitIDs(left)
		if !found || len(ids) == 0 {
			return c.badRow(line, want, input.Quote(text))
		}
		if bad := checkIDs(ids); bad != nil {
			return c.reject(line, bad)
		}
		names := strings.Split(right, "|")
		c.add(kb.Concept{ID: ids[0], Name: names[0], Synonyms: names[1:], AltIDs: ids[1:]})
		return nil
	})
}
