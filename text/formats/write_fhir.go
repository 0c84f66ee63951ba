package formats

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// fhirCode is the form of a code (https://hl7.org/fhir/R4/datatypes.html#code).
var fhirCode = regexp.MustCompile(`^[^\s]+(\s[^\s]+)*$`)

// Extensions that Web Annotation and SSSOM name.
const (
	fhirPosition   = "http://www.w3.org/ns/oa#TextPositionSelector"
	fhirStart      = "http://www.w3.org/ns/oa#start"
	fhirEnd        = "http://www.w3.org/ns/oa#end"
	fhirConfidence = "https://w3id.org/sssom/confidence"
)

// fhir is an element or a resource. encoding/json sorts its members.
type fhir map[string]any

// fhirWriter writes a Bundle of FHIR (https://hl7.org/fhir/R4/bundle.html), valid in R4B and R5 too: of each document a
// DocumentReference with its text, and of each mention an Observation whose code is its concept, a CodeableConcept. It
// writes the entries as they come.
type fhirWriter struct {
	*output
	options   WriterOptions
	documents int
	begun     bool // whether there is an entry
}

func newFHIR(w io.Writer, o WriterOptions) Writer {
	return &fhirWriter{output: newOutput(w), options: o}
}

// Write implements [Writer].
func (w *fhirWriter) Write(r *Record, d *linked.Document) error {
	w.documents++
	w.options.lostControls(r.ID, d.Text)
	digest := sha256.Sum256(fmt.Appendf(nil, "%q %q %d", r.ID, d.Text, w.documents))
	url := func(n int) string {
		u := sha256.Sum256(fmt.Appendf(digest[:], " %d", n))
		u[6], u[8] = u[6]&0xf|0x80, u[8]&0x3f|0x80 // version 8 of RFC 9562
		return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:16])
	}
	attachment := fhir{"contentType": plainText}
	if d.Text != "" {
		attachment["data"] = []byte(d.Text)
	}
	document := fhir{"resourceType": "DocumentReference", "status": "current",
		"content": []fhir{{"attachment": attachment}}}
	if id := printable(r.ID); strings.TrimSpace(id) != "" {
		document["identifier"] = []fhir{{"value": id}}
	}
	if err := w.entry(url(0), document); err != nil {
		return err
	}
	offsets, n := text.NewOffsets(d.Text), 0
	for i := range d.Mentions {
		for _, l := range d.Mentions[i].Links() {
			concept, err := w.concept(l.Text, l.Best())
			if err != nil {
				return fmt.Errorf("document %q: %w", r.ID, err)
			}
			observation := observationOf(&d.Mentions[i], &l, offsets)
			observation["code"], observation["derivedFrom"] = concept, []fhir{{"reference": url(0)}}
			n++
			if err := w.entry(url(n), observation); err != nil {
				return err
			}
		}
	}
	return nil
}

// observationOf returns what is said of a mention but its concept. What a person decided is final, and what a text
// negates has the value false.
func observationOf(m *linked.Mention, l *linked.Link, offsets *text.Offsets) fhir {
	o := fhir{"resourceType": "Observation", "status": "preliminary"}
	var places, notes []fhir
	for _, f := range fragmentsOf(m) {
		at := offsets.CodePoints(f)
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

// concept returns the CodeableConcept of a wording: with the identifier of a candidate, and those that it has in other
// vocabularies; of NIL the wording alone.
func (w *fhirWriter) concept(wording string, c *linked.Candidate) (fhir, error) {
	concept := fhir{"text": printable(wording)}
	if c == nil {
		return concept, nil
	}
	var codings []fhir
	for _, id := range append([]kb.ConceptID{c.Concept}, c.Xrefs...) {
		system, code := id.FHIR()
		if system == "" && id == c.Concept {
			system = w.options.CodeSystem
		}
		if !fhirCode.MatchString(code) {
			return nil,
				fmt.Errorf("the identifier %q is no code of FHIR: it begins or ends with a space, or has two in a row",
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

// entry writes an entry of the Bundle.
func (w *fhirWriter) entry(url string, resource fhir) error {
	data, err := json.Marshal(fhir{"fullUrl": url, "resource": resource})
	if err != nil {
		return err
	}
	before := ",\n"
	if !w.begun {
		w.begun, before = true, `{"resourceType":"Bundle","type":"collection","entry":[`+"\n"
	}
	return w.write(before + string(data))
}

// Close implements [Writer]. FHIR has no empty lists.
func (w *fhirWriter) Close() error {
	if !w.begun {
		return w.write(`{"resourceType":"Bundle","type":"collection"}` + "\n")
	}
	return w.write("\n]}\n")
}
