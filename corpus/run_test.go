package corpus

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
)

// randomRows returns n rows with random values.
func randomRows(r *rand.Rand, n int) []shardRow {
	word := func() string { return strings.Repeat("é ", r.IntN(3)) + fmt.Sprint(r.IntN(50)) }
	rows := make([]shardRow, n)
	for i := range rows {
		rows[i] = shardRow{row{PMID: word(), Section: word(), Index: r.Int32(), Text: strings.Repeat(word(), r.IntN(200))}, r.Int32N(3)}
		for range r.IntN(4) {
			m := rowMention{Start: r.Int32N(3), End: r.Int32(), Name: word(), Concepts: make([]kb.ConceptID, r.IntN(3))}
			rows[i].Row.Mentions = append(rows[i].Row.Mentions, m)
		}
	}
	return rows
}

func readRows(path string, length int) (rows []shardRow, err error) {
	for row, err := range readRun[shardRow](path, length) {
		if err != nil {
			return rows, err
		}
		rows = append(rows, *row)
	}
	return rows, nil
}

// TestRunDamaged truncates a run at every byte, and changes every byte. Values before the damage may be read, but an
// error follows. (A changed byte of S2 may copy equal bytes from another place, so the values stay the same.)
func TestRunDamaged(t *testing.T) {
	must.SkipShort(t)
	t.Parallel()
	path := filepath.Join(t.TempDir(), "rows")
	written := randomRows(rand.New(rand.NewPCG(1, 2)), 9)
	must.Get(writeRun(path, valuesOf(written)))
	whole := must.Get(os.ReadFile(path))
	check := func(what string, i int, data []byte) {
		must.Succeed(t, os.WriteFile(path, data, 0o644))
		rows, err := readRows(path, len(written))
		if err == nil && cmp.Equal(written, rows, cmpopts.EquateEmpty()) {
			return
		}
		if damaged, ok := errors.AsType[*files.DamagedError](err); !ok || damaged.Path != path {
			t.Errorf("byte %d of %d %s: %d rows, error %v, want *files.DamagedError of %s", i, len(whole), what, len(rows), err, path)
		}
	}
	for i := range whole {
		check("truncated", i, whole[:i])
		changed := slices.Clone(whole)
		changed[i] ^= 0x55
		check("changed", i, changed)
	}
}
