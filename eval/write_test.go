package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// checkGolden compares the output of write with a golden file, and checks that write returns write errors.
func checkGolden(t *testing.T, file string, write func(io.Writer) error) {
	t.Helper()
	var got bytes.Buffer
	must.Succeed(t, write(&got))
	if *update {
		must.Succeed(t, os.WriteFile(file, got.Bytes(), 0o666))
	}
	want := must.Get(os.ReadFile(file))
	must.Equal(t, got.String(), string(want), file, "go test -update rewrites it")
	must.FailWith(t, write(fullDisk{}), errDiskFull, file, "on a full disk")
}

type fullDisk struct{}

var errDiskFull = errors.New("the disk is full")

func (fullDisk) Write([]byte) (int, error) { return 0, errDiskFull }

// readReport reads the report in testdata.
func readReport(t *testing.T) (r Report) {
	t.Helper()
	data := must.Get(os.ReadFile("testdata/report.json"))
	must.Succeed(t, json.Unmarshal(data, &r))
	return r
}

func TestWriteReport(t *testing.T) {
	r := readReport(t)
	checkGolden(t, "testdata/report.txt", func(w io.Writer) error { return r.WriteText(w) })
	checkGolden(t, "testdata/report.md", func(w io.Writer) error { return r.WriteMarkdown(w) })
}

func TestWriteMistakes(t *testing.T) {
	set := smallSet()
	view := NewDictionaryView(smallDictionary(), set)
	gold := smallGold(t, set)
	data := must.Get(os.ReadFile("testdata/predictions.jsonl"))
	predictions := must.Get(ReadPredictions(bytes.NewReader(data), "predictions.jsonl", gold.Mentions, set, files.Limits{}))
	policy := mustPolicy(t, "strict")
	checkGolden(t, "testdata/mistakes.txt", func(w io.Writer) error { return WriteMistakes(w, predictions, policy, view, Slices(view)) })
}

// TestGroupMistakes has a mistake in one document before a more frequent one in two, and the same surface form with
// another gold concept.
func TestGroupMistakes(t *testing.T) {
	mistake := func(document, surface string, gold kb.ConceptID, predicted ...kb.ConceptID) *Prediction {
		doc := &text.Document{ID: document, Text: surface}
		m := text.Mention{Span: text.Span{Start: 0, End: len(surface)}}
		p := &Prediction{Mention: &GoldMention{Query: text.Query{Document: doc, Mention: m}, Gold: []kb.ConceptID{gold}}}
		for _, concept := range predicted {
			p.Ranked = append(p.Ranked, Candidate{Concept: concept})
		}
		return p
	}
	groups := groupMistakes([]*Prediction{
		mistake("1", "flu", "M3"),
		mistake("2", "AD", "M1", "M6", "M5"),
		mistake("2", "AD", "M1", "M6", "M5"),
		mistake("2", "AD", "M2", "M6", "M5"),
		mistake("3", "AD", "M1", "M6", "M5"),
	})
	var got []string
	for _, same := range groups {
		got = append(got, formatDocuments(same)+" "+same[0].Mention.Query.Surface())
	}
	must.Equal(t, got, []string{"3 times: 2 (2), 3 AD", "1 flu", "2 AD"})
}

func TestMarkdownEscapes(t *testing.T) {
	must.Equal(t, escapeMarkdown("a|b*c_d<e\nf"), `a\|b\*c\_d&lt;e f`)
}

// TestBriefReport compares the printed report made by hand, a report of one of its linkers, and a report of a thousand
// mentions in which a slice has one.
func TestBriefReport(t *testing.T) {
	r := readReport(t)
	checkGolden(t, "testdata/brief.txt", func(w io.Writer) error { return r.WriteBrief(w) })

	r.Results, r.Comparisons = r.Results[:1], nil // by hand, paper
	checkGolden(t, "testdata/brief_one_linker.txt", func(w io.Writer) error { return r.WriteBrief(w) })

	metric := func(numerator float64, denominator int) []Metric {
		return []Metric{{Name: "Acc@1", Ratio: Ratio{Numerator: numerator, Denominator: denominator, Value: numerator / float64(denominator)}}}
	}
	r.Results = []Result{{
		Linker: "by hand", Policy: "paper", Mentions: 1000, Metrics: metric(800, 1000),
		Slices: []SliceResult{{Name: "rare", Metrics: metric(0, 9)}, {Name: "right", Metrics: metric(500, 500)}, {Name: "hard", Metrics: metric(5, 10)}, {Name: "harder", Metrics: metric(4, 10)}},
	}}
	var got []string
	for _, row := range worstSliceTable(&r).rows {
		got = append(got, row[0])
	}
	if diff := cmp.Diff([]string{"harder", "hard"}, got); diff != "" { // rare has less than one in a hundred
		t.Errorf("worst slices (-want +got):\n%s", diff)
	}
}
