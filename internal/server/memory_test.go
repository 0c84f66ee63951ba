package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/memory"
	"github.com/ctxnorm/ctxnorm/text"
)

// linkedIDs links the name in a text and returns the identifiers of its candidates, and their probabilities.
func linkedIDs(t *testing.T, s *Server, id, text, name string) []string {
	t.Helper()
	start := strings.Index(text, name)
	doc := fmt.Sprintf(`{"id":%q,"text":%q,"mentions":[{"start":%d,"end":%d}]}`, id, text, start, start+len(name))
	answer := ok[struct {
		Documents []struct {
			Mentions []struct {
				Candidates []struct {
					ID          string
					Probability float64
					Evidence    []struct{ Source string }
				}
				Corrected string
			}
		}
	}](t, post(s, "/v1/link?explain=true", documents(doc)))
	ids := []string{}
	for _, c := range answer.Documents[0].Mentions[0].Candidates {
		ids = append(ids, c.ID)
	}
	return ids
}

func TestMemory(t *testing.T) {
	s := newServer(t, gutConfig(t))
	const text = "The boring belly hurts."
	if got := linkedIDs(t, s, "d", text, "boring belly"); len(got) > 0 && got[0] == "G4" {
		t.Fatalf("linked to %s before", got)
	}
	added := ok[memory.Entry](t, post(s, "/v1/memory", `{"kind":"context","text":"The boring belly hurts.","start":4,"end":16,"concept":"G4","by":"ann","document":"d"}`))
	want := memory.Entry{Number: 1, At: added.At, By: "ann", Kind: "context", Text: text, Start: 4, End: 16, Concept: "G4", Document: "d"}
	if diff := cmp.Diff(want, added); diff != "" || time.Since(added.At) > time.Minute {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := linkedIDs(t, s, "d", text, "boring belly"); !cmp.Equal(got, []string{"G4"}) {
		t.Errorf("linked to %s, want the correction G4", got)
	}
	ok[memory.Entry](t, post(s, "/v1/memory", `{"kind":"concept","id":"N:1","name":"red throat","parents":["G0"],"by":"bob"}`))
	ok[memory.Entry](t, post(s, "/v1/memory", `{"kind":"name","concept":"N:1","name":"scarlet gullet"}`))
	if got := linkedIDs(t, s, "e", "A scarlet gullet.", "scarlet gullet"); len(got) == 0 || got[0] != "N:1" {
		t.Errorf("linked to %s, want first the new concept N:1 by its new name", got)
	}
	found := ok[conceptDetails](t, get(s, "/v1/concepts/N:1"))
	if !cmp.Equal(found.Names, []string{"red throat", "scarlet gullet"}) {
		t.Errorf("the concept has the names %q", found.Names)
	}
	if doc := get(s, "/v1/memory/export"); doc.Code != http.StatusOK {
		t.Errorf("status %d: %s", doc.Code, doc.Body)
	}

	list := ok[memoryPage](t, get(s, "/v1/memory?limit=2"))
	if list.Count != 3 || len(list.Entries) != 2 || list.Entries[0].Number != 3 || *list.NextOffset != 2 {
		t.Errorf("list %+v, want the last two of three entries", list)
	}
	wantProblem(t, call(s, request(http.MethodDelete, "/v1/memory/2", "")), http.StatusConflict)
	undo := ok[memory.Entry](t, call(s, request(http.MethodDelete, "/v1/memory/1?by=eve", "")))
	if undo.Number != 4 || undo.Undoes != 1 || undo.By != "eve" {
		t.Errorf("undone by %+v", undo)
	}
	if got := linkedIDs(t, s, "d", text, "boring belly"); cmp.Equal(got, []string{"G4"}) {
		t.Error("the correction is undone, and linked by")
	}
	wantProblem(t, call(s, request(http.MethodDelete, "/v1/memory/1", "")), http.StatusNotFound)
	wantProblem(t, call(s, request(http.MethodDelete, "/v1/memory/99", "")), http.StatusNotFound)
}

// A correction of one mention alone leaves the others of its wording as they are, in the same sentence, text and
// document, is stronger than one of the wording, and disagrees with those of the same mention alone.
func TestMemoryOfOneMention(t *testing.T) {
	s := newServer(t, gutConfig(t))
	const text = "The CD is CD. No CD."
	add := func(entry string, status int) {
		t.Helper()
		if w := post(s, "/v1/memory", entry); w.Code != status {
			t.Errorf("%s: status %d, want %d: %s", entry, w.Code, status, w.Body)
		}
	}
	correct := func(at int, more string, status int) {
		t.Helper()
		add(fmt.Sprintf(`{"kind":"context","text":%q,"start":%d,"end":%d,"document":"d"%s}`, text, at, at+2, more), status)
	}
	corrected := func() string {
		t.Helper()
		doc := fmt.Sprintf(`{"id":"d","text":%q,"mentions":[{"start":4,"end":6},{"start":10,"end":12},{"start":17,"end":19}]}`, text)
		answer := ok[struct {
			Documents []struct {
				Mentions []struct {
					Candidates []struct{ ID string }
					Corrected  string
				}
			}
		}](t, post(s, "/v1/link", documents(doc)))
		said := ""
		for _, m := range answer.Documents[0].Mentions {
			switch {
			case m.Corrected == "":
				said += "- "
			case len(m.Candidates) == 0:
				said += "NIL "
			default:
				said += m.Candidates[0].ID + " "
			}
		}
		return strings.TrimSpace(said)
	}
	correct(10, `,"concept":"G1","only":true`, http.StatusOK)
	if got, want := corrected(), "- G1 -"; got != want {
		t.Errorf("corrected are %s, want %s", got, want)
	}
	correct(4, `,"concept":"G2"`, http.StatusOK) // of the wording
	if got, want := corrected(), "G2 G1 G2"; got != want {
		t.Errorf("corrected are %s, want %s", got, want)
	}
	correct(10, `,"concept":"G4","only":true`, http.StatusConflict)
	correct(17, `,"concept":"G4","only":true`, http.StatusOK)
	add(fmt.Sprintf(`{"kind":"nil","text":%q,"start":4,"end":6,"only":true}`, text), http.StatusOK)
	if got, want := corrected(), "NIL G1 G4"; got != want {
		t.Errorf("corrected are %s, want %s", got, want)
	}
	add(`{"kind":"name","concept":"G1","name":"x","only":true}`, http.StatusUnprocessableEntity)
}

// What is stored is used, also if the client goes away while it is being stored, or its time is over.
func TestMemoryOfClientThatLeaves(t *testing.T) {
	cfg := gutConfig(t)
	cfg.Limits.Time = 300 * time.Millisecond
	s := newServer(t, cfg)
	leave := func(target, method, body string) {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		artifact.Intercept(func(step artifact.Step) error {
			if step.Op == "append" {
				cancel()
			}
			return nil
		})
		defer artifact.Intercept(nil)
		call(s, request(method, target, body).WithContext(ctx))
	}
	const text = "A scarlet gullet."
	leave("/v1/memory", http.MethodPost, `{"kind":"name","concept":"G4","name":"scarlet gullet"}`)
	if got := linkedIDs(t, s, "", text, "scarlet gullet"); len(got) == 0 || got[0] != "G4" {
		t.Errorf("linked to %s, want G4 by the name that was added", got)
	}
	leave("/v1/memory/1", http.MethodDelete, "")
	if got := linkedIDs(t, s, "", text, "scarlet gullet"); len(got) > 0 && got[0] == "G4" {
		t.Error("linked to G4 by the name that was undone")
	}

	artifact.Intercept(func(step artifact.Step) error {
		if step.Op == "append" {
			time.Sleep(cfg.Limits.Time + 50*time.Millisecond)
		}
		return nil
	})
	defer artifact.Intercept(nil)
	entries := `{"entries":[{"kind":"name","concept":"G4","name":"red gullet"},{"kind":"name","concept":"G4","name":"pink gullet"}]}`
	got := ok[importResult](t, post(s, "/v1/memory/import", entries))
	if want := (importResult{Added: 2}); got != want {
		t.Errorf("imported %+v, want %+v", got, want)
	}
	if got := linkedIDs(t, s, "", "A pink gullet.", "pink gullet"); len(got) == 0 || got[0] != "G4" {
		t.Errorf("linked to %s, want G4 by the imported name", got)
	}
}

// What could not be used when it was stored is used as soon as it can be.
func TestMemoryIsUsedLater(t *testing.T) {
	cfg := gutConfig(t)
	fails := false
	cfg.Open.OpenEncoder = func(string) (ctxnorm.Encoder, error) { return &failingEncoder{linktest.GutEncoder(), &fails}, nil }
	cfg.Batching = Batching{Size: 1}
	s := newServer(t, cfg)
	fails = true
	added := post(s, "/v1/memory", `{"kind":"name","concept":"G4","name":"scarlet gullet"}`)
	wantProblem(t, added, http.StatusInternalServerError)
	fails = false
	if err := s.follow(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := linkedIDs(t, s, "", "A scarlet gullet.", "scarlet gullet"); len(got) == 0 || got[0] != "G4" {
		t.Errorf("linked to %s, want G4 by the name that was added", got)
	}
}

// failingEncoder encodes nothing while fails is set.
type failingEncoder struct {
	text.Encoder
	fails *bool
}

func (e *failingEncoder) Encode(ctx context.Context, dst []float32, queries []text.Query) error {
	if *e.fails {
		return errors.New("the encoder fails")
	}
	return e.Encoder.Encode(ctx, dst, queries)
}

// On a full disk nothing is added, and what was added stays. The server goes on when there is room.
func TestMemoryOnFullDisk(t *testing.T) {
	s := newServer(t, gutConfig(t))
	ok[memory.Entry](t, post(s, "/v1/memory", `{"kind":"name","concept":"G1","name":"first belly"}`))
	for _, op := range []string{"append", "sync"} {
		artifact.Intercept(func(step artifact.Step) error {
			if step.Op == op {
				return syscall.ENOSPC
			}
			return nil
		})
		t.Cleanup(func() { artifact.Intercept(nil) })
		wantProblem(t, post(s, "/v1/memory", `{"kind":"name","concept":"G1","name":"second belly"}`), http.StatusInsufficientStorage)
		wantProblem(t, call(s, request(http.MethodDelete, "/v1/memory/1", "")), http.StatusInsufficientStorage)
		artifact.Intercept(nil)
		list := ok[memoryPage](t, get(s, "/v1/memory?all=true"))
		if list.Count != 1 || list.Entries[0].Name != "first belly" || !list.Entries[0].InForce {
			t.Errorf("%s fails: the memory has %+v, want the first entry alone", op, list.Entries)
		}
	}
	added := ok[memory.Entry](t, post(s, "/v1/memory", `{"kind":"name","concept":"G1","name":"second belly"}`))
	if added.Number != 2 {
		t.Errorf("with room it has the number %d, want 2", added.Number)
	}
}

// A server whose folder of corrections cannot be written says so at its start, links, and refuses corrections with a
// status of their own.
func TestReadOnlyMemory(t *testing.T) {
	cfg := gutConfig(t)
	var logged []string
	cfg.Errorf = func(format string, args ...any) { logged = append(logged, fmt.Sprintf(format, args...)) }
	readOnly := func(step artifact.Step) error {
		if strings.Contains(step.Path, ".memory") && step.Op != "remove" || strings.HasSuffix(step.Path, "log.jsonl") {
			return syscall.EROFS
		}
		return nil
	}
	artifact.Intercept(readOnly)
	defer artifact.Intercept(nil)
	s := newServer(t, cfg)
	if len(logged) != 1 || !strings.Contains(logged[0], "takes no corrections") {
		t.Errorf("logged %q, want that there are no corrections", logged)
	}
	if status := ok[healthStatus](t, get(s, "/healthz")); status.Memory {
		t.Error("the server says that it stores corrections")
	}
	wantProblem(t, post(s, "/v1/memory", `{"kind":"name","concept":"G4","name":"scarlet gullet"}`), http.StatusForbidden)
	linkedIDs(t, s, "e", "A gastric ulcer.", "gastric ulcer")
	cfg.Memory = filepath.Join(t.TempDir(), "x.memory")
	if _, err := New(t.Context(), cfg); err == nil {
		t.Error("a folder that was asked for and cannot be written is no error")
	} else if _, ok := errors.AsType[*MemoryError](err); !ok {
		t.Error(err)
	}
}

// A mention that a correction decided says so, also if it is NIL.
func TestCorrectedSaysWho(t *testing.T) {
	s := newServer(t, gutConfig(t))
	ok[memory.Entry](t, post(s, "/v1/memory", `{"kind":"nil","text":"A gastric ulcer.","start":2,"end":15,"by":"ann"}`))
	type answer struct {
		Documents []struct {
			Mentions []struct {
				Corrected  string
				Candidates []any
			}
		}
	}
	got := ok[answer](t, post(s, "/v1/link", documents(`{"text":"A [ENT] gastric ulcer [/ENT]."}`, `{"text":"No [ENT] gastric ulcer [/ENT]."}`)))
	corrected, other := got.Documents[0].Mentions[0], got.Documents[1].Mentions[0]
	if !strings.HasPrefix(corrected.Corrected, "corrected by ann at ") || len(corrected.Candidates) > 0 {
		t.Errorf("the corrected mention is %+v", corrected)
	}
	if other.Corrected != "" {
		t.Errorf("a mention that nobody corrected is %+v", other)
	}
}

func TestMemoryFaults(t *testing.T) {
	s := newServer(t, gutConfig(t))
	ok[memory.Entry](t, post(s, "/v1/memory", `{"kind":"context","text":"a CD b","start":2,"end":4,"concept":"G1"}`))
	for _, test := range []struct {
		body    string
		status  int
		pointer string
	}{
		{`{"kind":"context","text":"a CD","start":2,"end":4,"concept":"X:9"}`, 422, "/concept"},
		{`{"kind":"context","text":"a CD","start":2,"end":5,"concept":"G1"}`, 422, "/start"},
		{`{"kind":"context","text":"日本","start":1,"end":3,"concept":"G1"}`, 422, "/start"},
		{`{"kind":"context","text":"a CD","start":2,"end":4}`, 422, "/concept"},
		{`{"kind":"nil","text":"a CD","start":2,"end":4,"concept":"G1"}`, 422, "/concept"},
		{`{"kind":"name","concept":"G2","name":"gastric ulcer"}`, 422, "/name"},
		{`{"kind":"name","concept":"G2","name":"?!"}`, 422, "/name"},
		{`{"kind":"name","concept":"G2","name":"a\nb"}`, 422, "/name"},
		{`{"kind":"concept","id":"G2","name":"x"}`, 422, "/id"},
		{`{"kind":"concept","id":"N","name":"x","parents":["X:9"]}`, 422, "/parents"},
		{`{"kind":"undo","undoes":1}`, 422, ""},
		{`{"KIND":"name","concept":"G2","name":"x"}`, 422, ""},
		{`{"kind":"name","concept":"G2","name":"x","NAME":"y"}`, 422, ""},
		{`{"kind":"name","concept":"G2","name":"x","name":"y"}`, 422, ""},
		{`{"kind":"name","concept":"G2","name":"x","number":7}`, 422, ""},
		{`{"kind":"nil","text":"a CD b","start":2,"end":4}`, 409, ""},
		{`{"kind":"context","text":"a CD b","start":2,"end":4,"concept":"G2"}`, 409, ""},
		{`{`, 400, ""},
	} {
		p := wantProblem(t, post(s, "/v1/memory", test.body), test.status)
		if len(p.Faults) == 0 || test.pointer != "" && p.Faults[0].Pointer != test.pointer {
			t.Errorf("%s: faults %+v, want one at %q", test.body, p.Faults, test.pointer)
		}
	}
	r := request(http.MethodPost, "/v1/memory", `{"kind":"name"}`)
	r.Header.Set("Content-Type", ndjsonType)
	wantProblem(t, call(s, r), http.StatusUnsupportedMediaType)
	if list := ok[memoryPage](t, get(s, "/v1/memory?all=true")); list.Count != 1 {
		t.Errorf("the memory has %d entries, want 1: what is wrong changes nothing", list.Count)
	}
	same := ok[memory.Entry](t, post(s, "/v1/memory", `{"kind":"context","text":"a CD b","start":2,"end":4,"concept":"G1"}`))
	other := ok[memory.Entry](t, post(s, "/v1/memory?replace=true", `{"kind":"nil","text":"a CD b","start":2,"end":4}`))
	if same.Number != 1 || other.Number != 2 || !cmp.Equal(other.Replaces, []int{1}) {
		t.Errorf("the same entry has the number %d, want 1; another is %+v, want that it replaces it", same.Number, other)
	}
	if got := linkedIDs(t, s, "", "a CD b", "CD"); len(got) > 0 {
		t.Errorf("linked to %s, want NIL", got)
	}
}

// What one server exports another imports, once.
func TestMemoryImport(t *testing.T) {
	from, to := newServer(t, gutConfig(t)), newServer(t, gutConfig(t))
	for _, body := range []string{
		`{"kind":"concept","id":"N:1","name":"red throat"}`, `{"kind":"name","concept":"G4","name":"x y"}`, `{"kind":"nil","text":"a CD b","start":0,"end":1,"by":"ann"}`,
	} {
		ok[memory.Entry](t, post(from, "/v1/memory", body))
	}
	ok[memory.Entry](t, call(from, request(http.MethodDelete, "/v1/memory/2", "")))
	exported := get(from, "/v1/memory/export").Body.String()
	for _, want := range []importResult{{Added: 2}, {Skipped: 2}} {
		if got := ok[importResult](t, post(to, "/v1/memory/import", exported)); got != want {
			t.Errorf("import %+v, want %+v", got, want)
		}
	}
	list := ok[memoryPage](t, get(to, "/v1/memory"))
	if list.Count != 2 || list.Entries[0].By != "ann" {
		t.Errorf("list %+v", list)
	}
	p := wantProblem(t, post(to, "/v1/memory/import", `{"entries":[{"kind":"name","concept":"G4","name":"q"},{"kind":"name","concept":"X:1","name":"x"}]}`), 422)
	if p.Faults[0].Pointer != "/entries/1/concept" {
		t.Errorf("faults %+v", p.Faults)
	}
	if again := ok[memoryPage](t, get(to, "/v1/memory")); again.Count != 2 {
		t.Errorf("%d entries after an import that failed, want 2", again.Count)
	}
}

// A server finds what another process adds, and a model that is opened again keeps it.
func TestMemoryOfAnother(t *testing.T) {
	cfg := gutConfig(t)
	s, other := newServer(t, cfg), newServer(t, cfg)
	ok[memory.Entry](t, post(other, "/v1/memory", `{"kind":"name","concept":"G4","name":"scarlet gullet"}`))
	if err := s.follow(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got := linkedIDs(t, s, "e", "A scarlet gullet.", "scarlet gullet"); len(got) == 0 || got[0] != "G4" {
			t.Errorf("linked to %s, want G4 by its new name", got)
		}
		if err := s.Reload(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}
