package memory

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
)

// plainCheck is [checker.check] for a correction, implemented by a pass over all entries.
func plainCheck(s *State, e Entry) (same int, others []int) {
	disagree := func(o *Entry) bool {
		if !e.hasMention() || !o.hasMention() {
			return e.hasMention() == o.hasMention() && e.Kind != o.Kind && strings.EqualFold(e.Name, o.Name)
		}
		if e.Concept == o.Concept || e.wording() != o.wording() || e.Only != o.Only {
			return false
		}
		if e.Only {
			return e.Text == o.Text && e.Start == o.Start
		}
		if e.Document != "" && o.Document != "" {
			return e.Document == o.Document
		}
		return e.Text == o.Text || e.sentence() == o.sentence()
	}
	for _, o := range s.Active() {
		if e.content() == o.content() {
			return o.Number, nil
		}
	}
	for _, o := range s.Active() {
		if disagree(&o) {
			others = append(others, o.Number)
		}
	}
	return 0, others
}

// TestCheckerEqualsPlain checks that a checker, after many entries, finds the same as a pass over all entries.
func TestCheckerEqualsPlain(t *testing.T) {
	sentences := []string{"CD hurts.", "The CD is CD.", "No CD here.", "An ulcer."}
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	conflicts, repeated := 0, 0
	for range 200 {
		c := newChecker(gut())
		for range 30 {
			e := Entry{At: now(), Kind: KindNIL, Text: pick(sentences...) + " " + pick(sentences...), Document: pick("", "", "d1", "d2"), Only: random.IntN(3) == 0}
			if random.IntN(3) == 0 { // about a phrase in all texts
				e = Entry{At: now(), Kind: KindNoMention, Name: pick("belly", "Belly", "a belly")}
				if random.IntN(2) == 0 {
					e.Kind, e.Concept = KindName, "G1"
				}
			} else if concept := kb.ConceptID(pick("", "G1", "G2")); concept != "" {
				e.Kind, e.Concept = KindContext, concept
			}
			word := pick("CD", "CD", "ulcer")
			e.Start = strings.Index(e.Text, word)
			if random.IntN(2) == 0 {
				e.Start = strings.LastIndex(e.Text, word)
			}
			if e.End = e.Start + len(word); e.hasMention() && e.Start < 0 {
				continue
			}
			if !e.hasMention() {
				e.Start, e.End = 0, 0
			}
			wantSame, others := plainCheck(c.state, e)
			got, same, err := c.check(e, true)
			if err != nil || same != wantSame || !slices.Equal(got.Replaces, others) {
				t.Fatalf("%+v: the same as %d and replaces %v, %v; want %d and %v", e, same, got.Replaces, err, wantSame, others)
			}
			conflicts, repeated = conflicts+len(others), repeated+min(1, same)
			if same == 0 {
				c.push(got)
			}
		}
	}
	if conflicts < 100 || repeated < 50 {
		t.Errorf("the cases have %d conflicts and %d repeated entries, want many of both", conflicts, repeated)
	}
}

// An import allocates in proportion to its entries: eight times as much for eight times as many.
func TestImportIsLinear(t *testing.T) {
	for kind, entry := range map[Kind]func(i int) Entry{
		KindName: func(i int) Entry { return nameEntry(fmt.Sprint("name ", i)) },
		KindConcept: func(i int) Entry {
			e := Entry{Kind: KindConcept, ID: kb.ConceptID(fmt.Sprint("N", i)), Name: "n", Parents: []kb.ConceptID{"G2"}}
			if i > 0 {
				e.Parents[0] = kb.ConceptID(fmt.Sprint("N", i-1))
			}
			return e
		},
		KindContext: func(i int) Entry {
			return Entry{Kind: KindContext, Concept: "G1", Text: fmt.Sprintf("The CD %d.", i), Start: 4, End: 6}
		},
		KindNIL: func(i int) Entry {
			return Entry{Kind: KindNIL, Document: fmt.Sprint(i), Text: "The CD.", Start: 4, End: 6}
		},
	} {
		allocated := func(n int) float64 {
			l := openLog(t, filepath.Join(t.TempDir(), "m.memory"))
			entries := make([]Entry, n)
			for i := range entries {
				entries[i] = entry(i)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if _, added, err := l.Import(t.Context(), entries, false); err != nil || len(added) != n {
				t.Fatalf("%s: %d of %d entries were added, %v", kind, len(added), n, err)
			}
			runtime.ReadMemStats(&after)
			return float64(after.TotalAlloc - before.TotalAlloc)
		}
		if few, many := allocated(500), allocated(4000); many > 16*few {
			t.Errorf("%s: 500 entries allocate %.0f bytes and 4,000 %.0f, want less than 16 times as much", kind, few, many)
		}
	}
}

// TestCheckerLooksAtFew checks that replaced entries, and the same sentence in other documents, are not examined again:
// few corrections are stored at each place, with one document or many.
func TestCheckerLooksAtFew(t *testing.T) {
	c := newChecker(gut())
	for i := range 3000 {
		e := Entry{Kind: KindContext, Concept: []kb.ConceptID{"G1", "G2"}[i%2], Text: "The CD.", Start: 4, End: 6, Document: "d"}
		if i >= 1000 { // one concept in 1,000 documents, then another
			e.Concept, e.Document = []kb.ConceptID{"G1", "G2"}[i/2000], fmt.Sprint(i%1000)
		}
		checked, _, err := c.check(e, true)
		if want := min(i, 1); err != nil || i < 1000 && len(checked.Replaces) != want || i >= 2000 && len(checked.Replaces) != 1 {
			t.Fatalf("%d: %v, replaces %v", i, err, checked.Replaces)
		}
		c.push(checked)
		_, sought := e.places()
		for _, p := range sought {
			for concept, others := range c.corrections[p] {
				if len(others) > 2 {
					t.Fatalf("%d: %d corrections of %s are kept for %v", i, len(others), concept, p)
				}
			}
		}
	}
}

// TestImportTimes checks that a time that no log can hold is an error of the entry.
func TestImportTimes(t *testing.T) {
	l := openLog(t, filepath.Join(t.TempDir(), "m.memory"))
	for at, valid := range map[string]bool{
		"9999-12-31T23:59:59-23:59": false, "0000-01-01T00:00:00+23:59": false,
		"9999-12-31T23:59:59Z": true, "0000-01-01T00:00:00Z": true,
	} {
		e := nameEntry(at)
		var err error
		e.At = must.Get(time.Parse(time.RFC3339, at))
		_, _, err = l.Import(t.Context(), []Entry{e}, false)
		wrong, _ := errors.AsType[*EntryError](err)
		if valid != (err == nil) || !valid && (wrong == nil || wrong.Field != "at") {
			t.Errorf("%s: %v", at, err)
		}
	}
}
