package pubmed

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// validRecord returns a well-formed record with this PMID.
func validRecord(pmid int) string {
	return fmt.Sprintf("<PubmedArticle><MedlineCitation><PMID>%d</PMID></MedlineCitation></PubmedArticle>", pmid)
}

// malformedCase is a line of testdata/malformed.tsv.
type malformedCase struct {
	name, input    string
	at             int // the expected offset of the first error
	reasons, pmids string
}

// malformed returns the cases of malformed inputs: name, input, reasons of the errors and PMIDs of the records,
// separated by tabs. In an input, | marks the expected offset of the first error, {1} is a valid record, and escapes
// are Go's.
func malformed(t testing.TB) (cases []malformedCase) {
	t.Helper()
	lines := must.Get(os.ReadFile("testdata/malformed.tsv"))
	for line := range strings.Lines(string(lines)) {
		cells := append(strings.Split(strings.TrimSuffix(line, "\n"), "\t"), "")
		input := must.Get(strconv.Unquote(`"` + strings.ReplaceAll(cells[1], `"`, `\"`) + `"`))
		for n := range 4 {
			input = strings.ReplaceAll(input, fmt.Sprintf("{%d}", n), validRecord(n))
		}
		before, after, _ := strings.Cut(input, "|")
		cases = append(cases, malformedCase{cells[0], before + after, len(before), cells[2], cells[3]})
	}
	return cases
}

func TestMalformed(t *testing.T) {
	for _, test := range malformed(t) {
		t.Run(test.name, func(t *testing.T) {
			got := read(t, []byte(test.input))
			checkAgainstOracle(t, []byte(test.input), got)
			var reasons []string
			for _, e := range got.errors {
				reasons = append(reasons, e.Reason)
			}
			if all := strings.Join(reasons, "; "); all != test.reasons || pmids(got.records) != test.pmids {
				t.Errorf("%s, records %s; want %s, records %s", all, pmids(got.records), test.reasons, test.pmids)
			}
			if len(got.errors) > 0 && got.errors[0].Offset != int64(test.at) {
				t.Errorf("first error %v, want offset %d", got.errors[0], test.at)
			}
		})
	}
}

// TestReadError checks that errors of the underlying reader are final and are not syntax errors.
func TestReadError(t *testing.T) {
	disk := errors.New("disk on fire")
	compressed := gzipped(t, []byte("<S>"+validRecord(1)+validRecord(2)+"</S>"))
	for name, data := range map[string][]byte{
		"plain":                []byte("<S>" + validRecord(1) + validRecord(2)),
		"in a record":          []byte("<S>" + validRecord(1) + validRecord(2) + "<PubmedArticle>"),
		"gzip":                 compressed[:len(compressed)-4],
		"after a syntax error": []byte("<S>" + validRecord(1) + validRecord(2) + "<PubmedArticle>&x;"),
	} {
		r := NewReader(io.MultiReader(bytes.NewReader(data), iotest.ErrReader(disk)), "a.xml")
		var records []*Record
		var err error
		for err == nil || errors.As(err, new(*SyntaxError)) {
			var rec *Record
			if rec, err = r.Next(); err == nil {
				records = append(records, rec)
			}
		}
		if err.Error() != "a.xml: disk on fire" || !errors.Is(err, disk) || pmids(records) != "1 2" {
			t.Errorf("%s: %v after the records %s, want the reader's error after 1 and 2", name, err, pmids(records))
		}
		if _, again := r.Next(); again != err {
			t.Errorf("%s: %v the second time, want the same error", name, again)
		}
	}
}

// TestLimits reads records and tokens that are too long, which must not be read into memory whole.
func TestLimits(t *testing.T) {
	const limit = 1 << 10
	long := strings.Repeat("x", 3*limit)
	many := strings.Repeat("<a/>\n", limit)
	for _, test := range []struct {
		name, input, reason string
		offset              int
		pmids               string
	}{
		{"title", "<S><PubmedArticle><a>" + long + "</a></PubmedArticle>" + validRecord(2) + "</S>",
			"text longer than 1024 bytes (Limits.Record)", 21, "2"},
		{"many elements", "<S><PubmedArticle>" + many + "</PubmedArticle>" + validRecord(2) + "</S>",
			"record longer than 1024 bytes (Limits.Record)", 3, "2"},
		{"attribute", "<S><PubmedArticle a='" + long + "'></PubmedArticle>" + validRecord(2) + "</S>",
			"tag longer than 1024 bytes (Limits.Record)", 3, "2"},
		{"comment between records", "<S><!--" + long + "-->" + validRecord(1) + validRecord(2) + "</S>",
			"comment longer than 1024 bytes (Limits.Record)", 3, "1 2"},
		{"deletions", "<S><DeleteCitation>" + strings.Repeat("<PMID>7</PMID>", limit) + "</DeleteCitation>" + validRecord(1) + "</S>",
			"DeleteCitation longer than 1024 bytes (Limits.Record)", 3, "1"},
		{"a server's error", "<S><ERROR>" + many + "</ERROR>" + validRecord(1) + "</S>",
			"ERROR longer than 1024 bytes (Limits.Record)", 3, "1"},
		{"many elements between records", "<S>" + many + validRecord(1) + validRecord(2) + "</S>", "", 0, "1 2"},
		{"name", "<S><" + strings.Repeat("x", maxName+1) + "/></S>", "name of an element is longer than 1024 bytes", 3, ""},
		{"depth", strings.Repeat("<a>", maxDepth+1), "elements nested deeper than 1000", 3 * maxDepth, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			// One byte per call bounds the amount read beyond the limit.
			r := NewReader(iotest.OneByteReader(strings.NewReader(test.input)), "a.xml")
			r.SetLimits(files.Limits{Record: limit})
			got := readAll(t, r)
			reason, offset := "", int64(0)
			if len(got.errors) > 0 {
				reason, offset = got.errors[0].Reason, got.errors[0].Offset
			}
			if reason != test.reason || offset != int64(test.offset) || pmids(got.records) != test.pmids {
				t.Errorf("byte %d: %q, records %s; want byte %d: %q, records %s",
					offset, reason, pmids(got.records), test.offset, test.reason, test.pmids)
			}
		})
	}
}

// TestDeletionsAreLimited reads unterminated lists of short deletions.
func TestDeletionsAreLimited(t *testing.T) {
	r := NewReader(strings.NewReader("<S>"+strings.Repeat("<DeleteCitation><PMID>1234567</PMID></DeleteCitation>", 1000)), "a.xml")
	r.SetLimits(files.Limits{InMemory: 100 * (deletedPMIDSize + 7)})
	for range 2 {
		_, err := r.Next()
		var limit *files.LimitError
		if !errors.As(err, &limit) || limit.Field != "InMemory" || !strings.HasPrefix(err.Error(), "a.xml: byte ") {
			t.Errorf("error %v, want one of Limits.InMemory that names the file and the byte", err)
		}
	}
	must.Equal(t, len(r.Deleted()), 101, "deletions were read")
}

// TestMemory reads 20 MB of records and a record longer than the limit, and checks the size of the window.
func TestMemory(t *testing.T) {
	t.Parallel()
	record := validRecord(1)
	long := strings.Repeat("<a>b</a>", int(files.DefaultLimits.Record)/8+1)
	r := NewReader(strings.NewReader("<S>"+strings.Repeat(record, 1<<18)+"<PubmedArticle>"+long+"</PubmedArticle></S>"), "a.xml")
	n := 0
	for {
		_, err := r.Next()
		if err == nil {
			n++
			continue
		}
		if want := fmt.Sprintf("a.xml: byte %d: record longer than %d bytes (Limits.Record)", 3+len(record)<<18, int(files.DefaultLimits.Record)); err.Error() != want {
			t.Fatalf("%v, want %s", err, want)
		}
		break
	}
	must.Equal(t, n, 1<<18, "records")
	must.Equal(t, cap(r.window.buf), windowSize, "window for small tokens")
}
