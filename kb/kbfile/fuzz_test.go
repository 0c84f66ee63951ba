package kbfile

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
)

// FuzzReadDictionary reads arbitrary content in every format. A dictionary that can be read must be the same after it
// is written and read again.
func FuzzReadDictionary(f *testing.F) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil || len(files) == 0 {
		f.Fatalf("no files under testdata: %v", err)
	}
	for _, file := range files {
		content := must.Get(os.ReadFile(file))
		for i := range len(Formats()) + 1 {
			f.Add(string(content), uint8(i))
		}
	}
	for _, c := range readCases(f) {
		f.Add(c.text, uint8(len(Formats()))) // format detected
	}
	f.Fuzz(func(t *testing.T, content string, which uint8) {
		formats := append(Formats(), "")
		format := formats[int(which)%len(formats)]
		r, err := input.NewReader(strings.NewReader(content))
		if err != nil {
			return
		}
		d, report, err := read(r, "file", Options{Format: format})
		if report == nil {
			t.Fatal("no report")
		}
		if err != nil {
			return
		}
		if report.Concepts != d.Len() || report.Counts["repeated names"] < 0 {
			t.Errorf("report %+v of %d concepts", report, d.Len())
		}
		var written strings.Builder
		must.Succeed(t, write(&written, d))
		r = must.Get(input.NewReader(strings.NewReader(written.String())))
		again, _, err := read(r, "written", Options{Strict: true})
		if err != nil {
			t.Fatalf("%v in:\n%s", err, &written)
		}
		if again.Hash() != d.Hash() {
			t.Errorf("the dictionary read from its written form differs:\n%s", &written)
		}
	})
}

// FuzzReadParents reads arbitrary content as a hierarchy. Edges must be sorted and distinct, and it must be possible to
// add them to a dictionary.
func FuzzReadParents(f *testing.F) {
	for _, content := range []string{
		"child\tparent\nA\tB\nB\tC|D\nD\t\n", "MESH_ID\tTreeNumbers\nD1\tC18.452|C19\nD2\tC18\n", "A\tB\nB\tA\n", "id,parents\nA,B\n",
		"format-version: 1.2\n[Term]\nid: A:1\nname: a\nis_a: A:2\n", "{\"id\": \"A\", \"name\": \"a\", \"parents\": [\"B\"]}\n",
	} {
		f.Add([]byte(content))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		edges, _, err := ReadParents(writeFile(t, "file", string(content)), files.Limits{InMemory: 1 << 24})
		if err != nil {
			return
		}
		for i, edge := range edges {
			if edge.Child == "" || edge.Parent == "" {
				t.Errorf("edge %d is %+v, want two concepts", i, edge)
			}
		}
		if again := slices.Compact(slices.Clone(edges)); len(edges) == 0 || len(again) != len(edges) {
			t.Errorf("%d edges, %d of them distinct", len(edges), len(again))
		}
		WithParents(kb.NewDictionary([]kb.Concept{{ID: edges[0].Child, Name: "a"}, {ID: edges[0].Parent}}), edges)
	})
}

// FuzzReadConceptMap reads arbitrary content as a map of concepts, and applies it to a dictionary.
func FuzzReadConceptMap(f *testing.F) {
	for _, content := range []string{`{"C1": ["D1", 2], "C2": []}`, `{"C1": ["C2"], "C2": ["C1"], "C1": ["D1"]}`, `{"": ["D1"]}`, `{"C1": "D1"}`, "{}", "{\n"} {
		f.Add([]byte(content))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		concepts, err := ReadConceptMap(writeFile(t, "file", string(content)), files.Limits{InMemory: 1 << 24})
		if err != nil {
			return
		}
		if _, ok := concepts[""]; ok {
			t.Error("a concept without an identifier")
		}
		d := WithConceptMap(kb.NewDictionary([]kb.Concept{{ID: "D1", Name: "asthma", Parents: []kb.ConceptID{"C1"}}, {ID: "C2", Name: "gout"}}), concepts)
		if d.Len() < len(concepts) {
			t.Errorf("%d concepts, want those of the map, %d, at least", d.Len(), len(concepts))
		}
	})
}
