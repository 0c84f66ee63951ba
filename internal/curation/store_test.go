package curation

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// The ä has two bytes but is one code point.
const body = "ä gastric ulcer, a belly ache"

var (
	ulcer      = Place{Start: 2, End: 15}
	belly      = Place{Start: 19, End: 29}
	dictionary = kb.NewDictionary([]kb.Concept{{ID: "G2", Name: "gastric ulcer"}, {ID: "G3", Name: "belly ache"}})
)

func sources(ids ...string) (all []Source) {
	for _, id := range ids {
		all = append(all, Source{Document: &text.Document{ID: id, Text: body}, File: "notes.txt"})
	}
	return all
}

func open(t *testing.T, dir string, sources []Source) *Store {
	t.Helper()
	s := must.Get(Open(t.Context(), dir, sources))
	t.Cleanup(s.Close)
	return s
}

func put(t *testing.T, s *Store, number, seen int, said Decisions) *Document {
	t.Helper()
	return must.Get(s.Put(t.Context(), number, seen, time.Now(), &said, dictionary))
}

// Acknowledged decisions survive a restart, and every reader of documents can read them as gold.
func TestRestart(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "decisions")
	s := open(t, dir, sources("a/b", "2"))
	first := Decision{Place: ulcer, Concept: "G2"}
	put(t, s, 1, 0, Decisions{By: "ann", Left: 1, Mentions: []Decision{first}, Marked: []Place{belly}})
	letter := Place{Start: 0, End: 1}
	put(t, s, 1, 1, Decisions{By: "bob", Mentions: []Decision{{Place: belly}, first}, Removed: []Place{{4, 5}, letter, {4, 5}},
		Marked: []Place{{5, 6}, {5, 6}}})
	if _, err := Open(t.Context(), dir, nil); err == nil {
		t.Fatal("two stores have one folder")
	}
	s.Close()
	s = open(t, dir, sources("2", "a/b"))
	e, d, ok := s.Get(2)
	if !ok || !e.Done || e.Decided != 4 || d.Version != 2 {
		t.Fatalf("it is %+v with version %d, want both mentions decided", e, d.Version)
	}
	must.Equal(t, [][]Place{d.Removed, d.Marked}, [][]Place{{letter, {4, 5}}, {{5, 6}}}, "removed and marked")
	for i, want := range []string{"ann", "bob"} {
		if m := d.Mentions[i]; m.Corrected == nil || m.Corrected.By != want {
			t.Errorf("mention %d was %s, want by %s", i+1, m.Corrected, want)
		}
	}
	if e, _, _ := s.Get(1); e.Opened || e.Done {
		t.Errorf("a document that nobody opened is %+v", e)
	}
	paths, err := formats.Expand([]string{dir}, nil)
	if err != nil || len(paths) != 1 {
		t.Fatalf("the folder has %v, %v", paths, err)
	}
	reader := must.Get(formats.Open(paths[0], formats.Options{RefuseMisspelled: true}))
	defer reader.Close()
	record := must.Get(reader.Next())
	want := &text.Document{ID: "a/b", Text: body, Mentions: []text.Mention{
		{Span: text.Span{Start: 3, End: 16}, Concepts: []kb.ConceptID{"G2"}}, {Span: text.Span{Start: 20, End: 30}},
	}}
	must.Equal(t, record.Document, want, "as gold")
}

// TestKey checks that a document keeps its key when other documents come before it.
func TestKey(t *testing.T) {
	first, _, _ := open(t, t.TempDir(), sources("a/b", "2")).Get(2)
	later, _, _ := open(t, t.TempDir(), sources("0", "a/b", "1", "2")).Get(4)
	if first.Key != later.Key || !strings.HasPrefix(first.Key, "2-") {
		t.Errorf("the key of the document is %q, then %q", first.Key, later.Key)
	}
}

// Of several writers who have seen the same version, only one writes; the others succeed after reading again.
func TestWritersAtOnce(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, sources("1"))
	const writers = 8
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			for {
				_, last, _ := s.Get(1)
				_, err := s.Put(t.Context(), 1, last.Version, time.Now(), &Decisions{Left: last.Left + 1}, dictionary)
				if err == nil {
					return
				}
				if _, ok := errors.AsType[*VersionError](err); !ok {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	s.Close()
	if _, d, _ := open(t, dir, sources("1")).Get(1); d.Version != writers || d.Left != writers {
		t.Errorf("version %d with %d left, want %d changes, none lost", d.Version, d.Left, writers)
	}
}

// TestDamage checks that an altered file is refused with its name and line.
func TestDamage(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, sources("1"))
	put(t, s, 1, 0, Decisions{Mentions: []Decision{{Place: ulcer}}})
	s.Close()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Fatalf("the folder has %v, %v", entries, err)
	}
	path := filepath.Join(dir, entries[0].Name())
	whole := must.Get(os.ReadFile(path))
	changed := []byte(strings.Replace(string(whole), "ulcer", "ulcus", 1))
	for name, data := range map[string][]byte{
		"empty": nil, "cut": whole[:len(whole)/2], "without an end": whole[:len(whole)-1], "changed": changed,
		"twice": append(whole, whole...),
	} {
		must.Succeed(t, os.WriteFile(path, data, 0o666))
		var damaged *files.DamagedError
		_, err := Open(t.Context(), dir, sources("1"))
		if !errors.As(err, &damaged) || damaged.Path != path || !strings.Contains(damaged.Reason, "line 1") {
			t.Errorf("%s: %v, want the file and the line", name, err)
		}
	}
	must.Succeed(t, os.Rename(path, filepath.Join(dir, "other.jsonl")))
	must.Succeed(t, os.WriteFile(filepath.Join(dir, "other.jsonl"), whole, 0o666))
	_, err = Open(t.Context(), dir, sources("1"))
	must.Fail(t, err, "other.jsonl", "a file of another name")
}

// unnamed returns rows of files without identifiers: pairs of a file and a text.
func unnamed(rows ...string) (all []Source) {
	for i := 0; i < len(rows); i += 2 {
		all = append(all, Source{Document: &text.Document{ID: strconv.Itoa(i/2 + 1), Text: rows[i+1]}, File: rows[i], Unnamed: true})
	}
	return all
}

// Identifier and text distinguish documents; without an identifier, only the text does, wherever it is.
func TestKnownBy(t *testing.T) {
	must.Equal(t, open(t, t.TempDir(), sources("1", "1")).Len(), 1, "documents")
	dir := t.TempDir()
	s := open(t, dir, unnamed("a/n.csv", body, "a/n.csv", "pain", "b/n.csv", body))
	put(t, s, 2, 0, Decisions{Left: 2})
	put(t, s, 3, 0, Decisions{Left: 3})
	s.Close()
	s = open(t, dir, unnamed("a/n.csv", "new", "a/n.csv", body, "moved.csv", "pain", "b/n.csv", body, "c.csv", body))
	var left []int
	for _, e := range s.Entries() {
		left = append(left, e.Left)
	}
	if _, d, _ := s.Get(3); !slices.Equal(left, []int{0, 0, 2, 3, 0}) || d.ID != "3" || s.Strays != 0 {
		t.Errorf("left %v, id %s, %d strays; want the decisions on the texts of rows 3 and 4", left, d.ID, s.Strays)
	}
	s.Close()

	dir = t.TempDir()
	s = open(t, dir, sources("1"))
	put(t, s, 1, 0, Decisions{})
	s.Close()
	changed := sources("1")
	changed[0].Document = &text.Document{ID: "1", Text: body + "."}
	if s := open(t, dir, changed); s.Strays != 1 || s.Entries()[0].Opened {
		t.Errorf("%d strays, %+v: want the decisions on the text before set aside", s.Strays, s.Entries())
	}
}

// Listing is fast for a long document with many decisions, and additions to its mentions are not stored.
func TestManyDecisions(t *testing.T) {
	const mentions = 20_000
	long := strings.Repeat("ä ulcer ", mentions)
	said := Decisions{Mentions: []Decision{{Place: Place{Start: 0, End: 2}, Concepts: []kb.ConceptID{"G2", "G3"}}}}
	unsure := []text.Span{{Start: 0, End: 3}}
	for i := range mentions {
		said.Removed = append(said.Removed, Place{Start: 8*i + 2, End: 8*i + 7})
		unsure = append(unsure, text.Span{Start: 9*i + 3, End: 9*i + 8})
	}
	s := open(t, t.TempDir(), []Source{{Document: &text.Document{ID: "1", Text: long}}})
	s.SetLinked(1, len(unsure), unsure)
	d := put(t, s, 1, 0, said)
	if e := s.Entries()[0]; e.Unsure != 0 || e.Decided != len(unsure) {
		t.Errorf("the entry is %+v, want %d decisions and nothing to review", e, len(unsure))
	}
	d.Over(nil)[0].SubMentions[1].Candidates[0].Xrefs = []kb.ConceptID{"X:1"}
	if stored := d.Mentions[0].SubMentions[1].Candidates[0]; stored.Concept != "G3" || stored.Xrefs != nil {
		t.Errorf("%+v is stored, want G3 without what was added to a copy", stored)
	}
}

// An interrupted decision on equal rows leaves the row itself unchanged, so that it can be repeated.
func TestStoppedAmongEqualRows(t *testing.T) {
	const rows = 400
	all := sources(make([]string, rows)...)
	for i := range all {
		all[i].Columns = []formats.Column{{Name: "row", Value: strconv.Itoa(i)}}
	}
	all = append(all, sources("other")...)
	dir := t.TempDir()
	s := open(t, dir, all)
	ctx, stop := context.WithCancel(t.Context())
	var renamed atomic.Int32
	artifact.Intercept(func(step artifact.Step) error {
		if step.Op == "rename" && renamed.Add(1) == 100 {
			stop()
			put(t, s, rows+1, 0, Decisions{}) // does not wait for the rows
		}
		return nil
	})
	t.Cleanup(func() { artifact.Intercept(nil) })
	said := Decisions{Mentions: []Decision{{Place: ulcer, Concept: "G2"}}, Equal: true}
	if _, err := s.Put(ctx, 7, 0, time.Now(), &said, dictionary); !errors.Is(err, context.Canceled) {
		t.Fatalf("the decision ends with %v, want it stopped", err)
	}
	count := func() (decided int) {
		s.Close()
		s = open(t, dir, all)
		for _, e := range s.Entries() {
			decided += e.Decided
		}
		return decided
	}
	if decided := count(); decided < 99 || decided > 100+writers || s.Entries()[6].Opened {
		t.Errorf("%d rows were decided before the stop, row 7 is %+v", decided, s.Entries()[6])
	}
	put(t, s, 7, 0, said)
	must.Equal(t, count(), rows, "rows that are decided")
}
