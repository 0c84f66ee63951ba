package corpus

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// mustMerge merges corpora into a new folder and returns it.
func mustMerge(t testing.TB, srcs ...string) string {
	t.Helper()
	dst := t.TempDir()
	must.Get(Merge(context.Background(), dst, srcs, nil))
	return dst
}

// buildEach builds a corpus from each group of inputs and returns the folders.
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
	split := buildEach(t, in[:3], in[3:5], in[5:])
	sameFolders(t, whole, mustMerge(t, split...))
	sameFolders(t, whole, mustMerge(t, split[2], mustMerge(t, split[1], split[0])))
	sameFolders(t, whole, mustMerge(t, whole))
	t.Run("files in common", func(t *testing.T) {
		overlapping := buildEach(t, in[:4], in[2:], in[1:2])
		sameFolders(t, whole, mustMerge(t, overlapping...))
		sameFolders(t, whole, mustMerge(t, whole, overlapping[1]))
	})
	t.Run("into a source", func(t *testing.T) {
		must.Get(Merge(context.Background(), split[0], split, nil))
		sameFolders(t, whole, split[0])
	})
}

// TestMergeConflicts checks that a merge is either exact or a ConflictError if the corpora supersede and delete each
// other's records.
func TestMergeConflicts(t *testing.T) {
	must.SkipShort(t)
	t.Parallel()
	exact, conflicts := 0, 0
	for seed := range uint64(12) {
		random := rand.New(rand.NewPCG(seed, 5))
		w := world{files: 2 + random.IntN(3), records: 20, pmids: 100 + random.IntN(2000), deletions: .02}
		in := writeFiles(t, w.make(random))
		cut := 1 + random.IntN(len(in)-1)
		dirs := buildEach(t, in, in[:cut], in[cut:])
		dst := t.TempDir()
		_, err := Merge(context.Background(), dst, dirs[1:], nil)
		var conflict *ConflictError
		switch {
		case err == nil:
			exact++
			sameFolders(t, dirs[0], dst)
		case errors.As(err, &conflict):
			conflicts++
			if conflict.PMIDs == 0 || len(conflict.Names) == 0 || !strings.Contains(err.Error(), conflict.Names[0]) {
				t.Errorf("seed %d: conflict is incomplete: %v", seed, err)
			}
		default:
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	if exact == 0 || conflicts == 0 {
		t.Errorf("%d merges were exact and %d conflicts, want some of both", exact, conflicts)
	}
}

func TestMergeDiffers(t *testing.T) {
	in := writeFiles(t, world{files: 1, records: 5}.make(rand.New(rand.NewPCG(1, 6))))
	original := buildEach(t, in)[0]
	for _, c := range []struct {
		want   string
		change func(*Options)
	}{
		{"dictionary (", func(o *Options) { o.Dictionary = testDictionary().Fraction(.5, 1) }},
		{"tagger (words and others)", func(o *Options) { o.Tagger = renamed{testTagger} }},
		{"pair extractor (next word and )", func(o *Options) { o.PairExtractor = nil }},
		{"sentences per name (4 and 9)", func(o *Options) { o.SentencesPerName = 9 }},
		{"seed (7 and 8)", func(o *Options) { o.Seed = 8 }},
		{"excluded documents (", func(o *Options) { o.Exclude = nil }},
	} {
		o := testOptions(t.TempDir(), in)
		c.change(&o)
		mustBuild(t, o)
		_, err := Merge(context.Background(), t.TempDir(), []string{original, o.Dir}, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), o.Dir) {
			t.Errorf("error is %v, want %q and %s in it", err, c.want, o.Dir)
		}
	}
	_, err := Merge(context.Background(), t.TempDir(), nil, nil)
	must.Fail(t, err, "", "a merge of no corpora")

	other := filepath.Join(t.TempDir(), "renamed.xml")
	data := must.Get(os.ReadFile(in[0]))
	must.Succeed(t, os.WriteFile(other, data, 0o644))
	again := buildEach(t, []string{other})[0]
	_, err = Merge(context.Background(), t.TempDir(), []string{original, again}, nil)
	must.Fail(t, err, "renamed.xml")
}

type renamed struct{ wordTagger }

func (renamed) Fingerprint() string { return "others" }
