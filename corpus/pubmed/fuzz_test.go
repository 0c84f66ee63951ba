package pubmed

import (
	"math/rand/v2"
	"testing"
)

// FuzzReader holds the Reader against the oracle on any input.
func FuzzReader(f *testing.F) {
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 2))
		w := &writer{Rand: rng}
		input := w.file()
		f.Add(input)
		f.Add(damage(rng, input))
	}
	for _, b := range broken {
		f.Add([]byte(b.input))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		if len(input) > 1<<14 {
			t.Skip("longer than a name may be")
		}
		if len(input) >= 2 && input[0] == gzipMagic[0] && input[1] == gzipMagic[1] {
			readAll(t, NewReader(&flaky{data: input}, "test.xml.gz")) // errors, no panic
			return
		}
		agree(t, input, read(t, input))
	})
}
