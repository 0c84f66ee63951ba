package corpus

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/kb"
)

func TestRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows")
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 1))
		word := func() string { return strings.Repeat("é ", r.IntN(3)) + fmt.Sprint(r.IntN(50)) }
		want := make([]shardRow, seed*seed*seed)
		for i := range want {
			want[i] = shardRow{row{PMID: word(), Section: word(), Index: r.Int32(), Text: strings.Repeat(word(), r.IntN(200))}, r.Int32N(3)}
			for range r.IntN(4) {
				m := rowMention{Start: r.Int32N(3), End: r.Int32(), Name: word(), Concepts: make([]kb.ConceptID, r.IntN(3))}
				want[i].Row.Mentions = append(want[i].Row.Mentions, m)
			}
		}
		if err := writeRun(path, valuesOf(want)); err != nil {
			t.Fatal(err)
		}
		var got []shardRow
		for row, err := range readRun[shardRow](path) {
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			got = append(got, *row)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s", seed, diff)
		}
	}
}
