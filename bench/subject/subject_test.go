package main

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/bench/harness"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/text"
)

func ids(names ...kb.ConceptID) []kb.ConceptID { return names }

func dictionaryOf(concepts ...kb.Concept) *kb.Dictionary {
	return kb.NewDictionary(concepts)
}

func TestLowerCaseRows(t *testing.T) {
	d := dictionaryOf(
		kb.Concept{ID: "C1", Name: "Heart  Failure", Synonyms: []string{"HF"}},
		kb.Concept{ID: "C2", Name: "heart failure", Synonyms: []string{"Ödem"}},
	)
	want := []row{row{"heart failure", ids("C1", "C2")}, row{"ödem", ids("C2")}}
	must.Equal(t, lowerCaseRows(d), want, "rows")
}

// TestIsTagged checks that names which are ordinary words, or looked for in capitals
// only, are left out: a peer cannot be asked to find them in any case.
func TestIsTagged(t *testing.T) {
	d := dictionaryOf(kb.Concept{ID: "C1", Name: "acute lymphoblastic leukaemia", Synonyms: []string{"ALL", "disease", "type-2 fever"}})
	tagger, _, err := matcher.NewTagger(d, matcher.DefaultNameFilter())
	must.Succeed(t, err)
	for name, want := range map[string]bool{
		"acute lymphoblastic leukaemia": true, "all": false, "disease": false, "type-2 fever": true,
	} {
		must.Equal(t, isTagged(tagger, name), want, name)
	}
}

// TestCoin checks that made names follow those that are there, that words grow as Heaps' law says, and that concepts
// are not mixed.
func TestCoin(t *testing.T) {
	var own []row
	for i := range 500 {
		own = append(own, row{fmt.Sprintf("fever of word%d", i), ids("F")})
	}
	rows := coin(own, 5000)
	if diff := cmp.Diff(own, rows[:len(own)]); len(rows) != 5000 || diff != "" {
		t.Fatalf("%d rows, want 5,000, and as they were (-want +got):\n%s", len(rows), diff)
	}
	must.Equal(t, coin(own, 5000), rows, "made again")
	words := map[string]bool{}
	for _, r := range rows {
		for _, word := range strings.Fields(r[0].(string)) {
			words[word] = true
		}
		if made := strings.HasPrefix(string(r[1].([]kb.ConceptID)[0]), "made-"); r[0] == "" || made == (r[1].([]kb.ConceptID)[0] == "F") {
			t.Fatalf("row %v", r)
		}
	}
	want := 502 * math.Pow(10, newWords)
	if n := float64(len(words)); n < want/1.3 || n > 1.3*want {
		t.Errorf("%v different words, want some %.0f", n, want)
	}
}

// TestMakeQueries checks the gold of each kind.
func TestMakeQueries(t *testing.T) {
	write := func(name string, rows ...row) string {
		path := filepath.Join(t.TempDir(), name)
		must.Succeed(t, artifact.WriteJSONLines(path, rows))
		return path
	}
	half := row{"heart failure of age", ids("H")}
	o := &options{Queries: 60, Out: filepath.Join(t.TempDir(), "queries.jsonl"),
		From:  write("half.jsonl", half),
		Whole: write("whole.jsonl", half, row{"cardiac failure", ids("H")}, row{"another thing", ids("X")})}
	makeQueries(o)
	queries := must.Get(artifact.ReadJSONLines[nameQuery](o.Out))
	count := map[string]int{}
	for _, q := range queries {
		count[q.Kind]++
		words := strings.Fields(q.Text)
		slices.Sort(words)
		sameWords := strings.Join(words, " ") == "age failure heart of"
		if !slices.Equal(q.Gold, ids("H")) || q.Kind == "order" && !sameWords || q.Kind == "held_out" && q.Text != "cardiac failure" {
			t.Errorf("%+v", q)
		}
	}
	must.Equal(t, count, map[string]int{"typing_errors": 20, "order": 20, "held_out": 20}, "kinds")
}

func TestMarkedSentences(t *testing.T) {
	d := dictionaryOf(kb.Concept{ID: "F", Name: "fever"}, kb.Concept{ID: "R", Name: "rash"})
	tagger, _, err := matcher.NewTagger(d, matcher.NameFilter{})
	must.Succeed(t, err)
	rows := appendMarked(nil, tagger, "He had Fever and a rash. He left.")
	want := []marked{
		{"He had [ENT] Fever [/ENT] and a rash.", "F"},
		{"He had Fever and a [ENT] rash [/ENT].", "R"},
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Fatalf("sentences (-want +got):\n%s", diff)
	}
	q := rows[1].query()
	if q.Text != "He had Fever and a rash." || q.Surface() != "rash" || q.Sentence != (text.Span{End: len(q.Text)}) {
		t.Errorf("query of %q: %q in %q, sentence %v", rows[1].Text, q.Surface(), q.Text, q.Sentence)
	}
	for _, text := range []string{"no mark", "[ENT] never closed", "[/ENT] [ENT] "} {
		must.Fail(t, harness.Try(func() { (&marked{Text: text}).query() }), "", text)
	}
}

func TestReadExemplars(t *testing.T) {
	want := []marked{{"[ENT] a [/ENT] <b> & ü", "C1"}, {"[ENT] b [/ENT]", "C2"}, {"[ENT] c [/ENT]", ""}}
	path := filepath.Join(t.TempDir(), "rows.jsonl")
	must.Succeed(t, artifact.WriteJSONLines(path, want))
	for limit, n := range map[int]int{0: 3, 2: 2, 9: 3} {
		exemplars, got := readExemplars(path, limit)
		must.Equal(t, got, want[:n], "limit", limit)
		must.Equal(t, len(exemplars), n, "limit", limit)
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
	exact := &knnindex.Vectors{Dim: 3, Data: []float32{1, 2, 3, 4, 5, 6}}
	// 2 of 3 and 1 of 3, one of them not found at all: 3/6
	must.Equal(t, recall([][]knnindex.Hit{hits(3, 9, 1), hits(6)}, exact), .5, "recall")
}
