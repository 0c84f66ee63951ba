package link

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/parquet-go/parquet-go"

	"ctxnorm"
)

// randomContexts have sentences with several mentions of several concepts, or of none.
func randomContexts(r *rand.Rand, n int) []ctxnorm.Exemplar {
	contexts := make([]ctxnorm.Exemplar, n)
	for i := range contexts {
		doc := &ctxnorm.Document{ID: strings.Repeat("7", r.IntN(9)), Text: strings.Repeat("β text ", 1+r.IntN(40))}
		for j := range 1 + r.IntN(4) {
			m := ctxnorm.Mention{Span: ctxnorm.Span{Start: j, End: j + 1 + r.IntN(4)}, Name: strings.Repeat("n", r.IntN(3)), Concepts: []ctxnorm.ConceptID{}}
			for range r.IntN(4) {
				m.Concepts = append(m.Concepts, ctxnorm.ConceptID(fmt.Sprint("C", r.IntN(100))))
			}
			doc.Mentions = append(doc.Mentions, m)
		}
		whole := ctxnorm.Span{Start: 0, End: len(doc.Text)}
		contexts[i] = ctxnorm.Exemplar{Query: ctxnorm.Query{Document: doc, Mention: doc.Mentions[r.IntN(len(doc.Mentions))], Sentence: whole}}
	}
	return contexts
}

// randomDictionary has the concepts of randomContexts.
func randomDictionary() *ctxnorm.Dictionary {
	concepts := make([]ctxnorm.Concept, 100)
	for i := range concepts {
		concepts[i].ID = ctxnorm.ConceptID(fmt.Sprint("C", i))
	}
	return ctxnorm.NewDictionary(concepts)
}

// readContexts reads whose the contexts in a file are, and then all of them.
func readContexts(path string, dict *ctxnorm.Dictionary) (rowConcepts, []ctxnorm.Exemplar, error) {
	f, err := openContexts(path)
	if err != nil {
		return rowConcepts{}, nil, err
	}
	defer f.Close()
	rows, err := f.readConcepts(dict)
	if err != nil {
		return rowConcepts{}, nil, err
	}
	contexts, err := f.readExemplars()
	return rows, contexts, err
}

func TestContextsRoundTrip(t *testing.T) {
	dict := randomDictionary()
	r := rand.New(rand.NewPCG(1, 5))
	for _, n := range []int{0, 1, 2, 500, 5000} { // the last of several pages a column
		path := filepath.Join(t.TempDir(), "contexts.parquet")
		want := randomContexts(r, n)
		if err := writeContexts(path, want); err != nil {
			t.Fatal(err)
		}
		owners, got, err := readContexts(path, dict)
		if err != nil {
			t.Fatal(err)
		}
		if owners.len() != n {
			t.Fatalf("owners of %d rows, want %d", owners.len(), n)
		}
		for i := range want {
			if diff := cmp.Diff(conceptPositions(dict, want[i].Mention.Concepts), owners.of(int32(i)), cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("owners of row %d of %d (-want +got):\n%s", i, n, diff)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%d contexts (-want +got):\n%s", n, diff)
		}
		rows, err := parquet.ReadFile[contextRow](path) // as parquet-go reads them
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			if diff := cmp.Diff(rows[i], rowOf(&got[i])); diff != "" {
				t.Fatalf("row %d of %d (-parquet-go +got):\n%s", i, n, diff)
			}
		}
	}
}

func TestContextsRefused(t *testing.T) {
	good := contextRow{PMID: "1", Text: "gout", Mentions: []mentionRow{{0, 4, "gout", []string{"C1"}}}}
	changed := func(change func(*contextRow)) []contextRow {
		row := good
		row.Mentions = []mentionRow{good.Mentions[0]}
		change(&row)
		return []contextRow{good, row}
	}
	type other struct {
		PMID     string       `parquet:"pmid"`
		Text     int64        `parquet:"text"`
		Mention  int32        `parquet:"mention"`
		Mentions []mentionRow `parquet:"mentions,list"`
	}
	type optional struct {
		PMID     string       `parquet:"pmid"`
		Text     string       `parquet:"text"`
		Mention  *int32       `parquet:"mention,optional"`
		Mentions []mentionRow `parquet:"mentions,list"`
	}
	for _, test := range []struct {
		what  string
		write func(path string) error
		want  string
	}{
		{"no mention", func(path string) error {
			return parquet.WriteFile(path, changed(func(row *contextRow) { row.Mentions = nil }))
		}, "row 1: mention 0 of 0"},
		{"another mention", func(path string) error {
			return parquet.WriteFile(path, changed(func(row *contextRow) { row.Mention = -1 }))
		}, "row 1: mention -1 of 1"},
		{"another concept", func(path string) error {
			return parquet.WriteFile(path, changed(func(row *contextRow) { row.Mentions[0].Concepts = []string{"C1", "C100"} }))
		}, "row 1: is of a concept that the dictionary does not have"},
		{"beyond the text", func(path string) error {
			return parquet.WriteFile(path, changed(func(row *contextRow) { row.Mentions[0].End = 5 }))
		}, "row 1: mention 0:5 of a text of 4 bytes"},
		{"a column missing", func(path string) error {
			return parquet.WriteFile(path, []struct {
				Text string `parquet:"text"`
			}{{"gout"}})
		}, "column mention: is missing"},
		{"a column missing that is read late", func(path string) error {
			return parquet.WriteFile(path, []struct {
				Text     string       `parquet:"text"`
				Mention  int32        `parquet:"mention"`
				Mentions []mentionRow `parquet:"mentions,list"`
			}{{"gout", 0, good.Mentions}})
		}, "column pmid: is missing"},
		{"a column of numbers", func(path string) error { return parquet.WriteFile(path, []other{{Mentions: good.Mentions}}) }, "column text: is of type INT64, want BYTE_ARRAY"},
		{"an optional column", func(path string) error { return parquet.WriteFile(path, []optional{{}}) }, "column mention: has levels 0 and 1, want 0 and 0"},
	} {
		path := filepath.Join(t.TempDir(), "contexts.parquet")
		if err := test.write(path); err != nil {
			t.Fatal(err)
		}
		_, _, err := readContexts(path, randomDictionary())
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %s of the file", test.what, err, test.want)
		}
	}
}

// FuzzReadContexts reads files that are damaged anywhere.
func FuzzReadContexts(f *testing.F) {
	path := filepath.Join(f.TempDir(), "contexts.parquet")
	if err := writeContexts(path, randomContexts(rand.New(rand.NewPCG(2, 5)), 3)); err != nil {
		f.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint16(0), byte(0))
	f.Add(uint16(20), byte(' ')) // a size in the header of a page
	f.Add(uint16(len(whole)/2), byte(255))
	dict := randomDictionary()
	f.Fuzz(func(t *testing.T, at uint16, flip byte) {
		data := append([]byte(nil), whole...)
		data[int(at)%len(data)] ^= flip
		path := filepath.Join(t.TempDir(), "contexts.parquet")
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		owners, contexts, err := readContexts(path, dict)
		if err == nil && (len(contexts) != 3 || owners.len() != 3) {
			t.Errorf("byte %d changed by %d: %d contexts, owners of %d", int(at)%len(data), flip, len(contexts), owners.len())
		}
	})
}

func BenchmarkReadContexts(b *testing.B) {
	path := filepath.Join(b.TempDir(), "contexts.parquet")
	if err := writeContexts(path, randomContexts(rand.New(rand.NewPCG(3, 5)), 50_000)); err != nil {
		b.Fatal(err)
	}
	dict := randomDictionary()
	for _, bench := range []struct {
		name string
		read func(*contextFile) error
	}{
		{"owners", func(f *contextFile) error { _, err := f.readConcepts(dict); return err }},
		{"exemplars", func(f *contextFile) error { _, err := f.readExemplars(); return err }},
	} {
		b.Run(bench.name, func(b *testing.B) {
			for b.Loop() {
				f, err := openContexts(path)
				if err != nil {
					b.Fatal(err)
				}
				if err := errors.Join(bench.read(f), f.Close()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
