package matcher

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/blevesearch/vellum"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// newTransducer builds the transducer of keys, which it sorts.
func newTransducer(t testing.TB, keys map[string]bool) (transducer, []string) {
	t.Helper()
	var out bytes.Buffer
	builder := must.Get(vellum.New(&out, nil))
	sorted := slices.Sorted(maps.Keys(keys))
	for rank, key := range sorted {
		must.Succeed(t, builder.Insert([]byte(key), uint64(rank)))
	}
	must.Succeed(t, builder.Close())
	return out.Bytes(), sorted
}

// TestTransducer compares each step with vellum.
func TestTransducer(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 4))
		keys := make(map[string]bool)
		labels, size := 1+r.IntN(256), 1+r.IntN(8)
		for range r.IntN(1 << r.IntN(14)) {
			key := make([]byte, 1+r.IntN(size))
			for i := range key {
				key[i] = byte(256 - 1 - r.IntN(labels))
			}
			keys[string(key)] = true
		}
		names, sorted := newTransducer(t, keys)
		fst, err := vellum.Load(names)
		if err != nil || !names.fits(len(keys)) || names.fits(len(keys)+1) || names.root() != fst.Start() {
			t.Fatalf("seed %d: %v, or the keys do not fit", seed, err)
		}
		for rank, key := range sorted {
			state, sum := names.root(), 0
			for i := range len(key) {
				for _, label := range []byte{byte(r.IntN(256)), key[i]} {
					to, output := names.next(state, label)
					wantTo, wantOutput := fst.AcceptWithVal(state, label)
					if to != wantTo || to != noState && uint64(output) != wantOutput {
						t.Fatalf("seed %d: key %q, state %d, label %d: leads to %d with %d, want %d with %d", seed, key, state, label, to, output, wantTo, wantOutput)
					}
				}
				to, output := names.next(state, key[i])
				state, sum = to, sum+output
				if match, output := fst.IsMatchWithVal(state); names.ends(state) != match || output != 0 {
					t.Fatalf("seed %d: key %q: state %d ends %t, want %t", seed, key, state, !match, match)
				}
			}
			if sum != rank {
				t.Fatalf("seed %d: key %q has the rank %d, want %d", seed, key, sum, rank)
			}
		}
	}
}
