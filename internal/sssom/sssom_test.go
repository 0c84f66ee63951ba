package sssom

import (
	"bufio"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
)

func read(file string) ([]Mapping, error) {
	return Read(bufio.NewReader(strings.NewReader(file)), files.Limits{})
}

// TestRoundTrip checks that mappings of every kind, with all forms of identifiers, are read as they were written.
func TestRoundTrip(t *testing.T) {
	day := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	mappings := []Mapping{
		{
			Label: "river fever", Everywhere: true, Object: "MESH:D1", ObjectLabel: "River \"fever\"",
			Justification: ManualCuration, Author: "ann", Date: day,
		},
		{
			Label: "RF", Object: "EX:1 a", Justification: Composite, Tool: "ctxnorm", Confidence: .25,
			Document: "P\t1", Text: "ä\tRF\nis", Start: 2, End: 4, Only: true,
		},
		{Label: "RF", NoTerm: true, Justification: Unspecified, Text: "RF", End: 2},
	}
	for _, id := range []kb.ConceptID{
		"D1", "http://a/b#c", "http://a/d", "http://a/b#e", "local:%20", "ns1:x", "dictionary:x", "skos:x", "a|b", "https://a/", "ä:ö",
	} {
		mappings = append(mappings, Mapping{Label: "=1", Object: id})
	}
	var b strings.Builder
	must.Succeed(t, Write(&b, mappings))
	for _, declared := range []string{
		`MESH: "http://id.nlm.nih.gov/mesh/"`, `ns1: "http://a/b#"`, `ns2: "http://a/"`, `local: "urn:dictionary:local:"`,
	} {
		must.Contain(t, b.String(), "\n#   "+declared+"\n", declared, "is not declared")
	}
	got := must.Get(read(b.String()))
	for i := range got {
		if got[i].Line == 0 {
			t.Errorf("mapping %d has no line", i)
		}
		got[i].Line = 0
	}
	must.Equal(t, got, mappings, "written and read")
}

// TestLineBreaks checks that a CRLF line break does not shift the offsets after it.
func TestLineBreaks(t *testing.T) {
	var b strings.Builder
	must.Succeed(t, Write(&b, []Mapping{{Label: "RF", Object: "A:1", Text: "a\r\nRF", Start: 3, End: 5}}))
	if got, err := read(b.String()); err != nil || len(got) != 1 || got[0].Text != "a \nRF" {
		t.Errorf("read %+v, %v", got, err)
	}
}

// Slots of the file apply to its rows, and columns of numbers may have decimals, as written by sssom-py.
func TestOthers(t *testing.T) {
	got, err := read("#curie_map:\n#  A: http://a/\n#subject_type: rdfs literal\n#mapping_date: 2026-01-02\n" +
		"object_id,comment,predicate_id,subject_label,ext_text,ext_start,ext_end,ext_only\n" +
		"A:1,,skos:closeMatch,RF, an RF,4.0,6.0,False\n")
	want := []Mapping{{
		Line: 6, Label: "RF", Object: "A:1", Date: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), Text: " an RF", Start: 4, End: 6,
	}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestRefused(t *testing.T) {
	const head = "subject_label\tsubject_type\tpredicate_id\tobject_id\t" +
		"mapping_date\tconfidence\text_text\text_start\text_end\tpredicate_modifier\n"
	row := func(cells string) string { return head + strings.ReplaceAll(cells, "|", "\t") + "\n" }
	const exact, near = "x|rdfs literal|skos:exactMatch|", "x|rdfs literal|skos:closeMatch|A:1|||"
	prefix := "# curie_map:\n#   dictionary: \"urn:dictionary:\"\n"
	for file, want := range map[string]string{
		"":                                    "want SSSOM with a header, got none",
		"a\tb\n":                              "line 1: want SSSOM with a column subject_label, got none",
		"a\ta\n":                              `line 1: want each column once, got another "a"`,
		"# [\n":                               "the header: ",
		"# a: 1\n":                            "want SSSOM with a header, got none",
		row("x|rdfs literal|skos:exactMatch"): "line 2: want 10 cells, got 3",
		row("x|owl class|skos:exactMatch|A:1||||||"):    `line 2: subject_type is "owl class", want rdfs literal`,
		row("x|rdfs literal|skos:broadMatch|A:1||||||"): `line 2: predicate_id is "skos:broadMatch", want skos:exactMatch or`,
		row(exact + "A:1||||||Not"):                     `line 2: predicate_modifier is "Not", want none`,
		row(exact + "||||||"):                           `line 2: object_id is "", want an identifier`,
		row("|rdfs literal|skos:exactMatch|A:1||||||"):  `line 2: subject_label is "", want a wording`,
		row(exact + "A:1|2026|||||"):                    `line 2: mapping_date is "2026", want a date`,
		row(exact + "A:1||NaN||||"):                     `line 2: confidence is "NaN", want 0 to 1`,
		row(exact + "A:1|||\"a|||"):                     "line 2: ",
		row(near + "ax|1.5|2|"):                         `line 2: ext_start is "1.5", want a whole number`,
		row(near + "ax|1|3|"):                           "line 2: ext_start and ext_end are 1 and 3, want a range within",
		row("\n" + near + "ax|0|1|"):                    `line 3: ext_text has "a" from 0 to 1, want the subject_label, "x"`,
		prefix + row(exact+"dictionary:%zz||||||"):      `line 4: object_id is "dictionary:%zz", want a CURIE`,
	} {
		if _, err := read(file); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", file, err, want)
		}
	}
	many := strings.NewReader(row(exact+"A:1||||||") + strings.Repeat("x\trdfs literal\tskos:exactMatch\tA:1\t\t\t\t\t\t\n", 20))
	_, err := Read(bufio.NewReader(many), files.Limits{InMemory: 1000})
	must.Fail(t, err, "", "more than the limit of the memory is read")
}

func FuzzRead(f *testing.F) {
	f.Add("# curie_map: {a: b}\nsubject_label\tsubject_type\tpredicate_id\tobject_id\nx\trdfs literal\tskos:exactMatch\tA:1\n")
	f.Fuzz(func(t *testing.T, file string) {
		mappings, err := read(file)
		if err != nil {
			return
		}
		var b strings.Builder
		must.Succeed(t, Write(&b, mappings))
	})
}
