package server

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/memory"
	"github.com/ctxnorm/ctxnorm/text"
)

// linkedIDs links a name in a text and returns the identifiers of its candidates.
func linkedIDs(t *testing.T, s *Server, id, text, name string) []string {
	t.Helper()
	start := strings.Index(text, name)
	doc := fmt.Sprintf(`{"id":%q,"text":%q,"mentions":[{"start":%d,"end":%d}]}`, id, text, start, start+len(name))
	answer := ok[struct {
		Documents []struct {
			Mentions []struct {
				Candidates []struct {
					ID string
				}
			}
		}
	}](t, post(s, "/v1/link", documents(doc)))
	ids := []string{}
	for _, c := range answer.Documents[0].Mentions[0].Candidates {
		ids = append(ids, c.ID)
	}
	return ids
}

// TestMemoryOfClientThatLeaves checks that an entry is used even if the client leaves while it is stored, or its time
// is over.
func TestMemoryOfClientThatLeaves(t *testing.T) {
	cfg := gutConfig(t)
	cfg.Limits.Time = 300 * time.Millisecond
	s := newServer(t, cfg)
	leave := func(target, method, body string) {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		artifact.Intercept(func(step artifact.Step) error {
			if step.Op == "rename" {
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
		if step.Op == "rename" {
			time.Sleep(cfg.Limits.Time + 50*time.Millisecond)
		}
		return nil
	})
	defer artifact.Intercept(nil)
	entries := `{"entries":[{"kind":"name","concept":"G4","name":"red gullet"},{"kind":"name","concept":"G4","name":"pink gullet"}]}`
	got := ok[importResult](t, post(s, "/v1/memory/import", entries))
	must.Equal(t, got, (importResult{Added: 2, Numbers: []int{3, 4}}), "imported")
	if got := linkedIDs(t, s, "", "A pink gullet.", "pink gullet"); len(got) == 0 || got[0] != "G4" {
		t.Errorf("linked to %s, want G4 by the imported name", got)
	}
}

// TestMemoryIsUsedLater checks that an entry that could not be used when it was stored is used as soon as possible.
func TestMemoryIsUsedLater(t *testing.T) {
	cfg := gutConfig(t)
	fails := false
	cfg.Open.OpenEncoder = func(string) (ctxnorm.Encoder, error) { return &failingEncoder{fixtures.GutEncoder(), &fails}, nil }
	cfg.Batching = Batching{Size: 1}
	s := newServer(t, cfg)
	fails = true
	added := post(s, "/v1/memory", `{"kind":"name","concept":"G4","name":"scarlet gullet"}`)
	wantProblem(t, added, http.StatusInternalServerError)
	fails = false
	must.Succeed(t, s.remember(t.Context(), math.MaxInt))
	if got := linkedIDs(t, s, "", "A scarlet gullet.", "scarlet gullet"); len(got) == 0 || got[0] != "G4" {
		t.Errorf("linked to %s, want G4 by the name that was added", got)
	}
	m := s.models.current
	must.Get(m.memory.Add(t.Context(), memory.Entry{Kind: memory.KindName, Concept: "G4", Name: "pink gullet"}, false))
	must.Succeed(t, s.remember(t.Context(), 1))
	must.Equal(t, s.models.current == m, true, "the model stays for a request whose entry it has")
	must.Succeed(t, s.remember(t.Context(), math.MaxInt))
	m = s.models.current
	must.Succeed(t, s.remember(t.Context(), math.MaxInt))
	must.Equal(t, []any{m.entries, s.models.current == m}, []any{2, true}, "the model stays while the memory does")
}

// failingEncoder fails while fails is set.
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

// TestMemoryOnFullDisk checks that a full disk rejects new entries and keeps the old ones, and that the server
// continues once there is room.
func TestMemoryOnFullDisk(t *testing.T) {
	s := newServer(t, gutConfig(t))
	ok[memory.Entry](t, post(s, "/v1/memory", `{"kind":"name","concept":"G1","name":"first belly"}`))
	for _, op := range []string{"write", "sync"} {
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
	must.Equal(t, added.Number, 2, "number with room")
}

// TestReadOnlyMemory checks that a server that cannot write its corrections logs that at start, links, and rejects
// corrections with a status code of their own.
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
	_, err := New(t.Context(), cfg)
	must.Fail(t, err, "", "a folder that was asked for and cannot be written is no error")
}

// TestMemoryOfAnother checks that a server takes up entries of another process, and keeps them when it opens the model
// again.
func TestMemoryOfAnother(t *testing.T) {
	cfg := gutConfig(t)
	s, other := newServer(t, cfg), newServer(t, cfg)
	ok[memory.Entry](t, post(other, "/v1/memory", `{"kind":"name","concept":"G4","name":"scarlet gullet"}`))
	must.Succeed(t, s.remember(t.Context(), math.MaxInt))
	for range 2 {
		if got := linkedIDs(t, s, "e", "A scarlet gullet.", "scarlet gullet"); len(got) == 0 || got[0] != "G4" {
			t.Errorf("linked to %s, want G4 by its new name", got)
		}
		must.Succeed(t, s.Reload(t.Context()))
	}
}
