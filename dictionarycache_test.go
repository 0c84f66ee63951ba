package ctxnorm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
)

// largeDictionary has as many names as are kept. Its last concept is called last, and a row is malformed.
func largeDictionary(last string) []byte {
	var b bytes.Buffer
	b.WriteString("id\tname\tunused\n")
	for i := range minKept {
		fmt.Fprintf(&b, "D%d\tdisease of type %d\tx\n", i, i)
	}
	fmt.Fprintf(&b, "LAST\t%s\tx\n\tno id\tx\n", last)
	return b.Bytes()
}

// keptTest is a large dictionary with a cache.
type keptTest struct {
	t            *testing.T
	names, cache string
}

func newKeptTest(t *testing.T) keptTest {
	dir := t.TempDir()
	k := keptTest{t, filepath.Join(dir, "names.tsv"), filepath.Join(dir, "cache")}
	k.write("alpha fever")
	return k
}

func (k keptTest) write(last string) {
	k.t.Helper()
	if err := os.WriteFile(k.names, largeDictionary(last), 0o666); err != nil {
		k.t.Fatal(err)
	}
}

// open opens the dictionary, and returns what the observer was told and the concepts of a text.
func (k keptTest) open(ctx context.Context, o DictionaryOptions) (said []string, linked []ConceptID) {
	k.t.Helper()
	o.Observer = Observer{
		Log:   func(message string) { said = append(said, message) },
		Error: func(err error) { said = append(said, fmt.Sprintf("%T %v", err, err)) },
	}
	m, report, err := OpenDictionaries(ctx, []string{k.names}, o)
	if err != nil {
		k.t.Errorf("%v", err)
		return nil, nil
	}
	defer m.Close()
	if report.BadRows() != 1 || report.Names != minKept+1 {
		k.t.Errorf("%d bad rows and %d names, want 1 and %d", report.BadRows(), report.Names, minKept+1)
	}
	doc, err := m.Annotate(k.t.Context(), "Alpha fever, beta fever, and disease of type 17.", LinkOptions{})
	if err != nil {
		k.t.Errorf("%v", err)
		return nil, nil
	}
	for _, mention := range doc.Mentions {
		linked = append(linked, mention.Candidates[0].Concept)
	}
	return said, linked
}

// entries returns the files of the cache, without temporary ones.
func (k keptTest) entries(pattern string) (found []string) {
	_ = filepath.WalkDir(k.cache, func(path string, entry os.DirEntry, err error) error {
		if matched, _ := filepath.Match(pattern, filepath.Base(path)); err == nil && matched && !entry.IsDir() {
			found = append(found, path)
		}
		return nil
	})
	return found
}

// want compares what the observer was told with what reading says, and messages that begin as others.
func wantSaid(t *testing.T, reading, got []string, others ...string) {
	t.Helper()
	rest := slices.Clone(got)
	for _, other := range others {
		at := slices.IndexFunc(rest, func(message string) bool { return strings.Contains(message, other) })
		if at < 0 {
			t.Errorf("no message with %q in %q", other, got)
			continue
		}
		rest = slices.Delete(rest, at, at+1)
	}
	if diff := cmp.Diff(reading, rest); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
}

func TestOpenDictionaries(t *testing.T) {
	k := newKeptTest(t)
	alpha := []ConceptID{"LAST", "D17"}
	reading, linked := k.open(t.Context(), DictionaryOptions{})
	if !slices.Equal(linked, alpha) {
		t.Errorf("without a cache %q, want %q", linked, alpha)
	}
	wantLinked := func(t *testing.T, got []ConceptID) {
		t.Helper()
		if !slices.Equal(got, linked) {
			t.Errorf("links %q, want %q", got, linked)
		}
	}
	kept := DictionaryOptions{Cache: k.cache}
	said, got := k.open(t.Context(), kept)
	wantSaid(t, reading, said, "kept for the next run")
	wantLinked(t, got)
	said, got = k.open(t.Context(), kept)
	wantSaid(t, reading, said)
	wantLinked(t, got)

	files := k.entries("*")
	if len(files) < 5 {
		t.Errorf("the cache has %q, want a model", files)
	}
	for _, path := range files {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		flipped := slices.Clone(content)
		flipped[len(flipped)/2] ^= 4
		for how, damaged := range map[string][]byte{"flipped": flipped, "cut": content[:len(content)/2], "missing": nil} {
			t.Run(how+" "+filepath.Base(path), func(t *testing.T) {
				if err := os.WriteFile(path, damaged, 0o666); err != nil {
					t.Fatal(err)
				}
				if damaged == nil {
					if err := os.Remove(path); err != nil {
						t.Fatal(err)
					}
				}
				said, got := k.open(t.Context(), kept)
				wantSaid(t, reading, said, "it is made again", "kept for the next run")
				wantLinked(t, got)
				said, _ = k.open(t.Context(), kept)
				wantSaid(t, reading, said)
			})
		}
	}

	t.Run("changed with the same size and time", func(t *testing.T) {
		before, err := os.Stat(k.names)
		if err != nil {
			t.Fatal(err)
		}
		k.write("beta  fever")
		if err := os.Chtimes(k.names, before.ModTime(), before.ModTime()); err != nil {
			t.Fatal(err)
		}
		if after, err := os.Stat(k.names); err != nil || after.Size() != before.Size() {
			t.Fatalf("%v, %v, want the size of before", after, err)
		}
		for range 2 {
			if _, got := k.open(t.Context(), kept); !slices.Equal(got, alpha) { // "beta fever" in place of "Alpha fever"
				t.Errorf("links %q, want %q", got, alpha)
			}
		}
	})
	t.Run("other options", func(t *testing.T) {
		other := kept
		other.Columns = []string{"id=id", "name=unused"}
		if m, _, err := OpenDictionaries(t.Context(), []string{k.names}, other); err != nil || m.Dictionary().CountNames() != minKept+1 ||
			m.Name("D17") != "x" {
			t.Errorf("%v, want the names of another column", err)
		}
	})
}

// Two that keep the same dictionary at once do not disturb each other.
func TestKeepAtOnce(t *testing.T) {
	k := newKeptTest(t)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if _, got := k.open(t.Context(), DictionaryOptions{Cache: k.cache}); !slices.Equal(got, []ConceptID{"LAST", "D17"}) {
				t.Errorf("links %q", got)
			}
		})
	}
	all.Wait()
	if got := k.entries("manifest.json*"); len(got) != 1 {
		t.Errorf("manifests %q, want one", got)
	}
}

// Where nothing can be kept, the dictionary is used all the same.
func TestKeepFails(t *testing.T) {
	k := newKeptTest(t)
	reading, want := k.open(t.Context(), DictionaryOptions{})
	full := errors.New("no space left on device")
	for _, test := range []struct {
		name, cache string
		fails       string // step
	}{
		{"below a file", filepath.Join(k.names, "cache"), ""},
		{"read-only", k.cache, "mkdir"},
		{"full disk", k.cache, "write"},
		{"full disk at the end", k.cache, "sync"},
		{"no rename", k.cache, "rename"},
	} {
		t.Run(test.name, func(t *testing.T) {
			artifact.Intercept(func(s artifact.Step) error {
				if s.Op == test.fails {
					return full
				}
				return nil
			})
			defer artifact.Intercept(nil)
			said, got := k.open(t.Context(), DictionaryOptions{Cache: test.cache})
			wantSaid(t, reading, said, "the next run reads the dictionary again")
			if !slices.Equal(got, want) {
				t.Errorf("links %q, want %q", got, want)
			}
			if left := k.entries("*.idx"); left != nil {
				t.Errorf("left %q", left)
			}
		})
	}
}

// Building stops wherever it is, within 4,096 names of each worker, and leaves nothing.
func TestKeepStops(t *testing.T) {
	k := newKeptTest(t)
	const passes = 8
	for at := 1; ; at++ {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var counting sync.Mutex
		steps, parts := 0, 0.
		counted := parallel.WithCounter(ctx, func(part float64) {
			counting.Lock()
			defer counting.Unlock()
			if steps++; steps == at {
				cancel()
			}
			parts += part
		})
		m, _, err := OpenDictionaries(counted, []string{k.names}, DictionaryOptions{Cache: k.cache})
		if steps < at {
			if err != nil || math.Abs(parts-passes) > 1e-6 {
				t.Errorf("%v after %g passes, want %d", err, parts, passes)
			}
			m.Close()
			if at < 2*passes {
				t.Errorf("%d steps, want %d at least", steps, 2*passes)
			}
			return
		}
		if !errors.Is(err, context.Canceled) || k.entries("*") != nil || steps > at+parallel.Workers(0)+1 {
			t.Errorf("stopped at step %d: %v after %d and %q, want %v and nothing", at, err, steps, k.entries("*"), context.Canceled)
		}
	}
}

func TestPruneCache(t *testing.T) {
	dir := t.TempDir()
	place := func(digit string) string { return filepath.Join(dir, strings.Repeat(digit, 64)) }
	for i, name := range []string{place("1"), place("2"), place("3"), place("4"), filepath.Join(dir, "other")} {
		if err := os.MkdirAll(name, 0o777); err != nil {
			t.Fatal(err)
		}
		used := time.Unix(int64(1000-i), 0) // the kept one was used longest ago
		err := errors.Join(os.WriteFile(filepath.Join(name, "file"), make([]byte, 10), 0o666), os.Chtimes(name, used, used))
		if err != nil {
			t.Fatal(err)
		}
	}
	artifact.Touch(place("3"))
	if size := pruneCache(place("4"), 30); size != 10 {
		t.Errorf("size %d, want 10", size)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	if want := []string{place("1"), place("3"), place("4"), filepath.Join(dir, "other")}; !slices.Equal(left, want) {
		t.Errorf("left %q, want %q", left, want)
	}
}
