package knnindex

import (
	"fmt"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

func TestChoose(t *testing.T) {
	for _, c := range []struct {
		kind      Kind
		rows, dim int
		want      Kind
		because   string
	}{
		{KindAuto, 0, 384, KindFlat, "flat: 0 x 384 vectors are 0.0 MB; exact search is for up to 268.4 MB"},
		// 4 x 174,762 x 384 = 268,434,432 bytes, 1,024 under 256 MiB
		{KindAuto, 174_762, 384, KindFlat, "flat: 174762 x 384 vectors are 268.4 MB; exact search is for up to 268.4 MB"},
		{KindAuto, 174_763, 384, KindHNSW, "hnsw: 174763 x 384 vectors are 268.4 MB; a graph is for more than 268.4 MB"},
		{KindAuto, 174_762, 768, KindHNSW, "hnsw: 174762 x 768 vectors are 536.9 MB; a graph is for more than 268.4 MB"},
		{KindFlat, 1 << 30, 384, KindFlat, "flat: as requested"},
		{KindHNSW, 1, 384, KindHNSW, "hnsw: as requested"},
	} {
		if kind, because := Choose(c.kind, c.rows, c.dim); kind != c.want || because != c.because {
			t.Errorf("%s, %d x %d: %s, %q, want %s, %q", c.kind, c.rows, c.dim, kind, because, c.want, c.because)
		}
	}
}

func TestParseKind(t *testing.T) {
	for _, s := range []string{"auto", "flat", "hnsw"} {
		must.Equal(t, string(must.Get(ParseKind(s))), s)
	}
	want := `kind of index is "tree", want auto, flat or hnsw`
	_, err := ParseKind("tree")
	must.Equal(t, fmt.Sprint(err), want)
}
