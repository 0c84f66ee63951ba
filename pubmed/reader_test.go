package pubmed

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// citations returns the records of testdata/citations.xml, without their offsets.
func citations() []*Record {
	return []*Record{
		{
			PMID: "101", Version: 1,
			Title: "Role of BRCA1 & TP53 in tumours <2 cm.",
			Sections: []Section{
				{"METHODS, DESIGN & SETTING", "Cells had Ca2+ at 5\u00a0μM."},
				{"RESULTS", "Broken over two lines; P\u2009<\u20090.05."},
			},
		},
		{
			PMID: "102", Version: 3,
			Title:    "[A < B & C].",
			Sections: []Section{{"", "V\u0307OV 2 \"max\" '' \U0001d6fd"}},
		},
		{
			PMID: "103", Version: 1,
			Title:    "Wilson Disease",
			Sections: []Section{{"Clinical characteristics", "Liver > brain."}},
		},
		{PMID: "104", Version: 1, Title: "A Whole Book"},
		{PMID: "105", Version: 1},
	}
}

func readCitations(t testing.TB) []byte {
	t.Helper()
	return must.Get(os.ReadFile("testdata/citations.xml"))
}

func TestReader(t *testing.T) {
	input := readCitations(t)
	starts := regexp.MustCompile(`<PubmedArticle>|<PubmedBookArticle>|<MedlineCitation Status="In`).FindAllIndex(input, -1)
	starts = starts[1:] // the first is in a comment
	want := citations()
	for i, rec := range want {
		rec.Offset = int64(starts[i][0])
	}
	for name, file := range map[string][]byte{"plain": input, "gzip": gzipped(t, input)} {
		got := read(t, file)
		must.EqualBy(t, cmp.AllowUnexported(readResult{}), got, readResult{want, []string{"201", "202"}, nil, len(want)},
			name)
		checkAgainstOracle(t, input, got)
		for i, want := range []string{"Cells had Ca2+ at 5\u00a0μM. Broken over two lines; P\u2009<\u20090.05.", want[1].Sections[0].Text, "", "", ""} {
			if r := got.records[i]; i != 2 && r.Abstract() != want {
				t.Errorf("the abstract of %s is %q, want %q", r.PMID, r.Abstract(), want)
			}
		}
	}
}

// readTitle reads a record with a title.
func readTitle(t *testing.T, title string) readResult {
	return read(t, []byte("<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>"+title+
		"</ArticleTitle></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>"))
}

// TestSuperscripts drops the numbers of references and the letters of footnotes.
func TestSuperscripts(t *testing.T) {
	for title, want := range map[string]string{
		"A flood<sup>3,4</sup> of fever<sup>2-7</sup>.<sup>[1]</sup> Next":       "A flood of fever. Next",
		"fever<sup><i>3</i></sup> fever<sup>a,b</sup> fever<sup> 3 </sup>":       "fever fever fever",
		"5 m<sup>2</sup>, 2 min<sup>-1</sup>, 10<sup>5</sup>, Ser<sup>473</sup>": "5 m2, 2 min-1, 105, Ser473",
		"fever<sup>1<sup>2</sup></sup>, fever<sup/>, fever<sup>+</sup>":          "fever, fever, fever+",
		"<sup>13</sup>C of <i>rivers<sup>1</sup></i>":                            "13C of rivers",
	} {
		got := readTitle(t, title)
		if len(got.records) != 1 || got.records[0].Title != want {
			t.Errorf("%s: %+v, %v, want %q", title, got.records, got.errors, want)
		}
	}
}

// TestManySuperscripts reads a title with many superscripts in time proportional to its length.
func TestManySuperscripts(t *testing.T) {
	const words = 100_000
	long := strings.Repeat("é", 200) // a word longer than the part that is compared
	title := strings.Repeat("fever<sup>3</sup>, ", words) + long + "<sup>3</sup>"
	begin := time.Now()
	got := readTitle(t, title)
	if want := strings.Repeat("fever, ", words) + long; len(got.records) != 1 || got.records[0].Title != want {
		t.Errorf("%d records, %v; want one with all %d words and no number", len(got.records), got.errors, words)
	}
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}

// TestOpen reads a compressed file and checks the number of bytes read.
func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.xml.gz")
	_, err := Open(path)
	must.FailWith(t, err, fs.ErrNotExist)
	input := readCitations(t)
	compressed := gzipped(t, input)
	must.Succeed(t, os.WriteFile(path, compressed, 0o600))
	r, err := Open(path)
	must.Succeed(t, err)
	defer r.Close()
	for read := int64(0); err == nil; read = r.InputOffset() {
		end := input[:read]
		if len(end) > 0 && !bytes.HasSuffix(end, []byte("Article>")) && !bytes.HasSuffix(end, []byte("</MedlineCitation>")) {
			t.Errorf("a record ends at byte %d, want the end of its end tag", read)
		}
		_, err = r.Next()
	}
	if err != io.EOF || r.InputOffset() != int64(len(input)) || r.Position() != int64(len(compressed)) {
		t.Errorf("%v, offsets %d and %d at the end, want %d and %d", err, r.InputOffset(), r.Position(), len(input), len(compressed))
	}
}

// TestAllocations checks that a record takes three allocations: the record, its text and its sections. Tags take none.
func TestAllocations(t *testing.T) {
	input := bytes.Repeat([]byte("<PubmedArticle><MedlineCitation><PMID>1</PMID><a b='c'/><Article><ArticleTitle>a<i>b</i></ArticleTitle>"+
		"<Abstract><AbstractText Label='A'>c</AbstractText></Abstract></Article></MedlineCitation></PubmedArticle>"), 2000)
	r := NewReader(bytes.NewReader(input), "test.xml")
	if got := testing.AllocsPerRun(1000, func() {
		must.Get(r.Next())
	}); got > 3 {
		t.Errorf("%v allocations per record, want 3", got)
	}
}
