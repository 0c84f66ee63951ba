package pubmed

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
)

// truthVariable is the environment variable with the path of a folder of .xml.gz
// files and their expected records in truth.jsonl.gz, one record a line in file order:
//
//	{"pmid", "file", "title", "abstract", "sections": [[label or null, text]]}
const truthVariable = "CTXNORM_TRUTH"

type truthRow struct {
	PMID     string       `json:"pmid"`
	File     string       `json:"file"`
	Title    string       `json:"title"`
	Abstract string       `json:"abstract"`
	Sections [][2]*string `json:"sections"`
}

func TestTruth(t *testing.T) {
	dir := os.Getenv(truthVariable)
	if dir == "" {
		t.Skipf("%s is not set, want a folder of .xml.gz files with a truth.jsonl.gz", truthVariable)
	}
	f, err := os.Open(filepath.Join(dir, "truth.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	decompressed, err := gzip.NewReader(bufio.NewReader(f))
	if err != nil {
		t.Fatal(err)
	}
	rows := json.NewDecoder(decompressed)
	var r *Reader
	count, file := 0, ""
	for {
		var row truthRow
		if err := rows.Decode(&row); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if row.File != file {
			if r != nil {
				checkEnd(t, r)
			}
			file = row.File
			if r, err = Open(filepath.Join(dir, file)); err != nil {
				t.Fatal(err)
			}
			defer r.Close()
		}
		rec, err := r.Next()
		if err != nil {
			t.Fatalf("record %s: %v", row.PMID, err)
		}
		got := truthRow{PMID: rec.PMID, File: file, Title: rec.Title, Abstract: rec.Abstract(), Sections: [][2]*string{}}
		for _, s := range rec.Sections {
			section := [2]*string{nil, &s.Text}
			if s.Label != "" {
				section[0] = &s.Label
			}
			got.Sections = append(got.Sections, section)
		}
		if diff := cmp.Diff(row, got); diff != "" {
			t.Fatalf("record %s of %s (-want +got):\n%s", row.PMID, file, diff)
		}
		count++
	}
	if r == nil {
		t.Fatalf("%s has no rows", f.Name())
	}
	checkEnd(t, r)
	t.Logf("%d records agree", count)
}

func checkEnd(t *testing.T, r *Reader) {
	t.Helper()
	if rec, err := r.Next(); err != io.EOF {
		t.Fatalf("after the last record: %v, %v, want io.EOF", rec, err)
	}
	if len(r.Deleted()) == 0 {
		t.Error("no deleted citations, want some at the end of each file")
	}
}
