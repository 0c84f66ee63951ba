package formats

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// readCase is a file to read: a case of testdata/read.
type readCase struct {
	Name       string            `yaml:"name"`
	File       string            `yaml:"file,omitempty"` // its name
	Format     Format            `yaml:"format,omitempty"`
	Encoding   string            `yaml:"encoding,omitempty"`
	Unit       Unit              `yaml:"unit,omitempty"`
	Columns    map[string]string `yaml:"columns,omitempty"`
	Refuse     bool              `yaml:"refuse,omitempty"`
	Candidates bool              `yaml:"candidates,omitempty"`
	Input      string            `yaml:"input"`
	Want       string            `yaml:"want"` // see readCase.read
}

// read returns a line for each document with its mentions, each warning and error, and the format.
func (c *readCase) read() string {
	var b strings.Builder
	file := c.File
	if file == "" {
		file = "file"
	}
	r := NewReader(strings.NewReader(c.Input), file, Options{Format: c.Format, Encoding: c.Encoding, Unit: c.Unit,
		Columns: c.Columns, RefuseMisspelled: c.Refuse, Candidates: c.Candidates,
		Warn: func(w *RecordError) { fmt.Fprintln(&b, "warning", w) }})
	for {
		record, err := r.Next()
		if _, isRecord := errors.AsType[*RecordError](err); isRecord {
			fmt.Fprintln(&b, "error", err)
			continue
		}
		if err == io.EOF {
			fmt.Fprintln(&b, "end of", r.Format())
			return b.String()
		}
		if err != nil {
			fmt.Fprintln(&b, "failed", err)
			return b.String()
		}
		fmt.Fprintf(&b, "%s %q", record.ID, record.Text)
		if record.Group != "" {
			fmt.Fprint(&b, " of ", record.Group)
		}
		if record.Unnamed {
			fmt.Fprint(&b, " unnamed")
		}
		fmt.Fprintln(&b)
		for i, m := range record.Mentions {
			fmt.Fprintf(&b, "  %d-%d %q", m.Start, m.End, m.Of(record.Text))
			for _, f := range m.Fragments {
				fmt.Fprintf(&b, " %d+%d", f.Start, f.Len())
			}
			if m.Type != "" {
				fmt.Fprintf(&b, " %s", m.Type)
			}
			for _, id := range m.Concepts {
				fmt.Fprintf(&b, " <%s>", id)
			}
			if m.Composite {
				fmt.Fprint(&b, " composite")
			}
			if m.Sense != nil {
				fmt.Fprintf(&b, " %q in %d", m.Sense.LongForm, m.Sense.Records)
			}
			if record.Annotations != nil {
				a := record.Annotations[i]
				fmt.Fprintf(&b, " as %s %d-%d", a.ID, a.Start, a.End)
			}
			fmt.Fprintln(&b)
		}
	}
}

// readYAML returns the cases in YAML files.
func readYAML[T any](t testing.TB, pattern string) (cases []*T) {
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no file %s, %v", pattern, err)
	}
	for _, path := range paths {
		data := must.Get(os.ReadFile(path))
		var of []*T
		if err := yaml.Unmarshal(data, &of); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		cases = append(cases, of...)
	}
	return cases
}

// TestRead reads the files of testdata/read.
func TestRead(t *testing.T) {
	for _, c := range readYAML[readCase](t, "testdata/read/*.yaml") {
		t.Run(c.Name, func(t *testing.T) {
			if diff := cmp.Diff(c.Want, c.read()); diff != "" {
				t.Errorf("%q (-want +got):\n%s", c.Input, diff)
			}
		})
	}
}

// readAll reads to the end of the file. It returns the documents and the messages of the malformed records.
func readAll(t testing.TB, r *Reader) (docs []*Record, problems []string) {
	t.Helper()
	for {
		doc, err := r.Next()
		var bad *RecordError
		switch {
		case err == io.EOF:
			if _, again := r.Next(); again != io.EOF {
				t.Errorf("after the end: %v, want io.EOF again", again)
			}
			return docs, problems
		case errors.As(err, &bad):
			problems = append(problems, bad.Error())
		case err != nil:
			t.Fatal(err)
		default:
			docs = append(docs, doc)
		}
	}
}

// countingDuplicates returns options with which a reader counts the documents that it skips.
func countingDuplicates(n *int) Options {
	return Options{Warn: func(e *RecordError) {
		if strings.Contains(e.Reason, "is skipped: it is already at line") {
			*n++
		}
	}}
}

// newSubMention returns a sub-mention with one candidate.
func newSubMention(c linked.Candidate) linked.SubMention {
	return linked.SubMention{Text: "tumor", Candidates: []linked.Candidate{c}}
}
