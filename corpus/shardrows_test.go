package corpus

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

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/kb"
)

// randomRows returns n rows with random values.
func randomRows(r *rand.Rand, n int) []shardRow {
	word := func() string { return strings.Repeat("é ", r.IntN(3)) + fmt.Sprint(r.IntN(50)) }
	rows := make([]shardRow, n)
	for i := range rows {
		rows[i] = shardRow{
			row: row{
				PMID:    fmt.Sprint(r.IntN(1 << 30)),
				Section: word(),
				Index:   r.Int32(),
				Text:    strings.Repeat(word(), r.IntN(200)),
			},
			Record: r.Int32(),
		}
		for range r.IntN(4) {
			m := rowMention{Start: r.Int32(), End: r.Int32(), Name: word()}
			for range r.IntN(4) {
				m.Concepts = append(m.Concepts, kb.ConceptID(word()))
			}
			if r.IntN(2) == 0 {
				m.LongForm = word()
			}
			rows[i].Mentions = append(rows[i].Mentions, m)
		}
	}
	return rows
}

func readAllRows(path string) (rows []shardRow, err error) {
	for r, err := range readShardRows(path) {
		if err != nil {
			return rows, err
		}
		rows = append(rows, shardRow{r.copy(), r.Record})
	}
	return rows, nil
}

func TestShardRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows")
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		want := randomRows(r, int(seed*seed))
		if err := writeShardRows(path, rowSeq(want)); err != nil {
			t.Fatal(err)
		}
		got, err := readAllRows(path)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(shardRow{}), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s", seed, diff)
		}
	}
}

// TestShardRowsDamaged truncates a file at every byte, and changes every byte. Rows
// before the damage may be read, but then there is an error. (A changed byte of S2 may
// copy equal bytes from another place; then the rows are those that were written.)
func TestShardRowsDamaged(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "rows")
	written := randomRows(rand.New(rand.NewPCG(1, 2)), 9)
	if err := writeShardRows(path, rowSeq(written)); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, data []byte) {
		t.Helper()
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		rows, err := readAllRows(path)
		if err == nil && cmp.Equal(written, rows, cmp.AllowUnexported(shardRow{}), cmpopts.EquateEmpty()) {
			return
		}
		var damaged *files.DamagedError
		if !errors.As(err, &damaged) || damaged.Path != path {
			t.Errorf("%s: error is %v, want *files.DamagedError of %s", what, err, path)
		}
	}
	for i := range whole {
		check(fmt.Sprintf("truncated at %d of %d", i, len(whole)), whole[:i])
		changed := append([]byte(nil), whole...)
		changed[i] ^= 0x55
		check(fmt.Sprintf("byte %d changed", i), changed)
	}
}

func BenchmarkShardRows(b *testing.B) {
	path := filepath.Join(b.TempDir(), "rows")
	rows := randomRows(rand.New(rand.NewPCG(1, 3)), 10_000)
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			if err := writeShardRows(path, rowSeq(rows)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			n := 0
			for _, err := range readShardRows(path) {
				if err != nil {
					b.Fatal(err)
				}
				n++
			}
			if n != len(rows) {
				b.Fatalf("%d rows, want %d", n, len(rows))
			}
		}
	})
}
