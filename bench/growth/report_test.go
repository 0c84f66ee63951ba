package main

import (
	"bytes"
	"errors"
	"flag"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ctxnorm/bench/measure"
)

var update = flag.Bool("update", false, "write testdata/report.md anew")

// measuredJob is a job whose process took the wall seconds and MB at these sizes.
func measuredJob(name, by string, sizes, seconds, mb []float64) *jobResult {
	j := &jobResult{Name: name, By: by, Same: "the rest"}
	for i, n := range sizes {
		j.Points = append(j.Points, runResult{N: n, Command: "ctxnorm " + name,
			Lines: []measure.Line{{"wall_seconds": seconds[i], "cpu_seconds": 2 * seconds[i], "peak_mb": mb[i]}}})
	}
	return j
}

// with adds a field to the lines of a job.
func (r *jobResult) with(field string, values ...float64) *jobResult {
	for i, value := range values {
		r.Points[i].Lines[0][field] = value
	}
	return r
}

// testReport is of lines and curves that are easy to reckon with.
func testReport() *report {
	records := []float64{10_000, 30_000, 100_000}
	build := measuredJob(buildCorpus, "records", records, []float64{2, 4, 11}, []float64{210, 230, 300}). // 1 + n/10,000; 200 + n/1,000
														with("sampled", 10_000, 30_000, 100_000).
														with("names_of_dictionary", 1000, 1000, 1000).
														with("sentences_bytes", 1e6, 3e6, 1e7).
														with("pairs_bytes", 1e5, 3e5, 1e6).
														with("records_bytes", 6e4, 18e4, 6e5).
														with("input_bytes", 1e7, 3e7, 1e8)
	merge := measuredJob(mergeCorpora, "records", records, []float64{1, 3, 10}, []float64{100, 100, 100})
	tag := measuredJob(tagTexts, "sentences", []float64{1, 1000, 10_000}, []float64{.501, 1.5, 10.5}, []float64{100, 100, 100}) // .5 + n/1,000
	names := []float64{40_000, 400_000}
	start := measuredJob(buildStart, "names", names, []float64{1, 10}, []float64{200, 1100}) // n/40,000; 100 + n/400
	wide := measuredJob(buildWide, "names", names, []float64{3, 20}, []float64{200, 1100}).with("records", 10_000, 10_000)
	wide.Start, wide.Count, wide.Unit = buildStart, "records", "records"
	strings := measuredJob(trainStrings, "names", names, []float64{1, 20}, []float64{1024, 10_240}) // steep: exponent log 20/log 10
	broken := &jobResult{Name: indexRecords, By: "records", Failed: "exit status 2: no model"}
	r := &report{Date: "2001-02-03", Machine: measure.Machine{CPU: "a CPU", Cores: 2, MemoryGB: 16, System: "Linux", Go: "go"},
		Settings: "2 threads", Threads: 2, Jobs: []*jobResult{build, merge, broken, tag, start, wide, strings}}
	r.fit()
	return r
}

func TestReport(t *testing.T) {
	path := filepath.Join("testdata", "report.md")
	got := testReport().markdown("growth-2001-02-03")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("report (-want +got), which -update writes anew:\n%s", diff)
	}
}

// TestPubmed checks the plan's figures by hand.
func TestPubmed(t *testing.T) {
	plan := testReport().outlook().pubmed()
	for what, want := range map[string]string{
		// 1 + 36,000,000/10,000 s = 3,601 s. 300 MB were measured; with the exponent
		// log(300/230)/log(100/30) = .2207 they come to 300·360^.2207 = 1,100 MB.
		// 5 MB of sentences (100 bytes each, 50,000 at most), 10 bytes of pairs and 6 of
		// records for each record: 5 + 360 + 216 MB.
		"one machine": "| 1 | 1,200 | 60 min | 300 MB to 1.1 GB | 581 MB |",
		// 1,200/40 = 30 files, 900,000 records: 91 s and 300·9^.2207 = 487 MB.
		"40 machines": "| 40 | 30 | 91 s | 300 MB to 487 MB |",
		// No more than 50 of each of 1,000 names, though the line says 36,000,000.
		"the limit": "it will have 50,000 sentences at least",
		// Half of 16 GB is more.
		"one run": "one run over all files. It takes 60 min and at most 1.1 GB",
		// 36,000,000/10,000 s
		"merge": "corpora of 36,000,000 records: 60 min and 100 MB of memory",
	} {
		if !strings.Contains(plan, want) {
			t.Errorf("%s: no %q in\n%s", what, want, plan)
		}
	}
}

// TestPubmedOfLittleMemory has half of 1 GB for a run: 30 files take 487 MB and 60
// of them 300·18^.2207 = 568.
func TestPubmedOfLittleMemory(t *testing.T) {
	r := testReport()
	r.Machine.MemoryGB = 1
	want := "40 shards of 30 files. A shard takes 91 s and at most 487 MB"
	if plan := r.outlook().pubmed(); !strings.Contains(plan, want) {
		t.Errorf("no %q in\n%s", want, plan)
	}
}

// TestUMLS checks the other plan's.
func TestUMLS(t *testing.T) {
	o := testReport().outlook()
	plan := o.umls()
	for what, want := range map[string]string{
		// 10,000,000/40,000 = 250 s; 100 + 25,000 MB are 25 GB; 16,384 MB at
		// (16,384 - 100)·400 = 6,513,600 names.
		"the tagger": "| `build-corpus`, the tagger | 4.2 min | 25 GB | 6,500,000 names |",
		// 400,000·16,384/10,240 = 640,000 names, since memory goes with names.
		"what fails": "What fails first here is `train --encoder none`, the string index, at 640,000 names.",
		// 16 GB/(4·384 bytes) = 11,184,810 names
		"vectors": "| vectors of the names, 4 bytes × 384 |  | 15 GB | 11,000,000 names |",
	} {
		if !strings.Contains(plan, want) {
			t.Errorf("%s: no %q in\n%s", what, want, plan)
		}
	}
	// 20·(10,000,000/400,000)^(log 20/log 10) = 20·25^1.301 s, about 1,318 s, beside the line's
	// b = Σ(n/y)/Σ(n²/y²) = (40,000 + 20,000)/(1.6e9 + .4e9) = 3e-5: 300 s.
	if want := "| 5 min (22 min) |"; !strings.Contains(plan, want) {
		t.Errorf("no %q in\n%s", want, plan)
	}
	if plan := (&outlook{jobs: map[string]*jobResult{}}).umls(); plan != "" {
		t.Errorf("nothing was measured, and the plan is %q", plan)
	}
}

func TestThroughput(t *testing.T) {
	r := testReport()
	// 10,000 records in 3 - 1 and in 20 - 10 seconds.
	want := []point{{40_000, 5000}, {400_000, 1000}}
	if diff := cmp.Diff(want, r.job(buildWide).throughput(r.job(buildStart))); diff != "" {
		t.Errorf("rates (-want +got):\n%s", diff)
	}
	if rates := r.job(buildWide).throughput(nil); rates != nil {
		t.Errorf("without a start: %v", rates)
	}
}

func TestSave(t *testing.T) {
	dir := t.TempDir()
	r := testReport()
	path, err := r.save(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, end := range []string{".json", ".md"} {
		if data, err := os.ReadFile(path + end); err != nil || !bytes.Contains(data, []byte(buildCorpus)) {
			t.Errorf("%s: %d bytes (%v)", end, len(data), err)
		}
	}
	for _, end := range []string{"-time.png", "-memory.png"} {
		data, err := os.ReadFile(path + end)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := png.Decode(bytes.NewReader(data)); err != nil {
			t.Errorf("%s: %v", end, err)
		}
	}
	if err := r.failure(); err == nil || err.Error() != "1 of 7 jobs failed" {
		t.Errorf("the failure is %v", err)
	}
}

func TestAmounts(t *testing.T) {
	for want, got := range map[string]string{
		"36,000,000": count(36e6), "999": count(999), "1,000": count(999.6),
		"0 bytes": bytesAmount(0), "6.9 MB": bytesAmount(6.88e6), "15 GB": bytesAmount(15.4e9), "45 TB": bytesAmount(45e12),
		"512 MB": memoryAmount(512), "1.5 GB": memoryAmount(1536),
		"20 ms": duration(.02), "99 s": duration(99), "2 min": duration(120), "44 min": duration(2640), "12 h": duration(43_200), "4 days": duration(4 * 86_400),
		"12,000": count(roundDown(12_990)), "13,000": count(roundUp(12_010)), "0": short(0), "∞": short(math.Inf(1)),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestTicks(t *testing.T) {
	label := func(low, high float64) string {
		var labels []string
		for _, tick := range (decades{}).Ticks(low, high) {
			if tick.Label != "" {
				labels = append(labels, tick.Label)
			}
		}
		return strings.Join(labels, ", ")
	}
	for want, got := range map[string]string{
		"500, 1 k, 2 k":               label(450, 2100),
		"3 k, 10 k, 30 k, 100 k":      label(2000, 2e5),
		"0.1, 1, 10, 100, 1 k, 10 k":  label(.1, 2e4),
		"300 k, 1 M, 3 M, 10 M, 30 M": label(3e5, 3e7),
	} {
		if got != want {
			t.Errorf("labels %q, want %q", got, want)
		}
	}
}

// TestMeasure: runs go size by size, what they need is made once, and a failure is
// told without the user's folders.
func TestMeasure(t *testing.T) {
	dir := t.TempDir()
	shell := func(script string) measure.Command {
		return measure.Command{Args: []string{"/bin/sh", "-c", "cd " + dir + " && " + script}, Threads: 1}
	}
	need := &oneRun{command: shell("echo made >> log")}
	sized := func(n string) *oneRun {
		return &oneRun{size: "n", command: shell("echo " + n + ` >> log; echo '{"n": ` + n + `}'`), needs: []*oneRun{need}, read: knnLine}
	}
	hide := strings.NewReplacer(dir, "DIR")
	r := (&job{name: "j", runs: []*oneRun{sized("1"), sized("3")}}).measure(t.Context(), 2, hide)
	if r.Failed != "" {
		t.Fatal(r.Failed)
	}
	if log, err := os.ReadFile(filepath.Join(dir, "log")); err != nil || string(log) != "made\n1\n3\n1\n3\n" {
		t.Errorf("the runs were %q (%v)", log, err)
	}
	points, _ := r.points("n")
	if diff := cmp.Diff([]point{{1, 1}, {3, 3}}, points); diff != "" {
		t.Errorf("points (-want +got):\n%s", diff)
	}
	if want := "GOMAXPROCS=1 OMP_NUM_THREADS=1 /bin/sh -c cd DIR && "; !strings.HasPrefix(r.Points[0].Command, want) {
		t.Errorf("the command is %q, want %q…", r.Points[0].Command, want)
	}
	for _, c := range []struct {
		run  *oneRun
		want string
	}{
		{&oneRun{command: shell("echo no >&2; exit 1")}, "/bin/sh -c cd DIR && echo no >&2; exit 1: exit status 1: no"},
		{&oneRun{command: shell("true"), needs: []*oneRun{{command: shell("exit 4")}}}, "exit status 4"},
		{&oneRun{command: shell("echo '{}'"), size: "n", read: knnLine}, "its line has no n"},
		{&oneRun{command: shell("true"), read: func([]byte) (measure.Line, error) { return nil, errors.New("odd") }}, ": odd"},
	} {
		if r := (&job{runs: []*oneRun{c.run}}).measure(t.Context(), 1, hide); !strings.Contains(r.Failed, c.want) {
			t.Errorf("failed %q, want %q", r.Failed, c.want)
		}
	}
}
