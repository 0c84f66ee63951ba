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

	"github.com/ctxnorm/ctxnorm"
)

const examples = "../../examples"

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

func absolute(t *testing.T, path string) string {
	t.Helper()
	a, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return a
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

// TestBuildShards compares a corpus built on Prism with that of one process.
func TestBuildShards(t *testing.T) {
	const files, records = 5, 20
	c := Corpus{
		Dir: filepath.Join(t.TempDir(), "spread"), Inputs: inputs(t, files, records),
		Dictionaries: []string{absolute(t, examples+"/dictionary.tsv")}, SentencesPerName: 7, Seed: 3, Workers: 1,
	}
	p, s := beam.NewPipelineWithRoot()
	built := BuildShards(s, c, beam.CreateList(s, c.Inputs))
	passert.EqualsList(s, built, c.Inputs)
	result, err := ptest.RunWithMetrics(p)
	if err != nil {
		t.Fatal(err)
	}
	counts := make(map[string]int64)
	for _, counter := range result.Metrics().AllMetrics().Counters() {
		if counter.Key.Namespace == "ctxnorm" {
			counts[counter.Key.Name] += counter.Committed
		}
	}
	if counts["files"] != files || counts["records"] != files*records {
		t.Errorf("%d files and %d records are counted, want %d and %d", counts["files"], counts["records"], files, files*records)
	}
	options, err := c.Options()
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := ctxnorm.BuildCorpus(context.Background(), options)
	if err != nil {
		t.Fatal(err)
	}
	if counts["mentions"] != int64(manifest.Totals.Mentions) || manifest.Totals.Mentions == 0 {
		t.Errorf("%d mentions are counted, the corpus has %d", counts["mentions"], manifest.Totals.Mentions)
	}
	options.Dir = filepath.Join(t.TempDir(), "one")
	if _, err := ctxnorm.BuildCorpus(context.Background(), options); err != nil {
		t.Fatal(err)
	}
	wantSame(t, contents(t, c.Dir), contents(t, options.Dir))
}

// TestBuildShardsFails holds that an error of the dictionary names the file.
func TestBuildShardsFails(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing.tsv")
	f := &buildShardFn{Corpus{Dir: filepath.Join(t.TempDir(), "corpus"), Inputs: inputs(t, 1, 1), Dictionaries: []string{missing}}}
	if err := f.Setup(context.Background()); err == nil || !strings.Contains(err.Error(), missing) {
		t.Errorf("the error is %v, want one of %s", err, missing)
	}
}

// TestLink compares documents linked on Prism with those linked by one process.
func TestLink(t *testing.T) {
	program := filepath.Join(t.TempDir(), "ctxnorm")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", program, "./cmd/ctxnorm")
	build.Dir, build.Env = "../..", append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	files := inputs(t, 5, 10)
	args := func(output string) []string {
		return []string{
			"--dict", absolute(t, examples+"/dictionary.tsv"), "--method", "exact", "--tag", "--input", filepath.Dir(files[0]), "--output", output + "/", "--format", "jsonl",
		}
	}
	one, spread := filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "spread")
	if out, err := exec.Command(program, append([]string{"link"}, args(one)...)...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	p, s := beam.NewPipelineWithRoot()
	l := Linking{Program: program, Args: args(spread), Shards: 3}
	if err := l.Check(); err != nil {
		t.Fatal(err)
	}
	linked := Link(s, l, beam.CreateList(s, []int{1, 2, 3}))
	passert.EqualsList(s, linked, []int{1, 2, 3})
	ptest.RunAndValidate(t, p)
	got, want := contents(t, spread), contents(t, one)
	if n := len(files); len(want) < n {
		t.Fatalf("%d files, want one for each of %d", len(want), n)
	}
	wantSame(t, got, want)
}

func TestLinkFails(t *testing.T) {
	for _, l := range []Linking{{Shards: 0}, {Shards: 2, Args: []string{"--shard=1/2"}}, {Shards: 2, Args: []string{"--wait"}}} {
		if err := l.Check(); err == nil {
			t.Errorf("%+v is accepted", l)
		}
	}
	f := &linkFn{Linking{Program: filepath.Join(t.TempDir(), "missing"), Args: []string{"--tag"}, Shards: 1}}
	if err := f.ProcessElement(context.Background(), 1, func(int) {}); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("the error is %v, want one that names the program", err)
	}
}
