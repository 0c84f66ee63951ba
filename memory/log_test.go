package memory

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
)

func gut() *kb.Dictionary {
	return kb.NewDictionary([]kb.Concept{{ID: "G1", Name: "coeliac disease", AltIDs: []kb.ConceptID{"OLD:1"}}, {ID: "G2", Name: "gastric ulcer"}})
}

func nameEntry(name string) Entry { return Entry{Kind: KindName, Concept: "G1", Name: name, By: "ann"} }

func openLog(t testing.TB, dir string) *Log {
	t.Helper()
	return must.Get(Open(dir, gut()))
}

// names returns the names that a log adds.
func names(l *Log) string {
	var all []string
	for _, e := range l.State().Active() {
		all = append(all, e.Name)
	}
	return strings.Join(all, " ")
}

// TestStops makes each change of the file system fail or stops before it. Acknowledged entries must be there, other
// entries must be missing or complete, and the log must then be usable.
func TestStops(t *testing.T) {
	stop := errors.New("stopped")
	for at, ended := 1, false; !ended; at++ {
		dir := filepath.Join(t.TempDir(), "m.memory")
		l := openLog(t, dir)
		steps := 0
		artifact.Intercept(func(artifact.Step) error {
			if steps++; steps >= at {
				return stop // nothing after it happens, as if the process had been killed
			}
			return nil
		})
		var acknowledged []string
		for _, name := range []string{"one", "two", "three"} {
			if _, err := l.Add(t.Context(), nameEntry(name), false); err == nil {
				acknowledged = append(acknowledged, name)
			}
		}
		artifact.Intercept(nil)
		ended = steps < at
		after := openLog(t, dir)
		if got, want := names(after), strings.Join(acknowledged, " "); got != want && !strings.HasPrefix(got, want+" ") && want != "" {
			t.Errorf("stopped before change %d: the log has %q, want %q and perhaps the next", at, got, want)
		}
		os.Remove(after.path() + ".lock") // the lock of the process, which would have ended
		if _, err := after.Add(t.Context(), nameEntry("last"), false); err != nil {
			t.Errorf("stopped before change %d: %v", at, err)
		}
		if got := names(openLog(t, dir)); !strings.HasSuffix(got, "last") {
			t.Errorf("stopped before change %d: the log has %q, want last at its end", at, got)
		}
	}
}

// A log truncated in its last line continues without that entry; a change to any earlier byte is an error.
func TestDamage(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "m.memory")
	l := openLog(t, dir)
	for _, name := range []string{"one", "two"} {
		must.Get(l.Add(t.Context(), nameEntry(name), false))
	}
	whole := must.Get(os.ReadFile(l.path()))
	last := bytes.LastIndexByte(whole[:len(whole)-1], '\n') + 1
	for size := last; size < len(whole); size++ {
		must.Succeed(t, os.WriteFile(l.path(), whole[:size], 0o666))
		cut := openLog(t, dir)
		if got := names(cut); got != "one" {
			t.Fatalf("cut at %d: names %q, want one", size, got)
		}
		if size%7 == 0 {
			if _, err := cut.Add(t.Context(), nameEntry("two"), false); err != nil || names(openLog(t, dir)) != "one two" {
				t.Fatalf("cut at %d: %v, then names %q", size, err, names(openLog(t, dir)))
			}
		}
	}
	none := openLog(t, filepath.Join(t.TempDir(), "none"))
	if changed, err := none.Refresh(); changed || err != nil {
		t.Errorf("a folder without a log has changed: %t, %v", changed, err)
	}
	if _, lines, err := Check(none.dir); lines != 0 || err != nil {
		t.Errorf("a folder without a log: %d lines and %v, want 0 and no error", lines, err)
	}
	for at := range whole {
		changed := bytes.Clone(whole)
		changed[at] ^= 1
		must.Succeed(t, os.WriteFile(l.path(), changed, 0o666))
		_, err := Open(dir, gut())
		if damaged, ok := errors.AsType[*files.DamagedError](err); at < len(whole)-1 && (!ok || !strings.Contains(err.Error(), "line ") || damaged.Path != l.path()) {
			t.Fatalf("byte %d changed: %v, want damage with its line", at, err)
		}
		before := min(bytes.Count(whole[:at], []byte("\n")), 2) // a last line without a line feed is unfinished
		if path, lines, checked := Check(dir); path != l.path() || lines != before || fmt.Sprint(checked) != fmt.Sprint(err) {
			t.Fatalf("byte %d changed: Check returns %s, %d lines and %v, want %s, %d and %v", at, path, lines, checked, l.path(), before, err)
		}
	}
}

func TestUndoAndReplace(t *testing.T) {
	l := openLog(t, filepath.Join(t.TempDir(), "m.memory"))
	add := func(e Entry, replace bool) (Entry, error) { return l.Add(t.Context(), e, replace) }
	first, err := add(Entry{Kind: KindContext, Text: "A CD begins. The end.", Start: 2, End: 4, Concept: "OLD:1"}, false)
	if err != nil || first.Concept != "G1" {
		t.Fatalf("added %+v, %v, want the identifier G1 for OLD:1", first, err)
	}
	other := Entry{Kind: KindNIL, Text: "Others. A CD begins.", Start: 10, End: 12}
	if _, err := add(other, false); err == nil {
		t.Error("another concept for the wording in the same sentence is no conflict")
	} else if conflict, ok := errors.AsType[*ConflictError](err); !ok || conflict.Entries[0].Number != 1 {
		t.Errorf("%v, want a conflict with entry 1", err)
	}
	if replaced, err := add(other, true); err != nil || !cmp.Equal(replaced.Replaces, []int{1}) {
		t.Errorf("replaced %+v, %v", replaced, err)
	}
	_, err = l.Undo(t.Context(), 1, "ann")
	must.FailWith(t, err, ErrNoEntry, "undo of what is undone")
	if _, err := l.Undo(t.Context(), 2, "ann"); err != nil || len(l.State().Active()) != 0 {
		t.Errorf("%v, then in force are %+v", err, l.State().Active())
	}
	must.Equal(t, openLog(t, l.dir).State().All(), l.State().All(), "written and read")
	var exported bytes.Buffer
	if err := l.State().Export(&exported); err != nil || exported.Len() > 0 {
		t.Errorf("%v, what is undone is exported: %s", err, &exported)
	}
}

// No content of the file makes the reader panic, and accepted content is written again unchanged.
func FuzzParse(f *testing.F) {
	line, _ := artifact.AppendCheckedLine(nil, header{formatVersion, logKind})
	e := nameEntry("one")
	e.Number, e.At = 1, now()
	log, _ := artifact.AppendCheckedLine(bytes.Clone(line), e)
	f.Add(log)
	f.Add(line)
	f.Add([]byte("{}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		state, n, err := parse(data, new(State), 0)
		if err == nil && (n > len(data) || len(state.entries) > bytes.Count(data, []byte("\n"))) {
			t.Errorf("read %d entries of %d bytes", len(state.entries), n)
		}
	})
}

// FuzzReadExport imports arbitrary entries. Accepted entries are exported and imported into another memory, which must
// then have the same entries.
func FuzzReadExport(f *testing.F) {
	var seeds bytes.Buffer
	for _, e := range []Entry{nameEntry("one"), {Kind: KindConcept, ID: "N1", Name: "new", Parents: []kb.ConceptID{"G1"}}, {Kind: KindContext, Concept: "G2", Text: "A gut ulcer.", Start: 2, End: 11}, {Kind: KindNIL, Text: "No gut.", Start: 3, End: 6}} {
		line := must.Get(e.MarshalJSON())
		f.Add(line)
		seeds.Write(append(line, '\n'))
	}
	f.Add(seeds.Bytes())
	f.Add([]byte(`{"kind":"undo","undoes":1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := ReadExport(bytes.NewReader(data), files.Limits{})
		if err != nil {
			return
		}
		exported := func(entries []Entry) ([]byte, error) {
			l := openLog(t, t.TempDir())
			if _, _, err := l.Import(t.Context(), entries, false); err != nil {
				return nil, err
			}
			var b bytes.Buffer
			err := l.State().Export(&b)
			return b.Bytes(), err
		}
		written, err := exported(entries)
		if err != nil {
			return
		}
		if entries, err = ReadExport(bytes.NewReader(written), files.Limits{}); err != nil {
			t.Fatalf("what was exported is not read: %v\n%s", err, written)
		}
		again, err := exported(entries)
		if err != nil || !bytes.Equal(written, again) {
			t.Fatalf("exported again, %v:\n%s\nwant\n%s", err, again, written)
		}
	})
}

// TestExactMembers checks that a line of the log has exactly the members of its kind, once each.
func TestExactMembers(t *testing.T) {
	for line, want := range map[string]string{
		`{"kind":"name","name":"x"}`:            "",
		`{"kind":"name","Name":"x"}`:            `want only members that the format has, got "Name"`,
		`{"kind":"name","name":"x","NAME":"y"}`: `want only members that the format has, got "NAME"`,
		`{"kind":"name","name":"x","name":"y"}`: `want each member of an object once, got another "name"`,
		`{"kind":"name"} {}`:                    "want JSON, got invalid character '{' after top-level value (byte 16)",
	} {
		var e Entry
		got := ""
		if err := decodeStrictly([]byte(line), &e); err != nil {
			got = err.Error()
		}
		must.Equal(t, got, want, line)
	}
}

// TestHostileLines checks that lines with valid checksums that no writer would write are refused with their number.
func TestHostileLines(t *testing.T) {
	const at = `"at":"2026-01-02T03:04:05Z"`
	first := `{"number":1,` + at + `,"kind":"name","concept":"G1","name":"one"}`
	for line, want := range map[string]string{
		`{"number":2,` + at + `,"kind":"undo","undoes":1}`:                                                      "",
		`{"number":2,` + at + `,"kind":"context","concept":"G1","text":"a b","start":0,"end":1,"replaces":[1]}`: "",
		`{"number":3,` + at + `,"kind":"undo","undoes":1}`:                                                      "the number of the entry is 3, want 2",
		`{"number":1,` + at + `,"kind":"undo","undoes":1}`:                                                      "the number of the entry is 1, want 2",
		`{"number":2,"kind":"undo","undoes":1}`:                                                                 "the entry has no time",
		`{"number":2,` + at + `,"kind":"undo","undoes":2}`:                                                      "the entry 2, which is not in force",
		`{"number":2,` + at + `,"kind":"undo","undoes":-1}`:                                                     "the entry -1, which is not in force",
		`{"number":2,` + at + `,"kind":"undo"}`:                                                                 "undoes: ",
		`{"number":2,` + at + `,"kind":"name","concept":"G1"}`:                                                  "name: ",
		`{"number":2,` + at + `,"kind":"name","concept":"G1","name":"x","undoes":1}`:                            "undoes: ",
		`{"number":2,` + at + `,"kind":"nil","text":"a b","start":0,"end":9}`:                                   "start: ",
		`{"number":2,` + at + `,"kind":"nil","text":"a b","start":0,"end":1,"replaces":[7]}`:                    "the entry 7, which is not in force",
		`{"number":2,` + at + `,"kind":"other"}`:                                                                "kind: ",
	} {
		dir := t.TempDir()
		log, err := artifact.AppendCheckedLine(nil, header{formatVersion, logKind})
		for _, object := range []string{first, line} {
			if err == nil {
				log, err = artifact.AppendCheckedLine(log, json.RawMessage(object))
			}
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, logName), log, 0o666)
		}
		must.Succeed(t, err)
		_, err = Open(dir, gut())
		if damaged, ok := errors.AsType[*files.DamagedError](err); want == "" && err != nil ||
			want != "" && (!ok || !strings.Contains(damaged.Reason, "line 3: ") || !strings.Contains(damaged.Reason, want)) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}

// TestReadExport checks that the size of an export is limited, that errors name the line, and that empty lines are
// ignored. [FuzzReadExport] compares the entries.
func TestReadExport(t *testing.T) {
	const lines = `{"kind":"name","concept":"G1","name":"one"}` + "\n\n" + `{"kind":"nil","text":"CD","end":2}` + "\n"
	if entries, err := ReadExport(strings.NewReader(lines), files.Limits{}); err != nil || len(entries) != 2 {
		t.Errorf("%+v, %v, want two entries", entries, err)
	}
	_, err := ReadExport(strings.NewReader(lines), files.Limits{InMemory: int64(len(lines)) - 4})
	must.Fail(t, err, "", "two entries were read within a limit below their lines")
	_, err = ReadExport(strings.NewReader("\n{\"kind\":1}\n"), files.Limits{})
	must.Fail(t, err, "line 2")
}

// TestAddClaims checks that an entry that claims to replace others replaces none, and that a duplicate is not added.
func TestAddClaims(t *testing.T) {
	l := openLog(t, filepath.Join(t.TempDir(), "m.memory"))
	first := must.Get(l.Add(t.Context(), nameEntry("one"), false))
	claim := Entry{Kind: KindContext, Text: "A CD begins.", Start: 2, End: 4, Concept: "G1", Replaces: []int{1}}
	if added, err := l.Add(t.Context(), claim, false); err != nil || added.Replaces != nil || !strings.HasPrefix(names(l), "one") {
		t.Errorf("added %+v, %v; names %q, want one first", added, err, names(l))
	}
	same := nameEntry("one")
	same.Number, same.At = 9, first.At.AddDate(1, 0, 0)
	must.Equal(t, must.Get(l.Add(t.Context(), same, false)), first, "said again")
}

// TestAdditions checks that a rebuilt model may know a concept by another identifier, or no longer.
func TestAdditions(t *testing.T) {
	l := openLog(t, filepath.Join(t.TempDir(), "m.memory"))
	for _, e := range []Entry{nameEntry("one"), {Kind: KindContext, Text: "A CD begins.", Start: 2, End: 4, Concept: "G2"}} {
		must.Get(l.Add(t.Context(), e, false))
	}
	renamed := kb.NewDictionary([]kb.Concept{{ID: "G9", Name: "coeliac disease", AltIDs: []kb.ConceptID{"G1"}}})
	a := l.State().Additions(renamed, 0)
	if len(a.Concepts) != 1 || a.Concepts[0].ID != "G9" || !cmp.Equal(a.Unused, []int{2}) || len(a.Corrections) != 0 {
		t.Errorf("%+v, want the name for G9, and entry 2 unused", a)
	}
	_, err := l.Add(t.Context(), Entry{Kind: KindNIL, Text: "A CD begins.", Start: 2, End: 4}, false)
	must.Fail(t, err, `entry 2 says that "CD" names G2 here`, "the conflict")
}

// The error for a line damaged by another process has its number, and a removed file is noticed.
func TestRefreshDamage(t *testing.T) {
	l := openLog(t, filepath.Join(t.TempDir(), "m.memory"))
	must.Get(l.Add(t.Context(), nameEntry("one"), false))
	data := must.Get(os.ReadFile(l.path()))
	line := artifact.AppendCheckedObject(nil, []byte(`{"kind":"other"}`)) // follows the header and an entry
	must.Succeed(t, os.WriteFile(l.path(), append(data, line...), 0o666))
	_, err := l.Refresh()
	must.Fail(t, err, "line 3: ")
	must.Succeed(t, os.Remove(l.path()))
	changed, err := l.Refresh()
	must.FailWith(t, err, fs.ErrNotExist)
	must.Equal(t, changed, false, "changed, without its file")
}
