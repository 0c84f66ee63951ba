package memory

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
)

// TestSSSOM checks that entries exported as SSSOM are read back unchanged, except for the time of day and new concepts.
func TestSSSOM(t *testing.T) {
	l := openLog(t, t.TempDir())
	given := []Entry{
		nameEntry("one"),
		{Kind: KindContext, Concept: "G2", Text: "A gut\tulcer.\n\"Ä\"", Start: 2, End: 11, By: "ann", Document: "P1", Only: true},
		{Kind: KindNIL, Text: "No gut.", Start: 3, End: 6, By: "bob"},
		{Kind: KindConcept, ID: "N1", Name: "new", Parents: []kb.ConceptID{"G1"}},
		{Kind: KindName, Concept: "N1", Name: "newer"},
	}
	_, _, err := l.Import(t.Context(), given, false)
	must.Succeed(t, err)
	var b bytes.Buffer
	if leftOut, err := l.State().ExportSSSOM(&b, gut()); err != nil || leftOut != 1 {
		t.Fatalf("left out %d, %v", leftOut, err)
	}
	read, leftOut, err := ReadSSSOM(bufio.NewReader(&b), files.Limits{})
	if err != nil || leftOut != 0 {
		t.Fatalf("left out %d, %v", leftOut, err)
	}
	var want []Entry
	for _, e := range l.State().Active() {
		if e.Kind != KindConcept {
			year, month, day := e.At.UTC().Date()
			if y, m, d := read[len(want)].At.Date(); y != year || m != month || d != day {
				t.Errorf("the date is %v, want that of %v", read[len(want)].At, e.At)
			}
			e.Number, e.At, read[len(want)].At = 0, now(), now()
			read[len(want)].Label, read[len(want)].Line = "", 0
			want = append(want, e)
		}
	}
	must.Equal(t, read, want)
}

func TestReadSSSOM(t *testing.T) {
	const head = "subject_label\tsubject_type\tpredicate_id\tobject_id\tmapping_justification\n"
	const by = "\tsemapv:ManualMappingCuration\n"
	for rows, want := range map[string]string{
		"RF\trdfs literal\tskos:closeMatch\tG1" + by:                                    `line 2: ext_text is empty, want the text around "RF"`,
		"RF\trdfs literal\tskos:exactMatch\tsssom:NoTermFound" + by:                     `line 2: ext_text is empty`,
		"RF\trdfs literal\tskos:exactMatch\tG1\tsemapv:LexicalMatching\n":               "no mapping has the mapping_justification semapv:ManualMappingCuration",
		"RF\trdfs literal\tskos:exactMatch\tG1" + by + "RF\t\tskos:exactMatch\tG1" + by: "line 3: subject_type",
	} {
		if _, _, err := ReadSSSOM(bufio.NewReader(strings.NewReader(head+rows)), files.Limits{}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", rows, err, want)
		}
	}
	entries, leftOut, err := ReadSSSOM(bufio.NewReader(strings.NewReader(head+
		"RF\trdfs literal\tskos:exactMatch\tG1"+by+"RF\trdfs literal\tskos:exactMatch\tG2\tsemapv:LexicalMatching\n")), files.Limits{})
	if diff := cmp.Diff([]Entry{{Kind: KindName, Concept: "G1", Name: "RF", Line: 2}}, entries); diff != "" || leftOut != 1 || err != nil {
		t.Errorf("left out %d, %v (-want +got):\n%s", leftOut, err, diff)
	}
}

// TestSSSOMLabels checks that the label beside an identifier must be a name of its concept, in any spelling of both.
func TestSSSOMLabels(t *testing.T) {
	const head = "# curie_map:\n#   a: http://purl.obolibrary.org/obo/HP_\nsubject_label\tsubject_type\tpredicate_id\tobject_id\t" +
		"object_label\tmapping_justification\n"
	dict := kb.NewDictionary([]kb.Concept{{ID: "HP:1", Name: "coeliac disease", Synonyms: []string{"sprue"}}, {ID: "HP:2", Name: "Malaysia"}})
	for object, want := range map[string]string{
		"HP:1\tMalaysia":         `line 4: concept: HP:1 is called "Malaysia", but it is "coeliac disease"`,
		"HP_1\tanother":          `line 4: concept: HP:1 is called "another"`,
		"HP:1\tCoeliac  Disease": "", "hp:1\tsprue": "", "http://purl.obolibrary.org/obo/HP_1\t": "", "a:1\tsprue": "",
		"HP:3\tsprue": `line 4: concept: the model has no concept "HP:3"`,
	} {
		entries, _, err := ReadSSSOM(bufio.NewReader(strings.NewReader(head+"x\trdfs literal\tskos:exactMatch\t"+object+
			"\tsemapv:ManualMappingCuration\n")), files.Limits{})
		if err == nil {
			l := openLog(t, t.TempDir())
			l.Dictionary = dict
			_, entries, err = l.Import(t.Context(), entries, false)
		}
		if want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%s: error %v, want %s", object, err, want)
		}
		if want == "" && (err != nil || len(entries) != 1 || entries[0].Concept != "HP:1") {
			t.Errorf("%s: %v, error %v", object, entries, err)
		}
	}
}
