package formats

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

func TestFHIR(t *testing.T) {
	const content = "No däy gout, RF"
	candidate := func(id kb.ConceptID, name string, probability float64, xrefs ...kb.ConceptID) []linked.Candidate {
		return []linked.Candidate{{Concept: id, Name: name, Probability: probability, Xrefs: xrefs}}
	}
	doc := &linked.Document{ID: "P1", Text: content, Mentions: []linked.Mention{
		{Span: text.Span{Start: 8, End: 12}, Text: "gout", Type: "Disease", Assertion: linked.Assertion{Negated: true},
			Candidates: candidate("MESH:D6", "Gout", .75, "HP:1", "local:2")},
		{Span: text.Span{Start: 0, End: 16}, Fragments: []text.Span{{Start: 0, End: 2}, {Start: 14, End: 16}}, Text: "No RF",
			Candidates: candidate("22", "RF", 0),
			Corrected:  &text.Correction{By: "ann", At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}},
	}}
	var b strings.Builder
	w := fhirOutput.New(&b, WriterOptions{CodeSystem: "http://example.org/own"})
	if err := w.Write(NewRecord(&text.Document{ID: "P1", Text: content}), doc); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	entries := strings.Split(b.String(), "\n")
	reference, _, _ := strings.Cut(strings.TrimPrefix(entries[1], `{"fullUrl":"`), `"`)
	resource := func(entry string) string {
		_, resource, _ := strings.Cut(strings.TrimSuffix(entry, ","), `"resource":`)
		return strings.ReplaceAll(resource, reference, "REFERENCE")
	}
	place := func(start, end string) string {
		return `{"extension":[{"url":"http://www.w3.org/ns/oa#start","valueInteger":` + start + `},` +
			`{"url":"http://www.w3.org/ns/oa#end","valueInteger":` + end + `}],"url":"http://www.w3.org/ns/oa#TextPositionSelector"}`
	}
	want := []string{
		// The text in base64; "ä" has two bytes there, and is one code point in the offsets.
		`{"content":[{"attachment":{"contentType":"text/plain; charset=utf-8","data":"Tm8gZMOkeSBnb3V0LCBSRg=="}}],` +
			`"identifier":[{"value":"P1"}],"resourceType":"DocumentReference","status":"current"}}`,
		`{"category":[{"text":"Disease"}],"code":{"coding":[` +
			`{"code":"D6","display":"Gout","extension":[{"url":"https://w3id.org/sssom/confidence","valueDecimal":0.75}],"system":"http://www.nlm.nih.gov/research/umls/msh"},` +
			`{"code":"HP:1","system":"http://human-phenotype-ontology.org"},{"code":"local:2"}],"text":"gout"},` +
			`"derivedFrom":[{"reference":"REFERENCE"}],"extension":[` + place("7", "11") + `],"note":[{"text":"negated"}],` +
			`"resourceType":"Observation","status":"preliminary","valueBoolean":false}}`,
		`{"code":{"coding":[{"code":"22","display":"RF","system":"http://example.org/own"}],"text":"No RF"},` +
			`"derivedFrom":[{"reference":"REFERENCE"}],"extension":[` + place("0", "2") + `,` + place("13", "15") + `],` +
			`"note":[{"text":"corrected by ann at 2026-01-02T03:04:05Z"}],"resourceType":"Observation","status":"final"}}`,
	}
	var got []string
	for _, entry := range entries[1:4] {
		got = append(got, resource(entry))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if entries[0] != `{"resourceType":"Bundle","type":"collection","entry":[` || entries[4] != "]}" {
		t.Errorf("the bundle begins %s and ends %s", entries[0], entries[4])
	}
	doc.Mentions[0].Candidates[0].Concept = "a  b"
	if err := w.Write(NewRecord(&text.Document{ID: "P1", Text: content}), doc); err == nil || !strings.Contains(err.Error(), `document "P1": the identifier "a  b" is no code of FHIR`) {
		t.Errorf("an identifier with two spaces: error %v", err)
	}
	b.Reset()
	if err := fhirOutput.New(&b, WriterOptions{}).Close(); err != nil || b.String() != `{"resourceType":"Bundle","type":"collection"}`+"\n" {
		t.Errorf("no document: %s, %v", b.String(), err)
	}
}
