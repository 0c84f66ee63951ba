package corpus

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// shardsVariable makes the child process of killVariable build the shards of these files, separated as in PATH, and no
// corpus.
const shardsVariable = "CORPUS_TEST_SHARDS"

// TestBuildShards lets processes build shards of random, overlapping groups of files at the same time. Some are stopped
// and repeated. The corpus is that of a single build, even if files supersede or delete records of others.
func TestBuildShards(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		random := rand.New(rand.NewPCG(seed, 9))
		inputs := writeFiles(t, world{files: 5, records: 20, pmids: 70, deletions: .03}.make(random))
		whole := testOptions(t.TempDir(), inputs)
		mustBuild(t, whole)
		o := testOptions(t.TempDir(), inputs)
		var builders sync.WaitGroup
		for range 4 {
			var files []string
			for _, i := range random.Perm(len(inputs))[:1+random.IntN(4)] {
				files = append(files, inputs[i])
			}
			own, stops := o, random.IntN(3)
			own.Workers = 1 + random.IntN(2)
			own.chunkRecords = 1 + random.IntN(40)
			builders.Go(func() {
				for ; stops > 0; stops-- {
					ctx, cancel := context.WithCancel(t.Context())
					own.Progress = func(Progress) { cancel() }
					_, _ = BuildShards(ctx, own, files) // it may have ended before it was stopped
				}
				own.Progress = nil
				must.Equal(t, len(must.Get(BuildShards(t.Context(), own, files))), len(files), "seed", seed, "files")
			})
		}
		builders.Wait()
		mustBuild(t, o)
		sameFolders(t, whole.Dir, o.Dir)
	}
}

// TestBuildShardsDocuments has documents without identifiers. They are named by the part of their file's path that
// distinguishes it from the other inputs.
func TestBuildShardsDocuments(t *testing.T) {
	dir := t.TempDir()
	var inputs []string
	for _, name := range []string{"a/notes.txt", "b/notes.txt", "c.txt"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must.Succeed(t, os.WriteFile(path, []byte("Flu in "+name+".\nGout.\n"), 0o644))
		inputs = append(inputs, path)
	}
	whole := testOptions(t.TempDir(), inputs)
	mustBuild(t, whole)
	o := testOptions(t.TempDir(), inputs)
	for _, path := range inputs {
		must.Get(BuildShards(t.Context(), o, []string{path}))
	}
	o.Progress = func(p Progress) {
		if p.Stage == "tagging" && p.Done > 0 && p.Records == 0 {
			t.Error("the build has read a file again")
		}
	}
	mustBuild(t, o)
	sameFolders(t, whole.Dir, o.Dir)
	_, err := BuildShards(t.Context(), o, []string{"other.xml"})
	must.Equal(t, fmt.Sprint(err), "other.xml: is not one of the 3 input files", "a file that is no input")
}

// TestBuildShardsKilled kills processes that build shards while others continue.
func TestBuildShardsKilled(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	sources := world{files: 6, records: 30, pmids: 120, deletions: .02}.make(rand.New(rand.NewPCG(11, 8)))
	inputs := writeFiles(t, sources)
	must.Succeed(t, os.Rename(filepath.Dir(inputs[0]), filepath.Join(top, "inputs")))
	for i := range inputs {
		inputs[i] = filepath.Join(top, "inputs", sources[i].name)
	}
	whole := testOptions(filepath.Join(top, "whole"), inputs)
	mustBuild(t, whole)

	o := testOptions(filepath.Join(top, "corpus"), inputs)
	build := func(paths ...string) *exec.Cmd {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), killVariable+"="+o.Dir, shardsVariable+"="+joinPaths(paths))
		must.Succeed(t, child.Start())
		return child
	}
	for pair := range slices.Chunk(inputs, 2) {
		killed, other := build(pair...), build(pair...)
		time.Sleep(20 * time.Millisecond)
		_ = killed.Process.Kill() // it may have ended
		_ = killed.Wait()
		must.Succeed(t, other.Wait())
	}
	var locked *files.LockedError
	shared := must.Get(artifact.LockFolderShared(t.Context(), o.Dir, nil))
	if _, err := Build(t.Context(), o); !errors.As(err, &locked) {
		t.Errorf("a build beside those of shards: %v, want a locked folder", err)
	}
	shared.Release()
	mustBuild(t, o)
	sameFolders(t, whole.Dir, o.Dir)
}

func joinPaths(paths []string) string {
	joined := ""
	for _, path := range paths {
		joined += path + string(os.PathListSeparator)
	}
	return joined[:len(joined)-1]
}
