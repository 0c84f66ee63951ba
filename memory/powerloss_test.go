//go:build unix

package memory

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/artifact/powerloss"
	"github.com/ctxnorm/ctxnorm/kb"
)

// Wherever power is lost while entries are added, undone and imported, the log opens and has what was acknowledged, and
// of the addition that was under way all entries or none. Then it goes on.
func TestPowerLoss(t *testing.T) {
	const ways = 6
	dir, name := t.TempDir(), "m.memory"
	recording, err := powerloss.Start(dir)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 1))
	l := openLog(t, filepath.Join(dir, name))
	sizes, since := []int{0}, []int{0} // of the log after each addition, and the moments of their acknowledgment
	for i := range 12 {
		text := fmt.Sprint("A bad belly", i, strings.Repeat(" hurts", random.IntN(200)))
		var err error
		switch random.IntN(4) {
		case 0:
			_, err = l.Add(t.Context(), gut(), nameEntry(fmt.Sprint("name", i)), false)
		case 1:
			_, err = l.Add(t.Context(), gut(), Entry{Kind: KindContext, Concept: "G1", Text: text, Start: 2, End: 5}, false)
		case 2:
			var several []Entry
			for j := range 30 {
				several = append(several, nameEntry(fmt.Sprint("several ", i, " ", j)))
			}
			_, err = l.Import(t.Context(), gut(), several, false)
		case 3:
			if len(l.State().Active()) == 0 {
				continue
			}
			_, err = l.Undo(t.Context(), l.State().Active()[0].Number, "ann")
		}
		if err != nil {
			t.Fatal(err)
		}
		sizes, since = append(sizes, len(l.State().All())), append(since, recording.Moment())
	}
	want := l.State().All()
	moments, err := recording.Stop()
	if err != nil {
		t.Fatal(err)
	}
	for moment := range moments {
		for way := range ways {
			at := fmt.Sprintf("power lost at moment %d of %d, way %d", moment, moments, way)
			state := t.TempDir()
			if err := recording.Restore(state, moment, way, rand.New(rand.NewPCG(uint64(moment), uint64(way)))); err != nil {
				t.Fatal(err)
			}
			after, err := Open(filepath.Join(state, name), nil)
			if err != nil {
				t.Errorf("%s: %v", at, err)
				continue
			}
			got := after.State().All()
			acknowledged := 0
			for i := range sizes {
				if moment >= since[i] {
					acknowledged = sizes[i]
				}
			}
			same := func(a, b Entry) bool { return fmt.Sprintf("%+v", a) == fmt.Sprintf("%+v", b) }
			if !slices.Contains(sizes, len(got)) || len(got) < acknowledged || !slices.EqualFunc(got, want[:len(got)], same) {
				t.Errorf("%s: the log has %d entries, want the first %d, or all of the next addition, too: %d", at, len(got), acknowledged, sizes)
			}
			if way == 2 {
				added, err := after.Add(t.Context(), gut(), Entry{Kind: KindName, Concept: kb.ConceptID("G2"), Name: "last"}, false)
				if again := openLog(t, filepath.Join(state, name)).State().All(); err != nil || added.Number != len(got)+1 || len(again) != len(got)+1 {
					t.Errorf("%s, then one more entry: %v; its number is %d, want %d", at, err, added.Number, len(got)+1)
				}
			}
		}
	}
	t.Logf("%d states", moments*ways)
}
