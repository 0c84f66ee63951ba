package recognize_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/recognize"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/text"
)

// world is a made-up field of medicine with its tagger.
type world struct {
	*fixtures.Field
	tagger *matcher.Tagger
}

func newWorld(t testing.TB) *world {
	w := &world{Field: fixtures.NewField(220)}
	var err error
	if w.tagger, _, err = matcher.NewTagger(w.Dictionary, matcher.DefaultNameFilter()); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) tag(doc *text.Document) *text.Document { return link.TagDocument(doc, w.tagger) }

func (w *world) read() iter.Seq2[*text.Document, error] {
	return func(yield func(*text.Document, error) bool) {
		for _, doc := range w.Documents {
			if !yield(doc, nil) {
				return
			}
		}
	}
}

func (w *world) train(t testing.TB, seed uint64) *recognize.Recognizer {
	r, err := recognize.Train(context.Background(), recognize.Options{Dictionary: w.Dictionary, Documents: w.read(), Tag: w.tag, Seed: seed})
	if err != nil || r == nil {
		t.Fatalf("Train returns %v, %v", r, err)
	}
	return r
}

func (w *world) find(r *recognize.Recognizer, body string) []string {
	var found []string
	for _, m := range r.Annotate(w.tag(&text.Document{Text: body}), 0).Mentions {
		found = append(found, m.Of(body))
	}
	return found
}

// TestTrain learns from half of the names of a made-up field of medicine, and finds most of the other half and hardly
// anything else.
func TestTrain(t *testing.T) {
	must.SkipShort(t)
	w := newWorld(t)
	r := w.train(t, 1)
	found, wrong, seen := 0, 0, 0
	for _, name := range w.Hidden {
		body := "The patients had " + name + " after 12 weeks. Then the clinic measured blood pressure every week."
		for _, f := range w.find(r, body) {
			if f == name {
				found++
			} else {
				wrong++
			}
		}
	}
	for _, name := range w.Names {
		if slices.Contains(w.find(r, "The patients had "+name+" after 12 weeks."), name) {
			seen++
		}
	}
	t.Logf("%d of %d names that the dictionary lacks are found, %d other spans; %d of %d names", found, len(w.Hidden), wrong, seen, len(w.Names))
	if found*10 < len(w.Hidden)*7 || wrong*10 > len(w.Hidden) {
		t.Errorf("%d of %d hidden names found, and %d other spans", found, len(w.Hidden), wrong)
	}
	must.Equal(t, seen, len(w.Names), "of names of the dictionary are found")

	// Written and read back, it finds the same mentions with the same scores.
	dir := t.TempDir()
	must.Succeed(t, r.Write(dir))
	opened := must.Get(recognize.Open(dir))
	for _, doc := range w.Documents[:50] {
		doc = w.tag(doc)
		if a, b := r.Annotate(doc, .5), opened.Annotate(doc, .5); fmt.Sprint(a.Mentions) != fmt.Sprint(b.Mentions) {
			t.Fatalf("written: %v, read: %v", a.Mentions, b.Mentions)
		}
	}

	// Training is the same with one processor.
	before := runtime.GOMAXPROCS(1)
	again := w.train(t, 1)
	runtime.GOMAXPROCS(before)
	other := t.TempDir()
	must.Succeed(t, again.Write(other))
	for _, file := range []string{recognize.WordsFile, recognize.NetworkFile} {
		a, _ := os.ReadFile(filepath.Join(dir, file))
		b, _ := os.ReadFile(filepath.Join(other, file))
		must.Equal(t, string(a), string(b), file, "differs with one processor")
	}
	t.Run("hostile", func(t *testing.T) { testHostile(t, w, r) })
	t.Run("damaged", func(t *testing.T) { testDamaged(t, dir) })
}

// TestTrainStops stops training after a few steps, which run all of its concurrent code.
func TestTrainStops(t *testing.T) {
	w, steps := newWorld(t), 0
	ctx, stop := context.WithCancel(t.Context())
	_, err := recognize.Train(ctx, recognize.Options{Dictionary: w.Dictionary, Documents: w.read(), Tag: w.tag, Progress: func(done, _ int) {
		if steps = done; done == 5 {
			stop()
		}
	}})
	must.FailWith(t, err, context.Canceled, "a stopped training")
	must.Equal(t, steps, 5, "steps of a stopped training")
}

// testHostile checks that mentions in any text lie within it, in order and without overlaps.
func testHostile(t *testing.T, w *world, r *recognize.Recognizer) {
	bodies := []string{
		"", " ", "\n\n", "-", "(", "((((", ")", "0 1 2 3", "心不全と腎不全", "Ελληνικά κείμενα", "\xff\xfe", "a\x00b", "e\u0301\u0301 \u200b",
		strings.Repeat("-", 5000), strings.Repeat("kidney-", 3000), strings.Repeat("kidney failure and ", 55000), strings.Repeat("(KF) ", 2000),
		"kidney failure (KF). KF KF", "deficient", "-deficient", "type 2", "and failure", "or / failure", strings.Repeat("9", 100000),
	}
	for _, body := range bodies {
		doc := r.Annotate(w.tag(&text.Document{Text: body}), 2)
		last := 0
		for _, m := range doc.Mentions {
			if m.Start < last || m.End <= m.Start || m.End > len(body) || !(m.Score >= 0 && m.Score <= 1+1e-9) {
				t.Fatalf("%.40q: mention %+v after %d", body, m, last)
			}
			last = m.End
		}
	}
}

// testDamaged checks that damaged files are errors.
func testDamaged(t *testing.T, dir string) {
	r := rand.New(rand.NewPCG(8, 8))
	copied := t.TempDir()
	must.Succeed(t, os.CopyFS(copied, os.DirFS(dir)))
	for _, name := range []string{recognize.WordsFile, recognize.NetworkFile} {
		whole := must.Get(os.ReadFile(filepath.Join(dir, name)))
		for range 60 {
			damaged := slices.Clone(whole)
			if r.IntN(2) == 0 {
				damaged = damaged[:r.IntN(len(damaged))]
			} else {
				for range 8 {
					damaged[r.IntN(len(damaged))] ^= byte(1 + r.IntN(255))
				}
			}
			must.Succeed(t, os.WriteFile(filepath.Join(copied, name), damaged, 0o600))
			_, err := recognize.Open(copied) // damage of numbers may go unnoticed: the model compares checksums
			var is *files.DamagedError
			if err != nil && !errors.As(err, &is) {
				t.Fatalf("%s: %v is no DamagedError", name, err)
			}
		}
		must.Succeed(t, os.WriteFile(filepath.Join(copied, name), whole, 0o600))
	}
}

// TestTooLittleText checks that a few sentences are not enough to learn from.
func TestTooLittleText(t *testing.T) {
	w := newWorld(t)
	w.Documents = w.Documents[:3]
	r, err := recognize.Train(context.Background(), recognize.Options{Dictionary: w.Dictionary, Documents: w.read(), Tag: w.tag, Seed: 1})
	if r != nil || err != nil {
		t.Errorf("Train returns %v, %v, want nil", r, err)
	}
}
