package matcher

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"testing"

	"github.com/klauspost/compress/gzip"

	"ctxnorm"
	"ctxnorm/internal/testdata"
)

// unpack opens a file of real data.
func unpack(t testing.TB, name string) io.Reader {
	t.Helper()
	f, err := os.Open(testdata.File(t, name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	r, err := gzip.NewReader(f)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return r
}

// halfOfMEDIC is a dictionary of 39,960 names in lower case.
func halfOfMEDIC(t testing.TB) *ctxnorm.Dictionary {
	t.Helper()
	var concepts []ctxnorm.Concept
	lines := json.NewDecoder(unpack(t, "dict/biocom_half.jsonl.gz"))
	for lines.More() {
		var name string
		var ids []ctxnorm.ConceptID
		if err := lines.Decode(&[]any{&name, &ids}); err != nil {
			t.Fatal(err)
		}
		concepts = append(concepts, ctxnorm.Concept{ID: ids[0], Name: name})
	}
	return ctxnorm.NewDictionary(concepts)
}

// unionOfMEDIC is a dictionary of 83,943 names in lower case.
func unionOfMEDIC(t testing.TB) *ctxnorm.Dictionary {
	t.Helper()
	var names map[ctxnorm.ConceptID][]string
	if err := json.NewDecoder(unpack(t, "dict/medic_union.json.gz")).Decode(&names); err != nil {
		t.Fatal(err)
	}
	var concepts []ctxnorm.Concept
	for id, names := range names {
		concepts = append(concepts, ctxnorm.Concept{ID: id, Synonyms: names})
	}
	return ctxnorm.NewDictionary(concepts)
}

// realTexts are the first n abstracts.
func realTexts(t testing.TB, n int) []string {
	t.Helper()
	lines := bufio.NewReader(unpack(t, "raw/raw_text.jsonl.gz"))
	var texts []string
	for records := json.NewDecoder(lines); len(texts) < n; {
		var record struct{ Text string }
		if err := records.Decode(&record); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, record.Text)
	}
	return texts
}
