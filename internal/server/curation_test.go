package server

import (
	"context"
	"encoding/csv"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/curation"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// curationStore returns a store of documents with the given texts.
func curationStore(t testing.TB, dir string, texts ...string) *curation.Store {
	t.Helper()
	var sources []curation.Source
	for i, body := range texts {
		doc := &text.Document{ID: fmt.Sprint("n", i+1), Text: body}
		sources = append(sources, curation.Source{Document: doc, File: "notes/a.txt"})
	}
	store := must.Get(curation.Open(t.Context(), dir, sources))
	t.Cleanup(store.Close)
	return store
}

// sheetCells are the cells of a table to code, with their counts. By strings, the first two need review and the last is
// NIL.
var sheetCells = []struct {
	cell  string
	count int
}{{"gastric ulceration", 30}, {"coeliac illness", 20}, {"gastric ulcer", 130}, {"duodenal ulcer", 90}, {"coeliac disease", 20}, {"pending", 10}}

// sheetStore returns a store of a table with [sheetCells], interleaved.
func sheetStore(t testing.TB, dir string) *curation.Store {
	t.Helper()
	var sources []curation.Source
	for turn := range 130 {
		for _, c := range slices.Backward(sheetCells) {
			if turn >= c.count {
				continue
			}
			id := fmt.Sprint("case ", len(sources)+1)
			doc := &text.Document{ID: id, Text: c.cell, Mentions: []text.Mention{{Span: text.Span{End: len(c.cell)}}}}
			columns := []formats.Column{{Name: "Case", Value: id}, {Name: "Diagnosis", Value: c.cell}, {Name: "Ward", Value: fmt.Sprint("W", turn%4)},
				{Name: "Concept", Value: "as written"}} // also a title on the page
			sources = append(sources, curation.Source{Document: doc, File: "rows.xlsx", Columns: columns})
		}
	}
	store := must.Get(curation.Open(t.Context(), dir, sources))
	t.Cleanup(store.Close)
	return store
}

// putCurated answers PUT /v1/curation/1 for a document that nobody has changed yet.
func putCurated(h http.Handler, body string) *httptest.ResponseRecorder {
	r := request(http.MethodPut, "/v1/curation/1", body)
	r.Header.Set("If-Match", `"0"`)
	return call(h, r)
}

// TestCuratorsAtOnce checks that if two curators change the same version, one gets an error and the other's decisions
// are stored.
func TestCuratorsAtOnce(t *testing.T) {
	h := newServer(t, scriptServer(t, "strings", `"Kept":["A gastric ulcer."]`))
	codes := make(map[int]string)
	var mu sync.Mutex
	var both sync.WaitGroup
	for _, concept := range []string{"G2", "G4"} {
		both.Go(func() {
			w := putCurated(h, fmt.Sprintf(`{"mentions": [{"start": 2, "end": 15, "concept": %q}], "left": 0}`, concept))
			mu.Lock()
			defer mu.Unlock()
			codes[w.Code] = concept
		})
	}
	both.Wait()
	stored := fmt.Sprintf(`"ids":["%s"]`, codes[http.StatusOK])
	if body := get(h, "/v1/curation/1").Body.String(); codes[http.StatusPreconditionFailed] == "" || !strings.Contains(body, stored) {
		t.Errorf("%v answered, stored is %s; want one that is stored and one of another version", codes, body)
	}
}

// TestCurationNotWritten checks that a failure to write decisions is reported, and nothing is acknowledged.
func TestCurationNotWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "decisions")
	cfg := scriptServer(t, "strings", "")
	cfg.Curation = curationStore(t, dir, "A gastric ulcer.")
	h := newServer(t, cfg)
	must.Succeed(t, os.RemoveAll(dir))
	wantProblem(t, putCurated(h, `{"mentions": [], "left": 0}`), http.StatusForbidden)
	must.Contain(t, get(h, "/v1/curation/1").Body.String(), `"opened":false`, "what was not written")
}

// sheetServer returns a server of the dictionary and the table of the page's tests.
func sheetServer(t *testing.T) *Server {
	t.Helper()
	cfg := Config{Dictionary: modelOf(kb.NewDictionary([]kb.Concept{{ID: "G1", Name: "coeliac disease"}, {ID: "G2", Name: "gastric ulcer"}, {ID: "G4", Name: "duodenal ulcer"}}))}
	cfg.Link.MinScore = .6 // the default of the command
	cfg.Curation = sheetStore(t, t.TempDir())
	return newServer(t, cfg)
}

// TestEqualRows checks that rows to review come first, then the most frequent. A decision on one row applies to equal
// rows until it is undone, except to a row that somebody decided on its own.
func TestEqualRows(t *testing.T) {
	h := sheetServer(t)
	page := ok[curationPage](t, get(h, "/v1/curation?order=worst&once=true&full=true"))
	for i, c := range sheetCells {
		d := page.Documents[i]
		if d.Title != c.cell || d.Equal != c.count || (d.Unsure == 1) != (i < 2) || len(d.Cells) != len(page.Columns) || len(d.Source) == 0 {
			t.Errorf("row %d is %+v, want %q %d times, with its cells", i, d.Entry, c.cell, c.count)
		}
	}
	if len(page.Documents) != len(sheetCells) || page.Progress.Unsure != 50 || page.Progress.Left != 300 {
		t.Errorf("%d rows, progress %+v, want %d of 300, 50 unsure", len(page.Documents), page.Progress, len(sheetCells))
	}
	put := func(number, version, done int, body string) {
		t.Helper()
		r := request(http.MethodPut, fmt.Sprint("/v1/curation/", number), body)
		r.Header.Set("If-Match", fmt.Sprintf("%q", fmt.Sprint(version)))
		must.Equal(t, ok[curatedDocument](t, call(h, r)).All.Done, done, "after", body, "of row", number, "rows done")
	}
	const asG2 = `{"mentions": [{"start": 0, "end": 18, "concept": "G2"}], "left": 0, "equal": true}`
	first := page.Documents[0].Number
	second := ok[curationPage](t, get(h, fmt.Sprintf("/v1/curation?order=worst&limit=1&after=%d", first))).Documents[0]
	if second.Title != sheetCells[0].cell || second.Number == first {
		t.Fatalf("after row %d is %+v, want its equal", first, second.Entry)
	}
	put(second.Number, 0, 1, `{"mentions": [{"start": 0, "end": 18}], "left": 0}`)
	put(first, 0, 30, asG2)
	put(first, 1, 1, `{"mentions": [], "left": 1, "equal": true}`)
	put(first, 2, 30, asG2)
}

// TestExportedTable checks that an exported table has all rows with the user's columns, who decided, and links for
// undecided rows.
func TestExportedTable(t *testing.T) {
	h := sheetServer(t)
	r := request(http.MethodPut, "/v1/curation/6", `{"by": "ann", "mentions": [{"start": 0, "end": 18, "concept": "G4"}], "left": 0, "equal": true}`)
	r.Header.Set("If-Match", `"0"`)
	ok[curatedDocument](t, call(h, r))
	rows, err := csv.NewReader(get(h, "/v1/curation/export?format=csv").Body).ReadAll()
	if err != nil || len(rows) != 301 {
		t.Fatalf("%d rows, %v, want a header and 300", len(rows), err)
	}
	column := func(row []string, name string) string { return row[slices.Index(rows[0], name)] }
	for i, want := range map[int]string{1: "case 1 pending  W0 no ", 4: "case 4 gastric ulcer G2 W0 no ", 5: "case 5 coeliac illness  W0 yes ",
		6: "case 6 gastric ulceration G4 W0 no corrected by ann"} {
		got := ""
		for _, name := range []string{"Case", "Diagnosis", "id", "Ward", "review", "corrected"} {
			got += column(rows[i], name) + " "
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("row %d is %q, want %q", i, got, want)
		}
	}
	file := must.Get(excelize.OpenReader(get(h, "/v1/curation/export?format=xlsx").Body))
	sheet, err := file.GetRows("mentions")
	if err != nil || len(sheet) != 301 || sheet[1][1] != "coeliac illness" || sheet[20][1] != "coeliac illness" {
		t.Errorf("a workbook of %d rows, %v, begins with %q, want those to review", len(sheet), err, sheet[:min(2, len(sheet))])
	}
	must.Equal(t, strings.Count(get(h, "/v1/curation/export").Body.String(), "\n"), 30, "documents in JSONL")
	if metrics := get(h, "/metrics").Body.String(); !strings.Contains(metrics, "ctxnorm_curation_mentions_left 270\n") || !strings.Contains(metrics, "ctxnorm_curation_mentions_unsure 20\n") {
		t.Error("the metrics do not say that 270 mentions are left, 20 of them unsure")
	}
}

// slowClient takes some time to receive each chunk of a response.
type slowClient struct{ *httptest.ResponseRecorder }

func (c slowClient) Write(p []byte) (int, error) {
	time.Sleep(2 * time.Millisecond)
	return c.ResponseRecorder.Write(p)
}

// TestSlowExport checks that an export may take longer than other requests, as long as each of its chunks does not.
func TestSlowExport(t *testing.T) {
	h := sheetServer(t)
	h.cfg.Limits.Time = 300 * time.Millisecond // a row takes 2 ms
	w := httptest.NewRecorder()
	began := time.Now()
	h.ServeHTTP(slowClient{w}, request(http.MethodGet, "/v1/curation/export?format=csv", ""))
	if rows, err := csv.NewReader(w.Body).ReadAll(); err != nil || len(rows) != 301 || time.Since(began) < h.cfg.Limits.Time {
		t.Errorf("after %v there are %d rows, %v, want a header and 300", time.Since(began), len(rows), err)
	}
}

// cutEncoder fails for one mention, like a file that is truncated while it is mapped.
type cutEncoder struct{ text.Encoder }

func (e cutEncoder) Encode(ctx context.Context, dst []float32, queries []text.Query) error {
	for _, q := range queries {
		if strings.Contains(fmt.Sprint(q), "panic") {
			panic("cut")
		}
	}
	return e.Encoder.Encode(ctx, dst, queries)
}

// TestSurvey checks that documents are linked in advance even if they have too many mentions to be linked together, and
// that a panic while linking one does not end the server.
func TestSurvey(t *testing.T) {
	cfg := gutConfig(t)
	cfg.Limits.Input.Mentions = 3
	cfg.Batching.Size = 1
	open := cfg.Open.OpenEncoder
	cfg.Open.OpenEncoder = func(dir string) (ctxnorm.Encoder, error) {
		encoder, err := open(dir)
		return cutEncoder{encoder}, err
	}
	var logged atomic.Pointer[string]
	cfg.Errorf = func(format string, args ...any) { logged.Store(new(fmt.Sprintf(format, args...))) }
	var sources []curation.Source
	for i := range 66 { // the last two are linked together
		doc := &text.Document{ID: fmt.Sprint(i), Text: fmt.Sprint("gastric ulcer ", i), Mentions: []text.Mention{{Span: text.Span{End: 13}}}}
		if i == 65 {
			doc.Text = "panic ulcers of the stomach"
		}
		sources = append(sources, curation.Source{Document: doc, File: "a.jsonl"})
	}
	store := must.Get(curation.Open(t.Context(), t.TempDir(), sources))
	defer store.Close()
	cfg.Curation = store
	s := must.Get(New(t.Context(), cfg))
	defer s.Close()
	for range 500 {
		if message := logged.Load(); message != nil && store.Progress().Linked == 64 {
			must.Contain(t, *message, "documents 65 to 66 are not linked in advance: panic: cut", "is logged")
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d documents are linked, want 64 of 66", store.Progress().Linked)
}
