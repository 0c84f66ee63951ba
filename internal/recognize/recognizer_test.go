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
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/recognize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/text"
)

// world is a made-up field of medicine: names are a place and a kind of disease, or one word.
type world struct {
	names, hidden []string // in the dictionary, and not
	dict          *kb.Dictionary
	tagger        *matcher.Tagger
	documents     []*text.Document
}

func newWorld(t testing.TB) *world {
	r := rand.New(rand.NewPCG(1, 2))
	w := &world{}
	stems := strings.Fields(`cardi nephr hepat gastr derm neur arthr oste my pulm bronch enter col rhin ot
		opt kerat ven arteri lymph splen thyr aden crani`)
	var all []string
	for _, s := range stems {
		for _, e := range []string{"itis", "opathy", "oma", "algia"} {
			all = append(all, s+e)
		}
	}
	organs := strings.Fields("kidney liver heart skin brain joint bone muscle lung bowel colon nose ear eye vein artery")
	for _, o := range organs {
		for _, k := range []string{"failure", "cancer", "ulcer", "abscess"} {
			all = append(all, o+" "+k)
		}
	}
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var concepts []kb.Concept
	concepts = append(concepts, kb.Concept{ID: "T:1", Name: "inflammations of organs"}, kb.Concept{ID: "T:2", Name: "other diseases of organs"})
	for i, name := range all {
		if i%2 == 0 {
			w.hidden = append(w.hidden, name)
			continue
		}
		w.names = append(w.names, name)
		parent := kb.ConceptID("T:1")
		if strings.Contains(name, " ") {
			parent = "T:2"
		}
		concepts = append(concepts, kb.Concept{ID: kb.ConceptID(fmt.Sprintf("D:%d", i)), Name: name, Parents: []kb.ConceptID{parent}})
	}
	w.dict = kb.NewDictionary(concepts)
	var err error
	if w.tagger, _, err = matcher.NewTagger(w.dict, matcher.DefaultNameFilter()); err != nil {
		t.Fatal(err)
	}
	with := strings.Fields("patients children women men adults subjects people volunteers controls smokers")
	verbs := strings.Fields("had developed showed reported died_of presented_with suffered_from recovered_from")
	other := strings.Fields(`the clinic measured blood pressure every week and samples were stored at low temperature until analysis by
		trained staff who followed written rules for age weight height dose time method result value mean score test group`)
	for d := range 1200 {
		var b strings.Builder
		for range 4 {
			name := all[r.IntN(len(all))]
			verb := strings.ReplaceAll(verbs[r.IntN(len(verbs))], "_", " ")
			fmt.Fprintf(&b, "The %s %s %s after %d weeks. ", with[r.IntN(len(with))], verb, name, r.IntN(40))
			start := r.IntN(len(other) - 8)
			fmt.Fprintf(&b, "Then %s. ", strings.Join(other[start:start+5+r.IntN(4)], " "))
		}
		w.documents = append(w.documents, link.TagDocument(&text.Document{ID: fmt.Sprint(d), Text: strings.TrimSpace(b.String())}, w.tagger))
	}
	return w
}

func (w *world) read() iter.Seq2[*text.Document, error] {
	return func(yield func(*text.Document, error) bool) {
		for _, doc := range w.documents {
			if !yield(doc, nil) {
				return
			}
		}
	}
}

func (w *world) train(t testing.TB, seed uint64) *recognize.Recognizer {
	r, err := recognize.Train(context.Background(), recognize.Options{Dictionary: w.dict, Documents: w.read(), Seed: seed})
	if err != nil || r == nil {
		t.Fatalf("Train returns %v, %v", r, err)
	}
	return r
}

func (w *world) find(r *recognize.Recognizer, body string) []string {
	var found []string
	for _, m := range r.Annotate(link.TagDocument(&text.Document{Text: body}, w.tagger), 0).Mentions {
		found = append(found, m.Of(body))
	}
	return found
}

// TestTrain learns from half of the names of a made-up field of medicine, and finds most of the other half, and hardly
// anything else.
func TestTrain(t *testing.T) {
	w := newWorld(t)
	r := w.train(t, 1)
	found, wrong, seen := 0, 0, 0
	for _, name := range w.hidden {
		body := "The patients had " + name + " after 12 weeks. Then the clinic measured blood pressure every week."
		for _, f := range w.find(r, body) {
			if f == name {
				found++
			} else {
				wrong++
			}
		}
	}
	for _, name := range w.names {
		if slices.Contains(w.find(r, "The patients had "+name+" after 12 weeks."), name) {
			seen++
		}
	}
	t.Logf("%d of %d names that the dictionary lacks are found, %d other spans; %d of %d names", found, len(w.hidden), wrong, seen, len(w.names))
	if found*10 < len(w.hidden)*7 || wrong*10 > len(w.hidden) {
		t.Errorf("%d of %d hidden names found, and %d other spans", found, len(w.hidden), wrong)
	}
	if seen != len(w.names) {
		t.Errorf("%d of %d names of the dictionary are found", seen, len(w.names))
	}

	// What was written is read back, and finds the same with the same scores.
	dir := t.TempDir()
	if err := r.Write(dir); err != nil {
		t.Fatal(err)
	}
	opened, err := recognize.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range w.documents[:50] {
		if a, b := r.Annotate(doc, .5), opened.Annotate(doc, .5); fmt.Sprint(a.Mentions) != fmt.Sprint(b.Mentions) {
			t.Fatalf("written: %v, read: %v", a.Mentions, b.Mentions)
		}
	}

	// Training is the same with one processor.
	before := runtime.GOMAXPROCS(1)
	again := w.train(t, 1)
	runtime.GOMAXPROCS(before)
	other := t.TempDir()
	if err := again.Write(other); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{recognize.WordsFile, recognize.NetworkFile} {
		a, _ := os.ReadFile(filepath.Join(dir, file))
		b, _ := os.ReadFile(filepath.Join(other, file))
		if string(a) != string(b) {
			t.Errorf("%s differs with one processor", file)
		}
	}
	t.Run("hostile", func(t *testing.T) { testHostile(t, w, r) })
	t.Run("damaged", func(t *testing.T) { testDamaged(t, dir) })
}

// testHostile checks that mentions of any text lie in order within it and do not overlap.
func testHostile(t *testing.T, w *world, r *recognize.Recognizer) {
	bodies := []string{
		"", " ", "\n\n", "-", "(", "((((", ")", "0 1 2 3", "心不全と腎不全", "Ελληνικά κείμενα", "\xff\xfe", "a\x00b", "e\u0301\u0301 \u200b",
		strings.Repeat("-", 5000), strings.Repeat("kidney-", 3000), strings.Repeat("kidney failure and ", 55000), strings.Repeat("(KF) ", 2000),
		"kidney failure (KF). KF KF", "deficient", "-deficient", "type 2", "and failure", "or / failure", strings.Repeat("9", 100000),
	}
	for _, body := range bodies {
		doc := r.Annotate(link.TagDocument(&text.Document{Text: body}, w.tagger), 2)
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
	for _, name := range []string{recognize.WordsFile, recognize.NetworkFile} {
		whole, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for range 60 {
			damaged := slices.Clone(whole)
			if r.IntN(2) == 0 {
				damaged = damaged[:r.IntN(len(damaged))]
			} else {
				for range 8 {
					damaged[r.IntN(len(damaged))] ^= byte(1 + r.IntN(255))
				}
			}
			copied := t.TempDir()
			for _, other := range []string{recognize.WordsFile, recognize.NetworkFile} {
				data, _ := os.ReadFile(filepath.Join(dir, other))
				if other == name {
					data = damaged
				}
				if err := os.WriteFile(filepath.Join(copied, other), data, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			_, err := recognize.Open(copied) // damage of numbers may be read: the model compares checksums
			var is *files.DamagedError
			if err != nil && !errors.As(err, &is) {
				t.Fatalf("%s: %v is no DamagedError", name, err)
			}
		}
	}
}

// TestTooLittleText checks that nothing is learned from a few sentences.
func TestTooLittleText(t *testing.T) {
	w := newWorld(t)
	w.documents = w.documents[:3]
	r, err := recognize.Train(context.Background(), recognize.Options{Dictionary: w.dict, Documents: w.read(), Seed: 1})
	if r != nil || err != nil {
		t.Errorf("Train returns %v, %v, want nil", r, err)
	}
}
