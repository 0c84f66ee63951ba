package server

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text/formats"
	"github.com/ctxnorm/ctxnorm/text/formats/sheet"
)

// upload answers a POST request with a file as its body.
func upload(h http.Handler, target, content string) *http.Response {
	r := request(http.MethodPost, target, content)
	r.Header.Set("Content-Type", fileType)
	return call(h, r).Result()
}

func zipped(t *testing.T, content string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const pubtatorFile = "7|t|Ä gastric ulcer.\n7|a|\n7\t2\t15\tgastric ulcer\tDisease\tG2\n\n"

func TestReadDocuments(t *testing.T) {
	s := newServer(t, gutConfig(t))
	for _, test := range []struct {
		query, content, format, want string
		skipped                      int
	}{
		{"", pubtatorFile, "pubtator", `"start":2,"end":15,"text":"gastric ulcer","ids":["G2"],"type":"Disease"`, 0},
		{"", zipped(t, pubtatorFile), "pubtator", `"start":2,"end":15`, 0},
		{"?format=plain&name=../notes", "One.\nTwo.", "plain", `"text":"One.\nTwo."`, 0},
		{"", "{\"text\":\"a\"}\n{\"text\":1}\n", "jsonl", `"id":"1","text":"a"`, 1},
		{"", "<script>alert(1)</script>", "", "", 0},
	} {
		w := upload(s, "/v1/documents"+test.query, test.content)
		body := readAll(t, w.Body)
		if test.format == "" {
			if w.StatusCode != http.StatusUnprocessableEntity {
				t.Errorf("%.20q: status %d, want 422: %s", test.content, w.StatusCode, body)
			}
			continue
		}
		var content fileContent
		if err := json.Unmarshal([]byte(body), &content); err != nil || w.StatusCode != http.StatusOK {
			t.Fatalf("status %d, %v: %s", w.StatusCode, err, body)
		}
		if content.Format != test.format || len(content.Documents) != 1 || content.Faults != test.skipped || len(content.Skipped) != test.skipped || !strings.Contains(body, test.want) {
			t.Errorf("%.20q: %s, want %s with %s", test.content, body, test.format, test.want)
		}
		// What is read can be linked.
		if w := post(s, "/v1/link", documents(string(content.Documents[0]))); w.Code != http.StatusOK {
			t.Errorf("%.20q: linking: %s", test.content, w.Body)
		}
	}
}

func TestReadDocumentsRefuses(t *testing.T) {
	cfg := gutConfig(t)
	cfg.Limits.Body = 1 << 20
	s := newServer(t, cfg)
	bomb := zipped(t, strings.Repeat(" ", 2<<20))
	for _, test := range []struct {
		query, content string
		status         int
		want           string
	}{
		{"", bomb, 413, "more than 1048576 bytes"},
		{"", zipped(t, zipped(t, "text")), 415, "gzip in gzip"},
		{"", "BZh91AY&SY", 415, "the file is bzip2, want it as it is or gzip"},
		{"", zipped(t, "text")[:8], 400, "could not be read"},
		{"?format=text", strings.Repeat("\n", 10) + "%PDF", 200, ""},
		{"?format=brat", "text", 422, ""},
		{"?format=word", "text", 422, ""},
		{"?other=1", "text", 422, ""},
		{"", "%PDF-1.7", 422, "got PDF"},
	} {
		w := upload(s, "/v1/documents"+test.query, test.content)
		if body := readAll(t, w.Body); w.StatusCode != test.status || !strings.Contains(body, test.want) {
			t.Errorf("%q, %.20q: status %d, want %d and %q: %s", test.query, test.content, w.StatusCode, test.status, test.want, body)
		}
	}
	wantProblem(t, post(s, "/v1/documents", `{}`), http.StatusUnsupportedMediaType)
}

func TestReadDocumentsCounts(t *testing.T) {
	s := newServer(t, gutConfig(t))
	w := upload(s, "/v1/documents?format=text", strings.Repeat("a\n", maxDocuments+1))
	if body := readAll(t, w.Body); w.StatusCode != 413 || !strings.Contains(body, "more than 10000 documents") {
		t.Errorf("status %d, want 413: %.200s", w.StatusCode, body)
	}
}

func TestShowRecord(t *testing.T) {
	s := newServer(t, gutConfig(t))
	list := ok[keptRecords](t, get(s, "/v1/records?limit=2"))
	if len(list.Records) != 2 || list.Records[0].Sentences < list.Records[1].Sentences {
		t.Errorf("the records are %+v, want the two of which the model keeps most", list.Records)
	}
	for _, r := range list.Records {
		if kept := ok[keptRecord](t, get(s, "/v1/records/"+r.ID)); kept.Sentences != r.Sentences {
			t.Errorf("the list says %d sentences of record %s, which has %d", r.Sentences, r.ID, kept.Sentences)
		}
	}
	record := ok[keptRecord](t, get(s, "/v1/records/2"))
	if record != (keptRecord{"2", "bleeding from a gastric ulcer after aspirin", 1}) {
		t.Errorf("record %+v", record)
	}
	wantProblem(t, get(s, "/v1/records/%3Cscript%3E"), http.StatusNotFound)
}

// Cells of tables that a spreadsheet takes for formulas are guarded, unless the request says otherwise.
func TestExportFormulas(t *testing.T) {
	h := newServer(t, gutConfig(t))
	const document = `{"id":"=1+1","text":"=2 a","mentions":[{"start":0,"end":2,"candidates":[]}]}`
	for query, want := range map[string]string{"csv": "'=1+1,0,2,'=2,", "tsv": "'=1+1\t0\t2\t'=2\t", "csv&formulas=true": "\n=1+1,0,2,=2,"} {
		w := post(h, "/v1/export?format="+query, documents(document))
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: status %d, %q, want %q", query, w.Code, w.Body, want)
		}
	}
}

// An export of linked documents is, in JSONL, the answer that they were taken from, and in every
// format a file that names the concept.
func TestExport(t *testing.T) {
	s := newServer(t, gutConfig(t))
	linked := answerLines(t, post(s, "/v1/annotate", documents(`{"id":"7","text":"Ä gastric ulcer bled.","note":"kept"}`)).Body.Bytes())[0]
	for _, format := range sheet.Outputs().Names() {
		w := post(s, "/v1/export?format="+string(format), documents(linked))
		if format == formats.OMOP || format == formats.Usagi {
			wantProblem(t, w, http.StatusUnprocessableEntity) // G2 is no concept of OMOP
			continue
		}
		if w.Code != http.StatusOK {
			t.Errorf("%s: status %d: %s", format, w.Code, w.Body)
			continue
		}
		content := w.Body.String()
		if format == formats.BRAT {
			archive, err := zip.NewReader(strings.NewReader(content), int64(len(content)))
			if err != nil || len(archive.File) != 2 || archive.File[1].Name != "7.ann" {
				t.Fatalf("%v, want an archive of 7.txt and 7.ann", err)
			}
			f, err := archive.Open("7.ann")
			if err != nil {
				t.Fatal(err)
			}
			content = readAll(t, f)
		}
		if format != sheet.XLSX.Name && format != sheet.Parquet.Name && !strings.Contains(content, "G2") {
			t.Errorf("%s: no G2 in %s", format, content)
		}
		if format == formats.JSONL && content != linked+"\n" {
			t.Errorf("JSONL is\n%s, want\n%s", content, linked)
		}
		if w.Header().Get("Content-Type") == "" || !strings.HasPrefix(w.Header().Get("Content-Disposition"), "attachment; filename=") {
			t.Errorf("%s: header %v", format, w.Header())
		}
	}
}

// TestExportOMOP exports what a client links by a dictionary of OMOP, also of documents that the server keeps: the
// server knows of which vocabulary a concept is.
func TestExportOMOP(t *testing.T) {
	cfg := curationConfig(t, t.TempDir(), "A gastric ulcer.")
	source, _, _ := cfg.Curation.Get(1)
	source.Source.Unnamed = true
	cfg.Model, cfg.Dictionary = "", kb.NewDictionary([]kb.Concept{{ID: "4001", Name: "gastric ulcer", Xrefs: []kb.ConceptID{"SNOMED:397825006"}}})
	h := newServer(t, cfg)
	const row = "\ngastric ulcer,0,ctxnorm,gastric ulcer,4001,SNOMED,1970-01-01,2099-12-31,\n"
	linked := answerLines(t, post(h, "/v1/annotate", documents(`{"text":"A gastric ulcer."}`)).Body.Bytes())[0]
	if w := post(h, "/v1/export?format=omop", documents(linked)); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), row) {
		t.Errorf("status %d: %s", w.Code, w.Body)
	}
	ok[curatedAnswer](t, putCurated(h, 1, `"0"`, `{"mentions": [{"start": 2, "end": 15, "concept": "4001"}], "left": 0}`))
	if w := get(h, "/v1/curation/export?format=omop"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), row) {
		t.Errorf("curated: status %d: %s", w.Code, w.Body)
	}
	if w := get(h, "/v1/curation/export?format=tsv"); !strings.Contains(w.Body.String(), "\nnotes/a.txt:n1\t2\t15\tgastric ulcer") {
		t.Errorf("a document without an identifier is not called by its file:\n%s", w.Body)
	}
}

func TestExportCorrected(t *testing.T) {
	s := newServer(t, gutConfig(t))
	// The mentions need not be in order; one is NIL, one has a concept of no name.
	doc := `{"id":"7","text":"gut ulcer","mentions":[{"start":4,"end":9,"candidates":[]},{"start":0,"end":3,"candidates":[{"id":"X:1","probability":1}]}]}`
	w := post(s, "/v1/export?format=pubtator", documents(doc))
	if want := "7|t|gut ulcer\n7|a|\n7\t0\t3\tgut\tConcept\tX:1\n7\t4\t9\tulcer\tConcept\t-\n"; !strings.Contains(w.Body.String(), want) {
		t.Errorf("%q, want %q", w.Body, want)
	}
}

func TestExportRefuses(t *testing.T) {
	s := newServer(t, gutConfig(t))
	doc := func(mention string) string {
		return documents(fmt.Sprintf(`{"id":"7","text":"gut","mentions":[%s]}`, mention))
	}
	for _, test := range []struct{ query, body, pointer string }{
		{"", doc(`{"start":1,"end":9,"candidates":[]}`), "/documents/0/mentions/0"},
		{"", doc(`{"start":0,"end":3,"candidates":[{"id":""}]}`), "/documents/0/mentions/0/candidates/0/id"},
		{"", doc(`{"start":0,"end":3}`), "/documents/0/mentions/0"},
		{"", doc(`{"start":0,"end":3,"candidates":[{"id":"X","evidence":3}]}`), "/documents/0"},
		{"?format=word", doc(""), ""},
		{"", `{"documents":[]}`, "/documents"},
		{"?format=brat", documents(`{"id":"7","text":"a","mentions":[]}`, `{"id":"7","text":"b","mentions":[]}`), "/documents/1"},
	} {
		p := wantProblem(t, post(s, "/v1/export"+test.query, test.body), http.StatusUnprocessableEntity)
		if len(p.Faults) == 0 || p.Faults[0].Pointer != test.pointer {
			t.Errorf("%s: faults %+v, want one at %q", test.body, p.Faults, test.pointer)
		}
	}
}
