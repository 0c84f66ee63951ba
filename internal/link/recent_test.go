package link

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestRecent: what is remembered is what was set last, at most two generations of it, and a
// wording that is asked for in every generation stays.
func TestRecent(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const size = 8
	r, all := newRecent[int](size), make(map[string]int)
	for i := range 2000 {
		wording := fmt.Sprint(random.IntN(40))
		if got, ok := r.get(wording); ok && got != all[wording] {
			t.Fatalf("step %d: %q is %d, want %d", i, wording, got, all[wording])
		}
		if random.IntN(2) == 0 {
			all[wording] = i
			r.set(wording, i)
			if got, ok := r.get(wording); !ok || got != i {
				t.Fatalf("step %d: %q is %d, %v after it was set to %d", i, wording, got, ok, i)
			}
		}
		if _, ok := r.get("always"); i > 0 && !ok {
			t.Fatalf("step %d: a wording in use was forgotten", i)
		}
		r.set("always", 0)
		if len(r.now) > size || len(r.old) > size {
			t.Fatalf("step %d: %d and %d wordings, want at most %d", i, len(r.now), len(r.old), size)
		}
	}
}
