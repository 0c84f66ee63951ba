package pubmed

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// realFiles is the number of files of real PubMed and MEDLINE XML in the test data,
// and realRecords the number of records in them, counted with the oracle.
const (
	realFiles   = 40
	realRecords = 1555
)

// realErrors lists the expected errors by file name.
var realErrors = map[string][]string{
	// A PubmedArticle without an end tag; the lines before have 19 + 16 + 17 bytes.
	"jabref_MedlineImporterTestMalformedEntry.xml.gz": {
		"byte 52: </PubmedArticleSet> where </PubmedArticle> is expected",
	},
	// An empty PubmedArticle; the line before has 19 bytes.
	"jabref_MedlineImporterTestMinimalEntry.xml.gz": {"byte 19: record without a PMID"},
	// PMC full text.
	"samuele.xml.gz": {"byte 159: <pmc-articleset> has no PubMed records, want <PubmedArticleSet>"},
}

func TestRealFiles(t *testing.T) {
	dir := fixtures.RealFile(t, "pubmed_xml")
	paths, err := filepath.Glob(filepath.Join(dir, "*.xml.gz"))
	if err != nil || len(paths) != realFiles {
		t.Fatalf("%d files in %s, want %d (%v)", len(paths), dir, realFiles, err)
	}
	total := 0
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			compressed := must.Get(os.ReadFile(path))
			unpacked := must.Get(input.Decompress(bufio.NewReader(bytes.NewReader(compressed))))
			content := must.Get(io.ReadAll(unpacked))
			r := must.Get(Open(path))
			defer r.Close()
			got := readAll(t, r)
			checkAgainstOracle(t, content, got)
			var errors []string
			for _, e := range got.errors {
				errors = append(errors, e.Error()[len(path)+2:])
			}
			must.Equal(t, errors, realErrors[filepath.Base(path)], "errors")
			if len(got.errors) == 0 && r.InputOffset() != int64(len(content)) || r.Position() != int64(len(compressed)) {
				t.Errorf("%d bytes of XML and %d compressed ones read, want %d and %d", r.InputOffset(), r.Position(), len(content), int64(len(compressed)))
			}
			total += len(got.records)
		})
	}
	must.Equal(t, total, realRecords, "records")
}
