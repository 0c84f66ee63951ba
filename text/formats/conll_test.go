package formats

import (
	"bytes"
	"testing"

	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// TestCoNLLWriteAndRead: the document that a writer of CoNLL names is read under that name.
func TestCoNLLWriteAndRead(t *testing.T) {
	var b bytes.Buffer
	w, err := NewWriter(&b, CoNLL)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(NewRecord(&text.Document{ID: "d 1", Text: "No pain."}), &linked.Document{ID: "d 1", Text: "No pain."}); err != nil {
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
