package lexical

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/kb"
)

// parseConcepts returns a dictionary of "id: name | name" lines.
func parseConcepts(lines ...string) *kb.Dictionary {
	var concepts []kb.Concept
	for _, line := range lines {
		id, names, _ := strings.Cut(line, ": ")
		concepts = append(concepts, kb.Concept{ID: kb.ConceptID(id), Synonyms: strings.Split(names, " | ")})
	}
	return kb.NewDictionary(concepts)
}

// randomName concatenates n of a few pieces.
func randomName(r *rand.Rand, n int) string {
	pieces := []string{
		"a", "B", "ab", "Ab", "AB", "b2", "2", "é", "ﬁ", "α", "病", "糖", "が", "ｶﾞ", "น้ำ", "당", "word", "longer-than-eight-letters",
		" ", " ", " ", "-", "　", "\u00ad", "\u0301", "\xff", ".",
	}
	var b strings.Builder
	for range n {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func TestExact(t *testing.T) {
	x := NewExact(parseConcepts("D2: Gout | gout | Sjögren's syndrome | —", "D1: GOUT | all", "D3: 糖尿病"))
	tests := []struct {
		text string
		want []kb.ConceptID
	}{
		{" gout.", []kb.ConceptID{"D1", "D2"}},
		{"SJOGREN’S-SYNDROME", []kb.ConceptID{"D2"}},
		{"ALL", []kb.ConceptID{"D1"}}, // no name is filtered out
		{"糖尿病", []kb.ConceptID{"D3"}},
		{"糖 尿病", nil},
		{"gouty", nil},
		{"", nil},
		{"?", nil},
	}
	for _, test := range tests {
		if diff := gocmp.Diff(test.want, x.Lookup(test.text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.text, diff)
		}
	}
}

// TestBest compares the best concepts with all of them sorted.
func TestBest(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 3))
		var concepts []kb.Concept
		for i := range 40 + 40*int(seed%10) { // in one block of rows and several
			c := kb.Concept{ID: kb.ConceptID(fmt.Sprintf("C%03d", i))}
			for j := range r.IntN(4) { // some have no name
				c.Synonyms = append(c.Synonyms, fmt.Sprintf("n%d.%d", i, j))
			}
			concepts = append(concepts, c)
		}
		ids, names := namesOf(kb.NewDictionary(concepts))
		rows, forms := newNameRows(ids, names, func(name string) (string, string, string) { return name, name, name })
		if !slices.Equal(forms, rows.names) {
			t.Fatalf("forms are %q of names %q", forms, rows.names)
		}
		scores := make([]float32, len(rows.names))
		for row := range scores {
			scores[row] = float32(r.IntN(6)-1) / 4 // many equal, some not above 0
		}
		best := make(map[kb.ConceptID]NameHit)
		for row, score := range scores {
			id := rows.concepts[rows.concept[row]]
			if float64(score) > best[id].Score {
				best[id] = NameHit{id, rows.names[row], float64(score)}
			}
		}
		var all []NameHit
		for _, hit := range best {
			if hit.Score > 0 {
				all = append(all, hit)
			}
		}
		slices.SortFunc(all, func(a, b NameHit) int {
			return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Concept, b.Concept))
		})
		for _, k := range []int{0, 1, 5, 100} {
			want := append([]NameHit{}, all[:min(k, len(all))]...)
			if diff := gocmp.Diff(want, rows.best(scores, k)); diff != "" {
				t.Fatalf("seed %d, k %d (-want +got):\n%s", seed, k, diff)
			}
		}
	}
}
