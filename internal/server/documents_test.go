package server

import (
	"archive/zip"
	"net/http"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// TestExport checks that exported documents are, in JSONL, the answer that they came from, and in every format a file
// that names the concept.
func TestExport(t *testing.T) {
	s := newServer(t, gutConfig(t))
	linked := answerLines(t, post(s, "/v1/annotate", documents(`{"id":"7","text":"Ä gastric ulcer bled.","note":"kept"}`)).Body.Bytes())[0]
	for _, format := range formats.Outputs().Names() {
		if format == formats.OMOP || format == formats.Usagi { // G2 is not an OMOP concept
			continue
		}
		w := post(s, "/v1/export?format="+string(format), documents(linked))
		if w.Code != http.StatusOK || !strings.HasPrefix(w.Header().Get("Content-Disposition"), "attachment; filename=") {
			t.Errorf("%s: status %d, header %v: %s", format, w.Code, w.Header(), w.Body)
			continue
		}
		content := w.Body.String()
		switch format {
		case formats.XLSX, formats.Parquet:
			continue
		case formats.BRAT:
			archive := must.Get(zip.NewReader(strings.NewReader(content), int64(len(content))))
			f := must.Get(archive.Open("7.ann"))
			content = readAll(t, f)
		}
		if !strings.Contains(content, "G2") || format == formats.JSONL && content != linked+"\n" {
			t.Errorf("%s: %s, want the concept G2 of %s", format, content, linked)
		}
	}
}
