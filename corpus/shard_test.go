package corpus

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/pubmed"
)

// Records of equal files are counted once.
func TestProgressOfEqualFiles(t *testing.T) {
	equal := world{files: 1, records: 9}.make(rand.New(rand.NewPCG(4, 8)))[0]
	files := []testFile{equal, equal, equal}
	files[0].name, files[1].name, files[2].name = "a.xml", "b.xml", "c.xml"
	o := testOptions(t.TempDir(), writeFiles(t, files))
	last := make(map[bool]Progress) // of reading, by whether a shard is reused
	for _, reused := range []bool{false, true} {
		o.Progress = func(p Progress) {
			if p.Stage == "tagging" {
				last[reused] = p
			}
		}
		must.Get(BuildShards(t.Context(), o, o.Inputs))
		if p := last[reused]; p.Records == 0 || p.Records > 9 || p.Done != p.Total || p != last[false] {
			t.Errorf("reused %v: progress ends with %+v, want at most 9 records and all bytes; first %+v", reused, p, last[false])
		}
	}
}

// TestDamagedShardIsMadeAgain damages the work of a build that was stopped before it wrote the corpus: the next build
// remakes the damaged files and reports them, and the corpus is that of an uninterrupted build.
func TestDamagedShardIsMadeAgain(t *testing.T) {
	inputs := writeFiles(t, world{files: 2, records: 30}.make(rand.New(rand.NewPCG(3, 8))))
	whole := testOptions(t.TempDir(), inputs)
	mustBuild(t, whole)
	want := folder(t, whole.Dir)
	stopped := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o := testOptions(stopped, inputs)
	o.Progress = func(p Progress) {
		if p.Stage == "writing" {
			cancel()
		}
	}
	if _, err := Build(ctx, o); !errors.Is(err, context.Canceled) {
		t.Fatalf("the build that was stopped returned %v", err)
	}
	shards, err := filepath.Glob(filepath.Join(stopped, string(shardFolder), "????????????????????????????????.*"))
	if err != nil || len(shards) < 8 {
		t.Fatalf("the build left %v, %v, want two shards of four files", shards, err)
	}
	damages := []func([]byte) []byte{
		func(data []byte) []byte { data[len(data)/2] ^= 1; return data },
		func(data []byte) []byte { data[0] ^= 0x80; return data },
		func([]byte) []byte { return nil },
		nil, // the file is removed
	}
	for i, shard := range shards {
		for _, damage := range []func([]byte) []byte{damages[i%4], damages[(i+1)%4]} { // each kind of file gets each
			name := filepath.Base(shard)
			dir := filepath.Join(t.TempDir(), "corpus")
			must.Succeed(t, os.CopyFS(dir, os.DirFS(stopped)))
			path := filepath.Join(dir, string(shardFolder), name)
			damaged := damage != nil
			if damaged {
				data := must.Get(os.ReadFile(path))
				must.Succeed(t, os.WriteFile(path, damage(data), 0o666))
			} else if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			o := testOptions(dir, inputs)
			var remade []string
			o.Remade = func(damaged *files.DamagedError) { remade = append(remade, damaged.Path) }
			read := 0
			o.open = func(path string) (*pubmed.Reader, error) { read++; return pubmed.Open(path) }
			if _, err := Build(context.Background(), o); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if diff := cmp.Diff(want, folder(t, dir)); diff != "" {
				t.Fatalf("%s: another corpus (-want +got):\n%s", name, diff)
			}
			must.Equal(t, read, 1, name, "input files were read")
			// A missing KEY.json means an unfinished shard.
			if want := []string{path}; (damaged || !strings.HasSuffix(name, ".json")) && !slices.Equal(remade, want) {
				t.Errorf("%s: reported are %v, want %v", name, remade, want)
			}
		}
	}
}

// FuzzReadShard opens shards with a matching checksum in KEY.json.
func FuzzReadShard(f *testing.F) {
	f.Add("{\n  \"name\": \"a\",\n  \"chunks\": [[{\"size\": 0}, {\"size\": 0}, {\"size\": 0}]]\n}", []byte("\x00"))
	f.Add("{\n  \"chunks\": [[]]\n}", []byte("\xff\x06\x00\x00S2sTwO"))
	f.Add("{\n  \"chunks\": [[{\"size\": -1, \"crc32c\": \"\"}, {\"size\": 1, \"crc32c\": \"zz\"}, {}]]\n}", []byte{})
	f.Fuzz(func(t *testing.T, manifest string, sentences []byte) {
		base := filepath.Join(t.TempDir(), "key")
		if manifest == "" {
			return
		}
		must.Succeed(t, artifact.WriteFile(base+".json", artifact.AppendCheckedObject(nil, []byte(manifest))))
		must.Succeed(t, os.WriteFile(base+".0.sentences", sentences, 0o666))
		for _, path := range []string{newChunkFiles(base, 0).records, newChunkFiles(base, 0).pairs} {
			must.Succeed(t, os.WriteFile(path, nil, 0o666))
		}
		if s, err := openShard(t.Context(), base); err == nil {
			s.chunks()
			s.recordRanges()
		} else if _, ok := errors.AsType[*files.DamagedError](err); !ok {
			t.Fatalf("error is %v, want a DamagedError", err)
		}
		for _, err := range readRun[shardRow](base+".0.sentences", -1) {
			if err == nil {
				continue
			} else if _, ok := errors.AsType[*files.DamagedError](err); !ok {
				t.Fatalf("error is %v, want a DamagedError", err)
			}
		}
	})
}
