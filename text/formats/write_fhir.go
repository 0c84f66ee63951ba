package formats

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// fhirCode matches a valid code (https://hl7.org/fhir/R4/datatypes.html#code).
var fhirCode = regexp.MustCompile(`^[^\s]+(\s[^\s]+)*$`)

// These are extensions with names from Web Annotation and SSSOM.
const (
	fhirPosition   = "http://www.w3.org/ns/oa#TextPositionSelector"
	fhirStart      = "http://www.w3.org/ns/oa#start"
	fhirEnd        = "http://www.w3.org/ns/oa#end"
	fhirConfidence = "https://w3id.org/sssom/confidence"
)

// fhir is an element or a resource. encoding/json sorts its members.
type fhir map[string]any

// fhirWriter writes a Bundle of FHIR (https://hl7.org/fhir/R4/bundle.html), also valid in R4B and R5. Each document
// becomes a DocumentReference with its text, and each mention an Observation whose code, a CodeableConcept, is its
// concept. The entries of each document are written as it arrives.
type fhirWriter struct {
	documents int
	begun     bool // whether an entry was written
}

func newFHIR(w io.Writer, o WriterOptions) Writer {
	f := new(fhirWriter)
	return &documentWriter{newOutput(w), o, f.document, f.end}
}

// document returns the entries of a document. The first document is preceded by the start of the file.
func (w *fhirWriter) document(l *linkedRecord, o *WriterOptions) (string, error) {
	o.lostControls(l.ID, l.doc.Text)
	w.documents++
	digest := sha256.Sum256(fmt.Appendf(nil, "%q %q %d", l.ID, l.doc.Text, w.documents))
	url := func(n int) string {
		u := sha256.Sum256(fmt.Appendf(digest[:], " %d", n))
		u[6], u[8] = u[6]&0xf|0x80, u[8]&0x3f|0x80 // version 8 of RFC 9562
		return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:16])
	}
	attachment := fhir{"contentType": plainText}
	if l.doc.Text != "" {
		attachment["data"] = []byte(l.doc.Text)
	}
	document := fhir{"resourceType": "DocumentReference", "status": "current",
		"content": []fhir{{"attachment": attachment}}}
	if id := printable(l.ID); strings.TrimSpace(id) != "" {
		document["identifier"] = []fhir{{"value": id}}
	}
	entries := []fhir{{"fullUrl": url(0), "resource": document}}
	for i := range l.Mentions {
		for _, link := range l.Mentions[i].Links() {
			concept, err := fhirConcept(link.Text, link.Best(), o.CodeSystem)
			if err != nil {
				return "", fmt.Errorf("document %q: %w", l.ID, err)
			}
			observation := observationOf(&l.Mentions[i], &link)
			observation["code"], observation["derivedFrom"] = concept, []fhir{{"reference": url(0)}}
			entries = append(entries, fhir{"fullUrl": url(len(entries)), "resource": observation})
		}
	}
	var b strings.Builder
	for _, entry := range entries {
		data, err := json.Marshal(entry)
		if err != nil {
			return "", err
		}
		before := ",\n"
		if !w.begun {
			w.begun, before = true, `{"resourceType":"Bundle","type":"collection","entry":[`+"\n"
		}
		b.WriteString(before + string(data))
	}
	return b.String(), nil
}

// observationOf returns the Observation of a mention without its concept. The decision of a person has status final,
// and a negated mention has the value false.
func observationOf(m *linked.Mention, l *linked.Link) fhir {
	o := fhir{"resourceType": "Observation", "status": "preliminary"}
	var places, notes []fhir
	for _, at := range fragmentsOf(m) {
		places = append(places, fhir{"url": fhirPosition, "extension": []fhir{
			{"url": fhirStart, "valueInteger": at.Start}, {"url": fhirEnd, "valueInteger": at.End},
		}})
	}
	o["extension"] = places
	if kind := printable(m.Type); strings.TrimSpace(kind) != "" {
		o["category"] = []fhir{{"text": kind}}
	}
	if m.Negated {
		o["valueBoolean"] = false
	}
	if says := attributesOf(m); len(says) > 0 {
		notes = append(notes, fhir{"text": strings.ReplaceAll(strings.Join(says, ", "), "_", " ")})
	}
	if m.Corrected != nil {
		o["status"], notes = "final", append(notes, fhir{"text": printable(m.Corrected.String())})
	}
	if also := alsoFits(m, l); also != "" {
		notes = append(notes, fhir{"text": printable(also)})
	}
	if notes != nil {
		o["note"] = notes
	}
	return o
}

// fhirConcept returns the CodeableConcept of a surface form, with all identifiers of a candidate, or without any for
// NIL. codeSystem is the system of the candidate's identifier if it has no known one.
func fhirConcept(wording string, c *linked.Candidate, codeSystem string) (fhir, error) {
	concept := fhir{"text": printable(wording)}
	if c == nil {
		return concept, nil
	}
	var codings []fhir
	for _, id := range append([]kb.ConceptID{c.Concept}, c.Xrefs...) {
		system, code := id.FHIR()
		if system == "" && id == c.Concept {
			system = codeSystem
		}
		if !fhirCode.MatchString(code) {
			return nil,
				fmt.Errorf("the identifier %q is not a code of FHIR: it begins or ends with a space, or has two in a row",
					id)
		}
		coding := fhir{"code": printable(code)}
		if system != "" {
			coding["system"] = system
		}
		if name := printable(c.Name); id == c.Concept && strings.TrimSpace(name) != "" {
			coding["display"] = name
		}
		if id == c.Concept && c.Probability != 0 {
			coding["extension"] = []fhir{{"url": fhirConfidence, "valueDecimal": linked.Rounded(c.Probability)}}
		}
		codings = append(codings, coding)
	}
	concept["coding"] = codings
	return concept, nil
}

// end returns the end of the file. FHIR does not allow empty lists.
func (w *fhirWriter) end() (string, error) {
	if !w.begun {
		return `{"resourceType":"Bundle","type":"collection"}` + "\n", nil
	}
	return "\n]}\n", nil
}
