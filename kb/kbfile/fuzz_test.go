package kbfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// FuzzReadDictionary reads arbitrary content in every format. A dictionary that can be read must
// be unchanged after it is written and read again.
func FuzzReadDictionary(f *testing.F) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil || len(files) == 0 {
		f.Fatalf("no files under testdata: %v", err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for i := range len(Formats()) + 1 {
			f.Add(string(content), uint8(i))
		}
	}
	for _, c := range readCases(f) {
		f.Add(c.text, uint8(len(Formats()))) // detected
	}
	f.Fuzz(func(t *testing.T, content string, which uint8) {
		formats := append(Formats(), "")
		format := formats[int(which)%len(formats)]
		r, err := input.NewReader(strings.NewReader(content))
		if err != nil {
			return
		}
		d, report, err := read(r, "file", Options{Format: format})
		if report == nil {
			t.Fatal("no report")
		}
		if err != nil {
			return
		}
		if report.Concepts != d.Len() || report.Counts["repeated names"] < 0 {
			t.Errorf("report %+v of %d concepts", report, d.Len())
		}
		var written strings.Builder
		if err := write(&written, d); err != nil {
			t.Fatal(err)
		}
		r, err = input.NewReader(strings.NewReader(written.String()))
		if err != nil {
			t.Fatal(err)
		}
		again, _, err := read(r, "written", Options{Strict: true})
		if err != nil {
			t.Fatalf("%v in:\n%s", err, &written)
		}
		if again.Hash() != d.Hash() {
			t.Errorf("the dictionary read from its written form differs:\n%s", &written)
		}
	})
}
