package eval

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

func writeGold(t *testing.T, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "gold.jsonl")
	must.Succeed(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o666))
	return path
}

func TestReadGold(t *testing.T) {
	path := writeGold(t,
		`{"id":"1","text":"A B","mentions":[{"start":0,"end":3,"ids":["MESH:M1","X9"],"type":"Disease"},{"start":0,"end":1,"ids":["M1"],"type":"Chemical"}]}`,
		`not a document`,
		`{"id":"1","text":"A B","mentions":[{"start":0,"end":3,"ids":["M1"],"type":"Disease"}]}`, // the first document again
		`{"id":"1","text":"another","mentions":[{"start":0,"end":7,"ids":["M1"],"type":"Disease"}]}`,
	)
	gold := readGold(t, smallSet(), []string{"Disease"}, path)
	if len(gold.Mentions) != 2 || len(gold.Malformed) != 1 {
		t.Fatalf("%d mentions, %d malformed records, want 2 and 1", len(gold.Mentions), len(gold.Malformed))
	}
	if got := gold.Mentions[0]; len(got.Gold) != 1 || got.Gold[0] != "M1" || len(got.Outside) != 1 || got.Outside[0] != "X9" || got.subMentions() != 1 {
		t.Errorf("first mention %+v, want M1, outside X9, not composite", got)
	}
	must.Equal(t, len(readGold(t, smallSet(), nil, path).Mentions), 3, "mentions of all types")
}

// TestReadGoldFragments reads a second file with a mention that differs from one in the first only by its fragments.
func TestReadGoldFragments(t *testing.T) {
	const document = `{"id":"1","text":"A B or C D","mentions":[{"fragments":[{"start":0,"end":1},%s{"start":9,"end":10}],"ids":["M1"]}]}`
	first, second := fmt.Sprintf(document, ""), fmt.Sprintf(document, `{"start":7,"end":8},`)
	gold := readGold(t, smallSet(), nil, writeGold(t, first), writeGold(t, first, second))
	if len(gold.Mentions) != 2 || gold.Mentions[0].Query.Surface() != "A D" || gold.Mentions[1].Query.Surface() != "A C D" {
		t.Errorf("%d mentions, want A D and A C D", len(gold.Mentions))
	}
}

// TestReadGoldTable reads a table, whose rows are mentions in the documents that they name, and a second file with
// other mentions in a document.
func TestReadGoldTable(t *testing.T) {
	table := filepath.Join(t.TempDir(), "gold.tsv")
	rows := []string{
		"document\ttext\tstart\tend\ttype\tids",
		"1\tA B\t2\t3\tDisease\tM1",
		"2\tA B\t0\t1\tDisease\tM1",
		"1\tA B\t0\t1\tDisease\tM1",
		"1\tA B\t0\t1\tDisease\tM1", // a repeated row
		"1\tA B\t0\t1\tDisease\tX9", // another concept for the same span
	}
	must.Succeed(t, os.WriteFile(table, []byte(strings.Join(rows, "\n")), 0o666))
	other := writeGold(t, `{"id":"1","text":"A B","mentions":[{"start":2,"end":3,"ids":["X9"],"type":"Disease"},{"start":0,"end":1,"ids":["M1"],"type":"Chemical"}]}`)
	gold := readGold(t, smallSet(), nil, table, other)
	var got []string
	for _, m := range gold.Mentions {
		q := m.Query
		got = append(got, fmt.Sprint(q.Document.ID, " ", len(q.Document.Mentions), " ", q.Mention.Start, " ", q.Mention.Type, " ", q.Mention.Concepts))
	}
	want := []string{"1 4 0 Disease [M1]", "1 4 0 Disease [X9]", "1 4 0 Chemical [M1]", "1 4 2 Disease [M1]", "2 1 0 Disease [M1]"}
	must.Equal(t, got, want)
}

func TestReadGoldErrors(t *testing.T) {
	diseases := writeGold(t, `{"id":"1","text":"A B","mentions":[{"start":0,"end":3,"ids":["M1"],"type":"Disease"}]}`)
	for _, tc := range []struct {
		path string
		want string
	}{
		{diseases, `no mention of the types ["Gene"], the files have ["Disease"]`},
		{writeGold(t, `{"id":"1","text":"A B","mentions":[{"start":0,"end":3,"ids":["M1"]}]}`), "the mentions have no types"},
		{writeGold(t, `{"id":"1","text":"A B"}`), "no mention in 1 document"},
		{"testdata/no-such-file", "no-such-file"},
	} {
		_, err := ReadGold([]string{tc.path}, []string{"Gene"}, smallSet(), files.Limits{})
		must.Fail(t, err, tc.want)
	}
}

// TestReadGoldMalformed checks that gold without any good record is an error that describes the first one.
func TestReadGoldMalformed(t *testing.T) {
	path := writeGold(t,
		`{"id":"1","text":"A B"}`,
		`{"id":"2","text":"A B","mentions":[{"start":0,"end":3,"ids":"M1"}]}`,
		`not a document`,
	)
	_, err := ReadGold([]string{path}, nil, smallSet(), files.Limits{})
	want := path + ": no mention in 2 documents; skipped 2 malformed records, first " + path + ":2: "
	if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), "ids") {
		t.Errorf("error %v, want one that begins with %s and names ids", err, want)
	}
	if record, ok := errors.AsType[*formats.RecordError](err); !ok || record.Line != 2 {
		t.Errorf("error %v holds the record error %v, want that of line 2", err, record)
	}
}

// TestGoldIsLimited reads gold, which is kept in memory, beyond the limit.
func TestGoldIsLimited(t *testing.T) {
	for name, tc := range map[string]struct{ line, place string }{
		"documents":        {`{"text":"Breast cancer","mentions":[{"start":0,"end":13,"ids":["M1"]}]}`, `: document "`},
		"without mentions": {`{"text":"Breast cancer"}`, `: document "`},
		"malformed":        {`{"text":`, ":"},
	} {
		path := writeGold(t, slices.Repeat([]string{tc.line}, 1000)...)
		_, err := ReadGold([]string{path}, nil, smallSet(), files.Limits{InMemory: 10_000})
		if limit, ok := errors.AsType[*files.LimitError](err); !ok || limit.Field != "InMemory" || !strings.HasPrefix(err.Error(), path+tc.place) {
			t.Errorf("%s: error %v, want one of Limits.InMemory that names the place", name, err)
		}
	}
}

// TestRealGold compares the numbers of mentions with those given by the corpora and the papers, and the numbers outside
// the 13,063 concepts with an independent count.
func TestRealGold(t *testing.T) {
	file := must.Get(os.Open(fixtures.RealFile(t, "dict/biocom_concept_map.json.gz")))
	defer file.Close()
	unpacked := must.Get(gzip.NewReader(file))
	var concepts map[kb.ConceptID][]kb.ConceptID
	must.Succeed(t, json.NewDecoder(unpacked).Decode(&concepts))
	set := NewConceptSet(concepts)
	for _, tc := range []struct {
		file                          string
		types                         []string
		mentions, outside, composites int
	}{
		{"gold/ncbi_dev.pubtator.gz", nil, 787, 4, 20},
		{"gold/bc5cdr_dev.pubtator.gz", []string{"Disease"}, 4244, 16, 98},
		{"gold/medmentions_dev.jsonl.gz", nil, 1264, 0, 0},
	} {
		gold := readGold(t, set, tc.types, fixtures.RealFile(t, tc.file))
		r := NewReport(gold, 1)
		if r.Mentions != tc.mentions || r.Outside != tc.outside || r.Composite != tc.composites || r.Malformed != 0 {
			t.Errorf("%s: %d mentions, %d outside, %d composite, %d unreadable; want %d, %d, %d, 0",
				tc.file, r.Mentions, r.Outside, r.Composite, r.Malformed, tc.mentions, tc.outside, tc.composites)
		}
	}
}
