package pipeline

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"
)

func TestMain(m *testing.M) { ptest.MainWithDefault(m, "prism") }

// inputs writes PubMed files with n records each that are in no other, and returns their paths.
func inputs(t *testing.T, files, n int) []string {
	t.Helper()
	dir := t.TempDir()
	paths := make([]string, files)
	for i := range paths {
		var xml strings.Builder
		xml.WriteString("<PubmedArticleSet>\n")
		for j := range n {
			fmt.Fprintf(&xml, `<PubmedArticle><MedlineCitation><PMID Version="1">%d</PMID><Article><ArticleTitle>Asthma in file %d.</ArticleTitle>`+
				`<Abstract><AbstractText>Patients with celiac disease (CD) had migraine in year %d. CD is common, and so is hypertension.</AbstractText></Abstract></Article></MedlineCitation></PubmedArticle>`+"\n", 1+i*n+j, i, j)
		}
		xml.WriteString("</PubmedArticleSet>\n")
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		if _, err := w.Write([]byte(xml.String())); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		paths[i] = filepath.Join(dir, fmt.Sprintf("pubmed%02d.xml.gz", i))
		if err := os.WriteFile(paths[i], packed.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return paths
}

// contents returns the files below a folder by their path in it.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		found[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// wantSame fails unless two folders have the same files.
func wantSame(t *testing.T, got, want map[string]string) {
	t.Helper()
	if len(want) == 0 {
		t.Fatal("no files to compare with")
	}
	for name, data := range want {
		if other, ok := got[name]; !ok {
			t.Errorf("%s is missing", name)
		} else if other != data {
			t.Errorf("%s differs", name)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
}

// TestSpread compares what a command makes on Prism with what one process makes.
func TestSpread(t *testing.T) {
	program := filepath.Join(t.TempDir(), "ctxnorm")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", program, "./cmd/ctxnorm")
	build.Dir, build.Env = "../..", append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	dictionary, err := filepath.Abs("../../examples/dictionary.tsv")
	if err != nil {
		t.Fatal(err)
	}
	input := filepath.Dir(inputs(t, 5, 20)[0])
	for command, args := range map[string]func(output string) []string{
		"build-corpus": func(output string) []string {
			return []string{"--dict", dictionary, "--corpus", output, "--sentences-per-name", "7", "--seed", "3", "--workers", "1", input}
		},
		"link": func(output string) []string {
			return []string{"--dict", dictionary, "--method", "exact", "--tag", "--input", input, "--output", output + "/", "--format", "jsonl"}
		},
	} {
		t.Run(command, func(t *testing.T) {
			one, spread := filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "spread")
			j := Job{Program: program, Command: command, Args: args(spread), Shards: 3}
			if _, err := j.Run(t.Context(), args(one)); err != nil {
				t.Fatal(err)
			}
			if err := j.Check(); err != nil {
				t.Fatal(err)
			}
			p, s := beam.NewPipelineWithRoot()
			passert.EqualsList(s, Spread(s, j, beam.CreateList(s, []int{1, 2, 3})), []int{1, 2, 3})
			ptest.RunAndValidate(t, p)
			if command == "build-corpus" {
				if _, err := j.Run(t.Context(), j.Args); err != nil {
					t.Fatal(err)
				}
			}
			wantSame(t, contents(t, spread), contents(t, one))
		})
	}
}

func TestSpreadFails(t *testing.T) {
	for _, j := range []Job{{Shards: 0}, {Shards: 2, Args: []string{"--shard=1/2"}}, {Shards: 2, Args: []string{"--wait"}}} {
		if err := j.Check(); err == nil {
			t.Errorf("%+v is accepted", j)
		}
	}
	f := &shardFn{Job{Program: filepath.Join(t.TempDir(), "missing"), Command: "link", Args: []string{"--tag"}, Shards: 1}}
	if err := f.ProcessElement(context.Background(), 1, func(int) {}); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("the error is %v, want one that names the program", err)
	}
	script := filepath.Join(t.TempDir(), "ctxnorm")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho \"$@\" >&2; exit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	j := Job{Program: script, Command: "link"}
	if malformed, err := j.Run(t.Context(), []string{"--tag"}); err != nil || malformed != "link --tag" {
		t.Errorf("malformed records are %q, %v", malformed, err)
	}
}
