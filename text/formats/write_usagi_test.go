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

// TestUsagi writes the rows of each source code together, with the number of its mentions. Usagi's own reader
// (ReadCodeMappingsFromFile of 1.4.3) was seen to take them.
func TestUsagi(t *testing.T) {
	to := func(id kb.ConceptID, name string, probability float64) []linked.Candidate {
		return []linked.Candidate{{Concept: id, Name: name, Probability: probability}}
	}
	var b strings.Builder
	w := usagiOutput.New(&b, WriterOptions{})
	write := func(r *Record, mentions ...linked.Mention) error {
		return w.Write(r, &linked.Document{ID: r.ID, Text: r.Text, Mentions: mentions})
	}
	ann := &text.Correction{By: "ann", At: time.UnixMilli(1767366245000)}
	row := &Record{Document: &text.Document{ID: "A1"}, Columns: []Column{{"id", "A1"}}}
	for _, err := range []error{
		write(NewRecord(&text.Document{ID: "1"}),
			linked.Mention{Text: "gout, acute", Candidates: to("4", "Gout", .25)},
			linked.Mention{Text: "podagra", Broader: &linked.Broader{Concept: "4", Name: "Gout", Probability: .5}},
			linked.Mention{Text: "gout, acute", Candidates: to("7", "Acute gout", .75), Corrected: ann},
			linked.Mention{Text: "gout, acute", Candidates: to("4", "Gout", .5)},
			linked.Mention{Text: "no disease", Corrected: ann}),
		write(row, linked.Mention{Text: "breast and ovarian cancer", Corrected: ann, SubMentions: []linked.SubMention{
			{Text: "breast cancer", Candidates: to("5", "Breast cancer", 1)},
			{Text: "ovarian cancer", Candidates: to("6", "Ovarian cancer", 1)},
		}}),
		w.Close(),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := "sourceCode,sourceName,sourceFrequency,sourceAutoAssignedConceptIds,matchScore,mappingStatus," +
		"equivalence,statusSetBy,statusSetOn,conceptId,conceptName,domainId,mappingType,comment,createdBy,createdOn,assignedReviewer\n" +
		`"gout, acute","gout, acute",3,,0.75,UNCHECKED,UNREVIEWED,,0,4,Gout,,MAPS_TO,,ctxnorm,0,` + "\n" +
		`"gout, acute","gout, acute",3,,0.75,UNCHECKED,UNREVIEWED,,0,7,Acute gout,,MAPS_TO,,ctxnorm,0,` + "\n" +
		"podagra,podagra,1,,0.00,UNCHECKED,UNREVIEWED,,0,0,,,MAPS_TO,a kind of Gout (4) 0.50,ctxnorm,0,\n" +
		"no disease,no disease,1,,0.00,APPROVED,UNMATCHED,ann,1767366245000,0,,,MAPS_TO,,ctxnorm,0,\n" +
		"A1,breast and ovarian cancer,1,,1.00,APPROVED,UNRE" +
		"VIEWED,ann,1767366245000,5,Breast cancer,,MAPS_TO,,ctxnorm,0,\n" +
		"A1,breast and ovarian cancer,1,,1.00,APPROVED,UNRE" +
		"VIEWED,ann,1767366245000,6,Ovarian cancer,,MAPS_TO,,ctxnorm,0,\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	err := write(NewRecord(&text.Document{ID: "1"}), linked.Mention{Text: "gout", Candidates: to("MESH:D1", "Gout", 1)})
	if err == nil || !strings.Contains(err.Error(), `"MESH:D1" is none of OMOP`) {
		t.Errorf("error %v", err)
	}
}
