package formats

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// TestOMOP writes a row for each wording, and for each code of a table, once for each of its concepts.
func TestOMOP(t *testing.T) {
	to := func(id, xref kb.ConceptID) []linked.Candidate {
		return []linked.Candidate{{Concept: id, Name: "name", Xrefs: []kb.ConceptID{xref}}}
	}
	long := strings.Repeat("ä", 60)
	both := linked.Mention{Text: "breast and ovarian cancer", SubMentions: []linked.SubMention{
		{Text: "breast cancer", Candidates: to("5", "SNOMED:55")}, {Text: "ovarian cancer"},
	}}
	var b strings.Builder
	w := omopOutput.New(&b, WriterOptions{})
	write := func(r *Record, mentions ...linked.Mention) error {
		return w.Write(r, &linked.Document{ID: r.ID, Text: r.Text, Mentions: mentions})
	}
	gout := linked.Mention{Text: "gout, acute", Candidates: to("4", "ICD10:M10")}
	row := &Record{Document: &text.Document{ID: "A1"}, Columns: []Column{{"id", "A1"}}}
	for _, err := range []error{
		write(NewRecord(&text.Document{ID: "1"}), gout, both, gout, linked.Mention{Text: long}),
		write(row, gout, gout),
		w.Close(),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	const dates = ",1970-01-01,2099-12-31,\n"
	// The first 41 of 60 characters, and 8 digits of: printf 'ä%.0s' {1..60} | sha256sum
	want := "source_code,source_concept_id,source_vocabulary_id,source_code_description,target_concept_id,target_vocabulary_id," +
		"valid_start_date,valid_end_date,invalid_reason\n" +
		`"gout, acute",0,ctxnorm,"gout, acute",4,ICD10` + dates +
		"breast and ovarian cancer,0,ctxnorm,breast and ovarian cancer,5,SNOMED" + dates +
		"breast and ovarian cancer,0,ctxnorm,breast and ovarian cancer,0,None" + dates +
		long[:82] + "~ae47adce,0,ctxnorm," + long + ",0,None" + dates +
		`A1,0,ctxnorm,"gout, acute",4,ICD10` + dates
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for id, want := range map[kb.ConceptID]string{
		"MESH:D1":    `document "1": the concept "MESH:D1" is none of OMOP, want the number of one: link to its CONCEPT.csv`,
		"0":          `document "1": the concept "0" is none of OMOP, want the number of one: link to its CONCEPT.csv`,
		"4294967297": `document "1": the concept "4294967297" is none of OMOP, want the number of one: link to its CONCEPT.csv`,
		"7":          `document "1": the concept 7 has no vocabulary: want its identifiers in other vocabularies, as in CONCEPT.csv`,
	} {
		m := linked.Mention{Text: "gout", Candidates: to(id, "nothing")}
		if err := write(NewRecord(&text.Document{ID: "1"}), m); err == nil || err.Error() != want {
			t.Errorf("%s: error %v, want %s", id, err, want)
		}
	}
}
