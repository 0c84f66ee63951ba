package corpus

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/parquet-go/parquet-go"

	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/pubmed"
	"github.com/ctxnorm/ctxnorm/text"
)

func testOptions(dir string, inputs []string) Options {
	return Options{
		Dir:              dir,
		Inputs:           inputs,
		Tagger:           testTagger,
		PairExtractor:    nextWordExtractor{},
		Dictionary:       testDictionary(),
		DictionaryPath:   "some/where/dictionary.tsv",
		NameFilterReport: map[string]int{"stop words": 3},
		SentencesPerName: 4,
		Seed:             7,
		Exclude:          map[string]bool{"3": true, "5": true, "6": false},
		Workers:          2,
	}
}

func mustBuild(t testing.TB, o Options) *Manifest {
	t.Helper()
	return must.Get(Build(context.Background(), o))
}

var worlds = []struct {
	name string
	world
}{
	{"no conflicts", world{files: 4, records: 60}},
	{"few conflicts", world{files: 4, records: 60, pmids: 3000, deletions: .01}},
	{"many conflicts", world{files: 5, records: 60, pmids: 150, deletions: .05}},
	{"hardly a record counts", world{files: 5, records: 60, pmids: 40, deletions: .03}},
	{"hardly any text", world{files: 3, records: 3, pmids: 9}},
}

func TestBuild(t *testing.T) {
	must.SkipShort(t)
	t.Parallel()
	for _, w := range worlds {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(5) {
				files := w.make(rand.New(rand.NewPCG(seed, 2)))
				o := testOptions(t.TempDir(), writeFiles(t, files))
				o.SentencesPerName = 1 + int(seed*seed%20)
				o.Workers = 1 + int(seed%3)
				o.chunkRecords = []int{0, 1 + w.records/12, 7, 59, 60}[seed%5]
				o.Progress = func(p Progress) {
					if p.Done > p.Total {
						t.Errorf("seed %d: %s: %d of %d bytes", seed, p.Stage, p.Done, p.Total)
					}
				}
				m := mustBuild(t, o)
				sentences, pairs, totals, dropped := reference(files, &o)
				if diff := cmp.Diff(sentences, readAll(o.Dir), cmpopts.EquateEmpty()); diff != "" {
					t.Fatalf("seed %d: sentences (-want +got):\n%s", seed, diff)
				}
				if diff := cmp.Diff(pairs, readPairs(o.Dir), cmpopts.EquateEmpty()); diff != "" {
					t.Fatalf("seed %d: pairs (-want +got):\n%s", seed, diff)
				}
				must.Equal(t, m.Totals, totals, "seed", seed, "totals")
				must.Equal(t, m.Dropped, dropped, "seed", seed, "dropped")
				all := 0
				for _, in := range m.Inputs {
					all += in.Records
				}
				if sum := m.Totals.Records + m.Dropped.Excluded + m.Dropped.Superseded + m.Dropped.Deleted; sum != all || all != w.files*w.records {
					t.Errorf("seed %d: %d records read, %d accounted for, want %d", seed, all, sum, w.files*w.records)
				}
			}
		})
	}
}

// TestRecords compares every row of records.parquet with the record that was read.
func TestRecords(t *testing.T) {
	files := world{files: 4, records: 30, pmids: 100}.make(rand.New(rand.NewPCG(4, 4)))
	o := testOptions(t.TempDir(), writeFiles(t, files))
	o.Exclude = nil
	mustBuild(t, o)
	rows, err := parquet.ReadFile[record](filepath.Join(o.Dir, recordsName))
	if err != nil || len(rows) != 4*30 {
		t.Fatalf("%d rows, %v, want %d", len(rows), err, 4*30)
	}
	for i, r := range rows {
		want := files[r.File].records[r.Record]
		if int(r.File) != i/30 || r.PMID != want.pmid || int(r.Version) != want.version || int(r.Year) != want.year() {
			t.Fatalf("row %d is %+v, want %+v of %d", i, r, want, want.year())
		}
	}
}

// TestBuildSuperseded has a case for each rule that decides which record of a PMID counts.
func TestBuildSuperseded(t *testing.T) {
	rec := func(pmid string, version int, title string) testRecord {
		return testRecord{pmid: pmid, version: version, title: title}
	}
	files := []testFile{
		{name: "b.xml", records: []testRecord{
			rec("1", 1, "Flu first."), rec("1", 2, "Flu second."), // the version
			rec("2", 1, "Cold once."), rec("2", 1, "Cold twice."), // the place in the file
			rec("4", 1, "Gout in b."), rec("5", 2, "Gout in b, version 2."),
			rec("7", 1, "Ague deleted."), rec("8", 1, "Ague deleted by another file."),
			rec("9", 1, "Ague stays."),
		}, deleted: []string{"7", "404"}},
		{name: "a.xml", records: []testRecord{
			rec("4", 1, "Gout in a."), // the name of the file
			rec("5", 1, "Gout in a."), // the version, whatever the file
		}, deleted: []string{"8"}},
	}
	o := testOptions(t.TempDir(), writeFiles(t, files))
	o.Exclude = nil
	m := mustBuild(t, o)
	got := make(map[string]string)
	for _, s := range readAll(o.Dir) {
		got[s.ID] = s.Text
	}
	want := map[string]string{
		"1": "Flu second.", "2": "Cold twice.", "4": "Gout in b.", "5": "Gout in b, version 2.", "9": "Ague stays.",
	}
	must.Equal(t, got, want)
	// 11 records: 5 count; PMIDs 1, 2, 4 and 5 have one superseded record each; 7 and 8 are deleted.
	if m.Totals.Records != 5 || m.Dropped.Superseded != 4 || m.Dropped.Deleted != 2 {
		t.Errorf("%d records count, %d are superseded, %d deleted, want 5, 4, 2", m.Totals.Records, m.Dropped.Superseded, m.Dropped.Deleted)
	}
}

// TestPMIDsAreLimited builds corpora of many records: with one PMID, where each takes a bit in addition to its hash,
// and with PMIDs that are all repeated.
func TestPMIDsAreLimited(t *testing.T) {
	const n = 500
	for _, test := range []struct {
		name  string
		pmids int
		limit int64
		want  string
	}{
		{"one PMID", 1, hashSize*n + versionsSize + repeatedSize + 1, ""},
		{"one hash too many", 1, hashSize*n - 1, "want the list of PMIDs of at most 3999 bytes in memory (Limits.InMemory), got more"},
		{"many PMIDs", n / 2, hashSize*n + versionsSize, "want the list of repeated PMIDs of at most 4160 bytes in memory (Limits.InMemory), got more"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var records []testRecord
			for i := range n {
				records = append(records, testRecord{pmid: strconv.Itoa(1 + i%test.pmids), version: 1, title: "Flu."})
			}
			o := testOptions(t.TempDir(), writeFiles(t, []testFile{{name: "a.xml", records: records}}))
			o.Exclude = nil
			o.Limits.InMemory = test.limit
			m, err := Build(t.Context(), o)
			if test.want != "" {
				if err == nil || err.Error() != test.want {
					t.Fatalf("error %v, want %s", err, test.want)
				}
				return
			}
			if err != nil || m.Totals.Records != test.pmids || m.Dropped.Superseded != n-test.pmids {
				t.Errorf("%v, %+v, %+v, want %d records", err, m.Totals, m.Dropped, test.pmids)
			}
		})
	}
}

// TestBuildDeterministic checks that the order of inputs, workers and chunk sizes do not change a byte.
func TestBuildDeterministic(t *testing.T) {
	t.Parallel()
	for _, w := range worlds {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(3, 3))
			inputs := writeFiles(t, w.make(random))
			o := testOptions(t.TempDir(), inputs)
			mustBuild(t, o)
			for _, workers := range []int{1, 3, 16} {
				again := testOptions(t.TempDir(), slices.Clone(inputs))
				again.Workers = workers
				again.chunkRecords = 4 * workers
				random.Shuffle(len(inputs), func(i, j int) {
					again.Inputs[i], again.Inputs[j] = again.Inputs[j], again.Inputs[i]
				})
				again.Inputs = append(again.Inputs, again.Inputs[0]) // a duplicate
				mustBuild(t, again)
				sameFolders(t, o.Dir, again.Dir)
			}
			mustBuild(t, o) // replaces the old corpus
		})
	}
}

// failingReader fails after left bytes, like a disk.
type failingReader struct {
	io.ReadCloser
	left int
}

var errDisk = errors.New("disk failed")

func (r *failingReader) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, errDisk
	}
	n, err := r.ReadCloser.Read(p[:min(len(p), r.left)])
	r.left -= n
	return n, err
}

func TestBuildResumes(t *testing.T) {
	t.Parallel()
	files := world{files: 8, records: 40, pmids: 250, deletions: .01}.make(rand.New(rand.NewPCG(5, 5)))
	inputs := writeFiles(t, files)
	uninterrupted := testOptions(t.TempDir(), inputs)
	mustBuild(t, uninterrupted)
	for seed := range uint64(6) {
		random := rand.New(rand.NewPCG(seed, 6))
		o := testOptions(t.TempDir(), slices.Clone(inputs))
		stopped := 0
		for range 3 {
			random.Shuffle(len(inputs), func(i, j int) { o.Inputs[i], o.Inputs[j] = o.Inputs[j], o.Inputs[i] })
			o.Workers = 1 + random.IntN(3)
			o.chunkRecords = 5 * random.IntN(4)
			ctx, cancel := context.WithCancel(context.Background())
			var err error
			if random.IntN(2) == 0 {
				calls := random.IntN(40)
				o.Progress = func(Progress) {
					if calls--; calls == 0 {
						cancel()
					}
				}
				o.open = nil
				_, err = Build(ctx, o)
				if err != nil && !errors.Is(err, context.Canceled) {
					t.Fatalf("seed %d: %v", seed, err)
				}
			} else {
				o.Progress = nil
				bad := o.Inputs[random.IntN(len(o.Inputs))]
				left := random.IntN(200)
				o.open = func(path string) (*pubmed.Reader, error) {
					if path != bad {
						return pubmed.Open(path)
					}
					f, err := os.Open(path)
					t.Cleanup(func() { f.Close() })
					return pubmed.NewReader(&failingReader{f, left}, path), err
				}
				_, err = Build(ctx, o)
				// The shard of the bad file may be complete already.
				if err != nil && !errors.Is(err, errDisk) {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
			cancel()
			if err != nil {
				stopped++
				if _, err := Open(o.Dir); err == nil {
					t.Fatalf("seed %d: a failed build left a corpus", seed)
				}
			} else if _, err := Open(o.Dir); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			} else {
				break
			}
		}
		o.Progress, o.open = nil, nil
		mustBuild(t, o)
		sameFolders(t, uninterrupted.Dir, o.Dir)
		t.Logf("seed %d: stopped %d times", seed, stopped)
	}
}

// killVariable is the environment variable with the corpus folder that a child process builds until it is killed. Its
// input files are in the sibling folder "inputs".
const killVariable = "CORPUS_TEST_BUILD"

// slowTagger is so slow that the parent can kill the process during a build.
type slowTagger struct{ wordTagger }

func (t slowTagger) Tag(dst []text.Mention, s string) []text.Mention {
	time.Sleep(time.Millisecond)
	return t.wordTagger.Tag(dst, s)
}

func TestMain(m *testing.M) {
	if dir := os.Getenv(killVariable); dir != "" {
		inputs, _ := filepath.Glob(filepath.Join(dir, "..", "inputs", "*"))
		o := testOptions(dir, inputs)
		o.Tagger = slowTagger{testTagger}
		var err error
		if shards := os.Getenv(shardsVariable); shards != "" {
			_, err = BuildShards(context.Background(), o, filepath.SplitList(shards))
		} else {
			_, err = Build(context.Background(), o)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestBuildKilled(t *testing.T) {
	top := t.TempDir()
	files := world{files: 6, records: 40, pmids: 200}.make(rand.New(rand.NewPCG(8, 8)))
	for i, path := range writeFiles(t, files) {
		must.Succeed(t, os.MkdirAll(filepath.Join(top, "inputs"), 0o755))
		must.Succeed(t, os.Rename(path, filepath.Join(top, "inputs", files[i].name)))
	}
	inputs, err := filepath.Glob(filepath.Join(top, "inputs", "*"))
	if err != nil || len(inputs) != len(files) {
		t.Fatalf("%d inputs, %v", len(inputs), err)
	}
	uninterrupted := testOptions(filepath.Join(top, "uninterrupted"), inputs)
	mustBuild(t, uninterrupted)

	killed := filepath.Join(top, "killed")
	finished := func() int {
		shards := must.Get(filepath.Glob(filepath.Join(killed, string(shardFolder), "*.json")))
		return len(shards)
	}
	for kills := 1; kills <= 2; kills++ {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), killVariable+"="+killed)
		must.Succeed(t, child.Start())
		ended := make(chan error, 1)
		go func() { ended <- child.Wait() }()
		for finished() < 2*kills {
			select {
			case err := <-ended:
				t.Fatalf("the build ended before it could be killed: %v", err)
			case <-time.After(time.Millisecond):
			}
		}
		must.Succeed(t, child.Process.Kill())
		<-ended
	}
	if n := finished(); n < 4 {
		t.Fatalf("%d shards are complete after two kills, want 4 or more", n)
	}
	again := testOptions(killed, inputs)
	var read atomic.Int32
	again.open = func(path string) (*pubmed.Reader, error) {
		read.Add(1)
		return pubmed.Open(path)
	}
	mustBuild(t, again)
	if n := int(read.Load()); n > len(inputs)-4 {
		t.Errorf("%d files were opened, but 4 shards were complete", n)
	}
	sameFolders(t, uninterrupted.Dir, killed)
}

func TestBuildBroken(t *testing.T) {
	files := world{files: 4, records: 30}.make(rand.New(rand.NewPCG(9, 9)))
	for i := range files {
		files[i].name = fmt.Sprintf("%d.xml.gz", i)
	}
	files[0].name = "0.xml"
	inputs := writeFiles(t, files)

	// The tenth record of the first file is not well-formed, and the last file is truncated.
	data := must.Get(os.ReadFile(inputs[0]))
	before := strings.Join(strings.SplitAfter(string(data), "</PubmedArticle>")[:9], "")
	broken := before + strings.Replace(string(data[len(before):]), "<ArticleTitle>", "<ArticleTitle", 1)
	must.Succeed(t, os.WriteFile(inputs[0], []byte(broken), 0o644))
	data = must.Get(os.ReadFile(inputs[3]))
	must.Succeed(t, os.WriteFile(inputs[3], data[:len(data)/2], 0o644))

	o := testOptions(t.TempDir(), inputs)
	o.chunkRecords = 10
	m, err := Build(context.Background(), o)
	var broke *InputErrors
	if !errors.As(err, &broke) || m == nil {
		t.Fatalf("Build returned %v, %v, want a manifest and *InputErrors", m, err)
	}
	var got []string
	for _, f := range broke.Files {
		got = append(got, f.Name)
		if f.Broken == 0 || len(f.Problems) == 0 || f.Problems[0].Offset == 0 || f.Problems[0].Reason == "" {
			t.Errorf("problems are incomplete: %+v", f)
		}
		must.Contain(t, err.Error(), f.Name+": byte ", "error does not name", f.Name)
	}
	slices.Sort(got)
	must.Equal(t, got, []string{inputs[0], inputs[3]}, "broken files")
	must.Equal(t, m.Inputs[0].Records, 29, "records of the first file")
	if n := m.Inputs[3].Records; n == 0 || n >= 30 {
		t.Errorf("truncated file has %d records, want 1 to 29", n)
	}
	must.Equal(t, m.Dropped.Broken, m.Inputs[0].Broken+m.Inputs[3].Broken, "broken places")
	if _, err := Open(o.Dir); err != nil {
		t.Errorf("corpus is not complete: %v", err)
	}
	// The second build reuses the shards and reports the same problems.
	_, again := Build(context.Background(), o)
	must.Equal(t, fmt.Sprint(again), err.Error(), "a second build")
}

func TestBuildOptions(t *testing.T) {
	good := testOptions(t.TempDir(), writeFiles(t, []testFile{{name: "a.xml", records: []testRecord{{pmid: "1", version: 1, title: "A gout one."}}}}))
	for _, c := range []struct {
		name   string
		change func(*Options)
		want   string
	}{
		{"no folder", func(o *Options) { o.Dir = "" }, `Dir is ""`},
		{"no inputs", func(o *Options) { o.Inputs = nil }, "Inputs is"},
		{"missing input", func(o *Options) { o.Inputs = []string{"missing.xml"} }, "missing.xml"},
		{"folder", func(o *Options) { o.Inputs = []string{o.Dir} }, "is a folder"},
		{"no tagger", func(o *Options) { o.Tagger = nil }, "no tagger"},
		{"sentences per name", func(o *Options) { o.SentencesPerName = -1 }, "SentencesPerName is -1"},
		{"workers", func(o *Options) { o.Workers = -2 }, "Workers is -2"},
		{"name filter report", func(o *Options) { o.NameFilterReport = func() {} }, "name filter report"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := good
			c.change(&o)
			_, err := Build(context.Background(), o)
			must.Fail(t, err, c.want)
		})
	}
	for _, workers := range []int{0, math.MaxInt} {
		good.SentencesPerName, good.Workers = 0, workers
		must.Equal(t, mustBuild(t, good).Settings.SentencesPerName, DefaultSentencesPerName, "default sentences per name")
	}
}

// TestBuildWithoutSentences checks that a corpus without sentences is an error that gives the reason, and that the
// corpus in the folder stays unchanged.
func TestBuildWithoutSentences(t *testing.T) {
	o := testOptions(t.TempDir(), writeFiles(t, []testFile{{name: "a.xml", records: []testRecord{{pmid: "1", version: 1, title: "A gout one."}}}}))
	before := mustBuild(t, o)
	o.Inputs = writeFiles(t, []testFile{{name: "b.xml", records: []testRecord{{pmid: "2", version: 1, title: "Nothing."}}}})
	jats := filepath.Join(t.TempDir(), "jats.xml")
	must.Succeed(t, os.WriteFile(jats, []byte("<article><title>A gout one.</title></article>"), 0o644))
	o.Inputs = append(o.Inputs, jats)
	m, err := Build(context.Background(), o)
	const want = "jats.xml:1: article 1 has no text\nno sentence contains a name of the dictionary: read 1 sentence in 1 record"
	if m != nil || err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Fatalf("got %v and error %v, want one that ends in %q", m, err, want)
	}
	must.Equal(t, must.Get(Open(o.Dir)).Manifest().Totals, before.Totals, "the corpus before")
	o.Dir = filepath.Join(t.TempDir(), "new")
	if _, err := Build(context.Background(), o); err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("in a new folder: %v", err)
	}
	_, err = os.Stat(o.Dir)
	must.FailWith(t, err, os.ErrNotExist, "the new folder is left")
}

// The memory for a record does not grow with its mentions, and the result does not depend on how often it is handed
// over.
func TestHandsOverWithinARecord(t *testing.T) {
	const sentences, each = 1000, 100 // of mentions: six times maxHeld
	var body strings.Builder
	for i := range sentences {
		fmt.Fprintf(&body, "%sflu %d. ", strings.Repeat("Gout ", each-1), i)
	}
	w := worker{extractor: nextWordExtractor{}, definitions: definitionTagger{
		Tagger: abbrev.NewTagger(testTagger)}}
	b := newChunkBuilder(&Settings{SentencesPerName: 4}, 0)
	w.tag(&batch{to: b, records: []*pubmed.Record{{PMID: "1", Title: "A cold.", Sections: []pubmed.Section{
		{Text: body.String()}, {Text: "Gout cancer."}}}}, numbers: []int32{0}})

	want := Input{Sentences: 1 + sentences + 1, Tagged: 1 + sentences + 1, Mentions: 1 + sentences*each + 2}
	must.Equal(t, b.input, want, "counts")
	pairs := make(map[SynonymPair]int)
	for _, p := range b.pairs {
		pairs[SynonymPair{p.Kind, p.Left, p.Right}]++
	}
	wantPairs := map[SynonymPair]int{
		{"D:4", "Gout", "Gout"}:    sentences * (each - 2),
		{"D:4", "Gout", "flu"}:     sentences,
		{"D:7", "cold", "."}:       1,
		{"D:4", "Gout", "cancer."}: 1,
		{"D:2", "cancer", "."}:     1,
	}
	for i := range sentences {
		wantPairs[SynonymPair{"D:1", "flu", fmt.Sprint(i) + "."}] = 1
	}
	must.Equal(t, pairs, wantPairs, "pairs")
	if held := max(cap(w.mentions), cap(w.section), cap(w.pairs)); held > 2*maxHeld {
		t.Errorf("the worker has memory for %d mentions, want at most %d", held, 2*maxHeld)
	}
}

// TestBuildReal builds a corpus of real files, two of them broken and one JATS, in two orders and with two chunk sizes.
func TestBuildReal(t *testing.T) {
	must.SkipShort(t)
	folder := fixtures.RealFile(t, "pubmed_xml")
	inputs, err := filepath.Glob(filepath.Join(folder, "*.xml.gz"))
	if err != nil || len(inputs) == 0 {
		t.Fatalf("%d input files in %s, %v", len(inputs), folder, err)
	}
	var dirs []string
	for _, records := range []int{0, 50} {
		o := testOptions(t.TempDir(), slices.Clone(inputs))
		o.chunkRecords = records
		m, err := Build(context.Background(), o)
		var broken *InputErrors
		if m == nil || !errors.As(err, &broken) {
			t.Fatalf("Build returned %v, want *InputErrors", err)
		}
		var names []string
		for _, f := range broken.Files {
			names = append(names, filepath.Base(f.Name))
		}
		slices.Sort(names)
		want := []string{"jabref_MedlineImporterTestMalformedEntry.xml.gz", "jabref_MedlineImporterTestMinimalEntry.xml.gz"}
		must.Equal(t, names, want, "broken files", err)
		if m.Totals.Records < 1000 || m.Totals.Sampled == 0 {
			t.Errorf("%d records, %d sentences sampled, want at least 1000 and 1", m.Totals.Records, m.Totals.Sampled)
		}
		dirs = append(dirs, o.Dir)
		slices.Reverse(inputs)
	}
	sameFolders(t, dirs[0], dirs[1])
}
