package formats

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// TestAssertionsOfAnnotations adds what a text says to annotations that were read, once.
func TestAssertionsOfAnnotations(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"note.txt": "no gout",
		"note.ann": "T1\tDisease 3 7\tgout\nA4\tSure T1\n",
		"note.xml": biocStart + `<collection><source>x</source><date/><key/><document><id>note</id><passage><offset>0</offset><text>no gout</text>` +
			`<annotation id="7"><infon key="type">Disease</infon><location offset="3" length="4"/><text>gout</text></annotation></passage></document></collection>`,
		"note.json": `{"source":"x","date":"","key":"","documents":[{"id":"note","passages":[{"offset":0,"text":"no gout","annotations":[` +
			`{"id":"7","infons":{"type":"Disease"},"text":"gout","locations":[{"offset":3,"length":4}]}]}]}]}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		"note.ann": "T1\tDisease 3 7\tgout\nN1\tReference T1 ctxnorm:D1\tname of D1\nA5\tNegated T1\nA4\tSure T1\n",
		"note.xml": `<infon key="type">Disease</infon><infon key="identifier">D1</infon><infon key="negated">true</infon>` +
			`<location offset="3" length="4"`,
		"note.json": `"infons":{"type":"Disease","identifier":"D1","negated":"true"}`,
	} {
		path = filepath.Join(dir, path)
		again := ""
		for range 2 {
			r, err := Open(path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			record, err := r.NextRecord()
			if err != nil {
				t.Fatal(err)
			}
			r.Close()
			l := linkTo(record, func(int) kb.ConceptID { return "D1" })
			l.Document.Mentions[0].Assertion = linked.Assertion{Negated: true}
			format := r.Format()
			var got string
			if format == BRAT {
				w := NewBRATWriter(func(name, content string) error {
					if strings.HasSuffix(name, annExtension) {
						got = content
					}
					return nil
				}, WriterOptions{})
				if err := w.Write(record, l.Document); err != nil {
					t.Fatal(err)
				}
			} else {
				got = written(t, format, l)
			}
			if again == "" && !strings.Contains(got, want) || again != "" && got != again {
				t.Errorf("%s\n%s\nwant %s", path, got, want)
			}
			again = got
			if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}
