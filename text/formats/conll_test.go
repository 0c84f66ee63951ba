package formats

import (
	"bytes"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/text"
)

// TestCoNLLDocumentIDs: the line that begins a document names it between parentheses, whatever
// columns follow.
func TestCoNLLDocumentIDs(t *testing.T) {
	for line, want := range map[string]string{
		"-DOCSTART- (d1)":                 "d1",
		"-DOCSTART- (d1)\tO\t-":           "d1",
		"-DOCSTART- (d1) O":               "d1",
		"-DOCSTART- (947testa CRICKET)":   "947testa CRICKET",
		"-DOCSTART- (7 RUGBY (UNION))\tO": "7 RUGBY (UNION)",
		"-DOCSTART- (open\tO":             "open",
		"-DOCSTART- ()":                   "1",
		"-DOCSTART- -X- -X- O":            "1",
		"-DOCSTART-":                      "1",
	} {
		record, err := NewReader(strings.NewReader(line+"\n\nlung\tB-D\n"), "file", Options{Format: CoNLL}).NextRecord()
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if record.ID != want {
			t.Errorf("%q: document %q, want %q", line, record.ID, want)
		}
	}
}

// TestCoNLLWriteAndRead: the document that a writer of CoNLL names is read under that name.
func TestCoNLLWriteAndRead(t *testing.T) {
	var b bytes.Buffer
	w, err := NewWriter(&b, CoNLL)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(&Linked{Record: &Record{Document: &text.Document{ID: "d 1", Text: "No pain."}}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	record, err := NewReader(&b, "file", Options{Format: CoNLL}).NextRecord()
	if err != nil {
		t.Fatal(err)
	}
	if record.ID != "d 1" {
		t.Errorf("document %q, want the one that was written", record.ID)
	}
}
