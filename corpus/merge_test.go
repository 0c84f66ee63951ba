package corpus

import (
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mustMerge merges corpora into a new folder.
func mustMerge(t testing.TB, srcs ...string) string {
	t.Helper()
	dst := t.TempDir()
	if _, err := Merge(context.Background(), dst, srcs); err != nil {
		t.Fatal(err)
	}
	return dst
}

// buildEach builds a corpus of each group of inputs.
func buildEach(t testing.TB, groups ...[]string) []string {
	t.Helper()
	var dirs []string
	for _, inputs := range groups {
		o := testOptions(t.TempDir(), inputs)
		mustBuild(t, o)
		dirs = append(dirs, o.Dir)
	}
	return dirs
}

func TestMerge(t *testing.T) {
	files := world{files: 6, records: 40}.make(rand.New(rand.NewPCG(1, 4)))
	in := writeFiles(t, files)
	whole := buildEach(t, in)[0]
	parts := buildEach(t, in[:3], in[3:5], in[5:])
	sameFolders(t, whole, mustMerge(t, parts...))
	sameFolders(t, whole, mustMerge(t, parts[2], mustMerge(t, parts[1], parts[0])))
	sameFolders(t, whole, mustMerge(t, whole))
	t.Run("files in common", func(t *testing.T) {
		overlapping := buildEach(t, in[:4], in[2:], in[1:2])
		sameFolders(t, whole, mustMerge(t, overlapping...))
		sameFolders(t, whole, mustMerge(t, whole, overlapping[1]))
	})
	t.Run("into a source", func(t *testing.T) {
		if _, err := Merge(context.Background(), parts[0], parts); err != nil {
			t.Fatal(err)
		}
		sameFolders(t, whole, parts[0])
	})
}

// TestMergeConflicts holds that a merge is exact or refused, whatever the
// corpora supersede and delete of each other's records.
func TestMergeConflicts(t *testing.T) {
	exact, refused := 0, 0
	for seed := range uint64(25) {
		random := rand.New(rand.NewPCG(seed, 5))
		w := world{files: 2 + random.IntN(3), records: 20, pmids: 100 + random.IntN(2000), deletions: .02}
		in := writeFiles(t, w.make(random))
		cut := 1 + random.IntN(len(in)-1)
		dirs := buildEach(t, in, in[:cut], in[cut:])
		dst := t.TempDir()
		_, err := Merge(context.Background(), dst, dirs[1:])
		var conflict *ConflictError
		switch {
		case err == nil:
			exact++
			sameFolders(t, dirs[0], dst)
		case errors.As(err, &conflict):
			refused++
			if conflict.PMIDs == 0 || len(conflict.Names) == 0 || !strings.Contains(err.Error(), conflict.Names[0]) {
				t.Errorf("seed %d: conflict is not told: %v", seed, err)
			}
		default:
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if exact == 0 || refused == 0 {
		t.Errorf("%d merges were exact and %d refused, want some of both", exact, refused)
	}
}

func TestMergeDiffers(t *testing.T) {
	in := writeFiles(t, world{files: 1, records: 5}.make(rand.New(rand.NewPCG(1, 6))))
	base := buildEach(t, in)[0]
	for _, c := range []struct {
		want   string
		change func(*Options)
	}{
		{"dictionary (", func(o *Options) { o.Dictionary = testDictionary().Fraction(.5, 1) }},
		{"tagger (words and others)", func(o *Options) { o.Tagger = renamed{testTagger} }},
		{"miner (next word and )", func(o *Options) { o.Miner = nil }},
		{"sentences a name (4 and 9)", func(o *Options) { o.PerName = 9 }},
		{"seed (7 and 8)", func(o *Options) { o.Seed = 8 }},
		{"excluded PMIDs (", func(o *Options) { o.Exclude = nil }},
	} {
		o := testOptions(t.TempDir(), in)
		c.change(&o)
		mustBuild(t, o)
		_, err := Merge(context.Background(), t.TempDir(), []string{base, o.Dir})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), o.Dir) {
			t.Errorf("error is %v, want %q and the folder in it", err, c.want)
		}
	}
	if _, err := Merge(context.Background(), t.TempDir(), nil); err == nil {
		t.Error("nothing was merged without an error")
	}

	other := filepath.Join(t.TempDir(), "renamed.xml")
	data, err := os.ReadFile(in[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(other, data, 0o644); err != nil {
		t.Fatal(err)
	}
	again := buildEach(t, []string{other})[0]
	if _, err := Merge(context.Background(), t.TempDir(), []string{base, again}); err == nil || !strings.Contains(err.Error(), "renamed.xml") {
		t.Errorf("error is %v, want the file that has two names in it", err)
	}
}

type renamed struct{ wordTagger }

func (renamed) Fingerprint() string { return "others" }

func TestSample(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 7))
		s := newSample(1 + random.IntN(12))
		offered := make(map[uint64]bool)
		for range random.IntN(60) {
			hash := uint64(random.IntN(40))
			offered[hash] = true
			smallest := slices.Sorted(maps.Keys(offered))
			smallest = smallest[:min(s.size, len(smallest))]
			if got, want := s.offer("flu", hash), slices.Contains(smallest, hash); got != want {
				t.Fatalf("seed %d: offer(%d) = %v, want %v: %d smallest of %v", seed, hash, got, want, s.size, smallest)
			}
			for h := range uint64(40) {
				if got, want := s.keeps("flu", h), slices.Contains(smallest, h); got != want {
					t.Fatalf("seed %d: keeps(%d) = %v, want %v: %v", seed, h, got, want, smallest)
				}
			}
			largest, full := s.limit("flu")
			if full != (len(smallest) == s.size) || full && largest != smallest[s.size-1] {
				t.Fatalf("seed %d: limit is %d, %v: %d of %v", seed, largest, full, s.size, smallest)
			}
		}
	}
	s := newSample(3)
	if _, full := s.limit("gout"); full || s.keeps("gout", 1) {
		t.Error("a name never offered is kept")
	}
}
