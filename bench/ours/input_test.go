package main

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ctxnorm"
	"ctxnorm/knnindex"
	"ctxnorm/matcher"
)

func ids(names ...ctxnorm.ConceptID) []ctxnorm.ConceptID { return names }

func dictionaryOf(concepts ...ctxnorm.Concept) *ctxnorm.Dictionary {
	return ctxnorm.NewDictionary(concepts)
}

func TestLowerRows(t *testing.T) {
	d := dictionaryOf(
		ctxnorm.Concept{ID: "C1", Name: "Heart  Failure", Synonyms: []string{"HF"}},
		ctxnorm.Concept{ID: "C2", Name: "heart failure", Synonyms: []string{"Ödem"}},
	)
	long := func(name string) bool { return len([]rune(name)) >= minRunes }
	want := []row{newRow("heart failure", ids("C1", "C2")), newRow("ödem", ids("C2"))}
	if diff := cmp.Diff(want, lowerRows(d, long)); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

// TestIsTagged: a name that is an ordinary word or is looked for in capitals only
// is not one that a peer can be asked to find in any case.
func TestIsTagged(t *testing.T) {
	d := dictionaryOf(ctxnorm.Concept{ID: "C1", Name: "acute lymphoblastic leukaemia", Synonyms: []string{"ALL", "disease", "type-2 fever"}})
	tagger, _, err := matcher.NewTagger(d, matcher.DefaultClean())
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"acute lymphoblastic leukaemia": true, "all": false, "disease": false, "type-2 fever": true,
	} {
		if got := isTagged(tagger, name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func TestWiden(t *testing.T) {
	own := []row{newRow("fever", ids("F")), newRow("acute fever", ids("A"))}
	got, err := widen(own, 5)
	if err != nil {
		t.Fatal(err)
	}
	want := append(own, // "acute fever" is there already
		newRow("acute acute fever", ids("A")), newRow("chronic fever", ids("F")), newRow("chronic acute fever", ids("A")))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	// 2 names, and 24 qualifiers before each, of which one gives a name that is there.
	if _, err := widen(own, 2+2*len(qualifiers)); err == nil {
		t.Errorf("%d names were made of 2", 2+2*len(qualifiers))
	}
	if got, err := widen(own, 1+2*len(qualifiers)); err != nil || len(got) != 1+2*len(qualifiers) {
		t.Errorf("%d names (%v), want %d", len(got), err, 1+2*len(qualifiers))
	}
}

func TestMarkedSentences(t *testing.T) {
	d := dictionaryOf(ctxnorm.Concept{ID: "F", Name: "fever"}, ctxnorm.Concept{ID: "R", Name: "rash"})
	tagger, _, err := matcher.NewTagger(d, matcher.Clean{})
	if err != nil {
		t.Fatal(err)
	}
	rows := appendMarked(nil, tagger, "He had Fever and a rash. He left.")
	want := []marked{
		{"He had [ENT] Fever [/ENT] and a rash.", "F"},
		{"He had Fever and a [ENT] rash [/ENT].", "R"},
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Fatalf("sentences (-want +got):\n%s", diff)
	}
	q, err := rows[1].query()
	if err != nil {
		t.Fatal(err)
	}
	if q.Text != "He had Fever and a rash." || q.Surface() != "rash" || q.Sentence != (ctxnorm.Span{End: len(q.Text)}) {
		t.Errorf("query of %q: %q in %q, sentence %v", rows[1].Text, q.Surface(), q.Text, q.Sentence)
	}
	for _, text := range []string{"no mark", "[ENT] never closed", "[/ENT] [ENT] "} {
		if q, err := (&marked{Text: text}).query(); err == nil {
			t.Errorf("%q was read as %q", text, q.Surface())
		}
	}
}

func TestRows(t *testing.T) {
	want := []marked{{"a <b> & ü", "C1"}, {"", "C2"}, {"c", ""}}
	for _, name := range []string{"rows.jsonl", "rows.jsonl.gz"} {
		path := filepath.Join(t.TempDir(), name)
		if err := writeRows(path, want); err != nil {
			t.Fatal(err)
		}
		for limit, n := range map[int]int{0: 3, 2: 2, 9: 3} {
			got, err := readRows[marked](path, limit)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want[:n], got); diff != "" {
				t.Errorf("%s, limit %d (-want +got):\n%s", name, limit, diff)
			}
		}
	}
}

func TestRecall(t *testing.T) {
	hits := func(rows ...int32) []knnindex.Hit {
		found := make([]knnindex.Hit, len(rows))
		for i, row := range rows {
			found[i].Row = row
		}
		return found
	}
	exact := [][]int32{{1, 2, 3}, {4, 5, 6}}
	// 2 of 3 and 1 of 3, one of them not found at all: 3/6
	if got := recall([][]knnindex.Hit{hits(3, 9, 1), hits(6)}, exact); got != .5 {
		t.Errorf("recall %g, want .5", got)
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		times []float64
		want  float64
	}{{[]float64{5}, 5}, {[]float64{9, 1, 4}, 4}, {[]float64{9, 1, 4, 6}, 5}} {
		if got := median(c.times); got != c.want {
			t.Errorf("median %g, want %g", got, c.want)
		}
	}
}
