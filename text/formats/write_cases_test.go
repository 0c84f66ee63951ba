package formats

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// writeCase is a case of testdata/write: records, and their output in each format.
type writeCase struct {
	Name    string            `yaml:"name"`
	Input   string            `yaml:"input,omitempty"` // a file whose mentions are linked to the concepts NEW0, NEW1 and so on
	Ann     string            `yaml:"ann,omitempty"`   // the annotations of a BRAT document
	Columns map[string]string `yaml:"columns,omitempty"`
	Linked  []string          `yaml:"linked,omitempty"` // linked documents in JSON, instead of these links
	Tagged  bool              `yaml:"tagged,omitempty"` // the mentions of Linked come from a tagger, not from the file
	Options WriterOptions     `yaml:"options,omitempty"`
	Want    map[Format]string `yaml:"want,omitempty"` // the output, with lines of reports and errors
	Has     map[Format]string `yaml:"has,omitempty"`  // lines that the output must contain
}

// open returns a reader of the input.
func (c *writeCase) open(t *testing.T, input, ann string) *Reader {
	if ann == "" {
		return NewReader(strings.NewReader(input), "file", Options{Columns: c.Columns})
	}
	base := filepath.Join(t.TempDir(), "note")
	for extension, content := range map[string]string{".txt": input, ".ann": ann} {
		must.Succeed(t, os.WriteFile(base+extension, []byte(content), 0o666))
	}
	r := must.Get(Open(base+".ann", Options{}))
	t.Cleanup(func() { r.Close() })
	return r
}

// records returns the records of r with their links.
func (c *writeCase) records(t *testing.T, r *Reader) (docs []*linkedTo) {
	for c.Input != "" {
		record, err := r.Next()
		if _, isRecord := err.(*RecordError); isRecord {
			continue
		}
		if err != nil {
			break
		}
		docs = append(docs, linkTo(record, func(i int) kb.ConceptID { return kb.ConceptID(fmt.Sprint("NEW", i)) }))
	}
	for i, content := range c.Linked {
		d := new(linked.Document)
		must.Succeed(t, json.Unmarshal([]byte(content), d))
		d.Tagged = c.Tagged
		if i < len(docs) {
			docs[i].Document = d
			continue
		}
		docs = append(docs, &linkedTo{NewRecord(&text.Document{ID: d.ID, Text: d.Text}), d})
	}
	return docs
}

// write returns the output of a format for the records; for BRAT, only the annotation file.
func (c *writeCase) write(t *testing.T, format Format, docs []*linkedTo) string {
	var out, reports strings.Builder
	options := c.Options
	options.Lost = func(document, what string) { fmt.Fprintf(&reports, "lost %s: %s\n", document, what) }
	options.Formula = func(cell string) { fmt.Fprintf(&reports, "formula %s\n", cell) }
	w, err := Outputs().NewWriter(&out, format, options)
	if format == BRAT {
		w = NewBRATWriter(func(name, content string) error {
			if strings.HasSuffix(name, annExtension) {
				out.WriteString(content)
			}
			return nil
		}, options)
	}
	for i := 0; err == nil && i < len(docs); i++ {
		if err := w.Write(docs[i].Record, docs[i].Document); err != nil {
			fmt.Fprintln(&reports, "error", err)
		}
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.String() + reports.String()
}

// TestWrite writes the cases of testdata/write. Output in the format of its file is stable when written again.
func TestWrite(t *testing.T) {
	for _, c := range readYAML[writeCase](t, "testdata/write/*.yaml") {
		t.Run(c.Name, func(t *testing.T) {
			for format, want := range c.Want {
				r := c.open(t, c.Input, c.Ann)
				got := c.write(t, format, c.records(t, r))
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", format, diff)
				}
				if r.Format() != format || !slices.Contains([]Format{BRAT, BioC, BioCJSON, PubTator}, format) {
					continue
				}
				again := c.open(t, got, "")
				if format == BRAT {
					again = c.open(t, c.Input, got)
				}
				if diff := cmp.Diff(got, c.write(t, format, c.records(t, again))); diff != "" {
					t.Errorf("%s again (-first +second):\n%s", format, diff)
				}
			}
			for format, parts := range c.Has {
				got := c.write(t, format, c.records(t, c.open(t, c.Input, c.Ann)))
				for part := range strings.Lines(parts) {
					part, isAbsent := strings.CutPrefix(strings.TrimSuffix(part, "\n"), "NOT ")
					if strings.Contains(got, part) == isAbsent {
						t.Errorf("%s has %q: %t\n%s", format, part, !isAbsent, got)
					}
				}
			}
		})
	}
}
