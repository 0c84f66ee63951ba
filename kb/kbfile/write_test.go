package kbfile

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
)

// randomDictionary returns a dictionary that uses all fields of concepts, with names of characters that are special in
// some format.
func randomDictionary(r *rand.Rand) *kb.Dictionary {
	letters := []rune("ab |\"\\<>,\té日\u2028[]{}")
	word := func() string {
		word := make([]rune, 1+r.IntN(6))
		for i := range word {
			word[i] = letters[r.IntN(len(letters))]
		}
		return string(word)
	}
	someIDs := func() []kb.ConceptID {
		var ids []kb.ConceptID
		for range r.IntN(3) {
			ids = append(ids, kb.ConceptID(fmt.Sprintf("X:%d", r.IntN(20))))
		}
		return ids
	}
	var concepts []kb.Concept
	for range 1 + r.IntN(10) {
		c := kb.Concept{ID: kb.ConceptID(fmt.Sprintf("X:%d", r.IntN(20))), AltIDs: someIDs(), Parents: someIDs()}
		if r.IntN(4) > 0 {
			c.Name, c.NameHeldOut = word(), r.IntN(4) == 0
		}
		for range r.IntN(3) {
			c.Types = append(c.Types, word())
		}
		for range r.IntN(4) {
			c.Synonyms = append(c.Synonyms, word())
		}
		concepts = append(concepts, c)
	}
	return kb.NewDictionary(concepts)
}

func TestWriteThenReadIsLossless(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, seed))
	for trial := range 200 {
		want := randomDictionary(r)
		name := "dictionary.jsonl"
		if trial%2 == 1 {
			name += ".gz"
		}
		path := filepath.Join(t.TempDir(), name)
		must.Succeed(t, Write(path, want))
		got, report, err := Read(path, Options{Strict: true})
		if err != nil {
			t.Fatalf("trial %d of seed %d: %v", trial, seed, err)
		}
		if diff := cmp.Diff(concepts(want), concepts(got), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("trial %d of seed %d (-want +got):\n%s", trial, seed, diff)
		}
		if got.Hash() != want.Hash() {
			t.Errorf("trial %d of seed %d: the hashes differ", trial, seed)
		}
		if report.Counts["repeated names"]+report.Counts[emptyNames]+report.BadRows > 0 {
			t.Errorf("trial %d of seed %d: report %+v of a written file, want no duplicate, empty or malformed rows", trial, seed, report)
		}
	}
}
