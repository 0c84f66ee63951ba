package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ctxnorm/bench/measure"
)

func TestSettings(t *testing.T) {
	s, err := parseSettings([]string{"-quick", "-model", "m", "-dict", "names.tsv", "-steps", "5"})
	if err != nil {
		t.Fatal(err)
	}
	if s.steps != 5 || s.records != 500 || !slices.Equal(s.widths, []int{1, 3}) || s.fraction != quickFraction {
		t.Errorf("%d steps, %d records, dictionaries %v, fraction %g: want 5, which were given, and a quick run's 500, 1 and 3, %g",
			s.steps, s.records, s.widths, s.fraction, quickFraction)
	}
	for want, args := range map[string][]string{
		"-records is 0":            {"-records", "0"},
		"-times: 3,1: want":        {"-times", "3,1"},
		"-names: 2: want two":      {"-names", "2"},
		"-times: strconv.Atoi":     {"-times", "1,x"},
		"-only: error parsing":     {"-only", "("},
		"-pubmed: 0 files":         {"-pubmed", "/does/not/exist/*"},
		"-threads is -1":           {"-threads", "-1"},
		`"more" is not a flag`:     {"more"},
		"there is no base model":   {"-model", ""},
		"flag provided but not de": {"-nothing"},
	} {
		if _, err := parseSettings(append([]string{"-dict", "d", "-model", "m"}, args...)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v: error %v, want %s…", args, err, want)
		}
	}
}

// TestUsersFiles: as many files to a shard as the largest size leaves.
func TestUsersFiles(t *testing.T) {
	for _, c := range []struct {
		files, each int
		times       []int
	}{
		{10, 1, []int{1, 3, 10}}, {29, 2, []int{1, 3, 10}}, {30, 1, []int{1, 3, 10, 30}}, {61, 2, []int{1, 3, 10, 30}},
	} {
		dir := t.TempDir()
		for i := range c.files {
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%03d.xml", i)), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		s, err := parseSettings([]string{"-model", "m", "-dict", "d", "-pubmed", filepath.Join(dir, "*.xml")})
		if err != nil {
			t.Fatal(err)
		}
		if s.files != c.each || !slices.Equal(s.times, c.times) {
			t.Errorf("of %d files %d a shard, sizes %v; want %d, %v", c.files, s.files, s.times, c.each, c.times)
		}
		count := c.times[len(c.times)-1]
		if all := s.shards().first(count); len(all) != count*c.each {
			t.Errorf("the largest size has %d files, want %d", len(all), count*c.each)
		}
	}
}

func TestDeal(t *testing.T) {
	in := shards{each: deal([]string{"a", "b", "c", "d", "e", "f"}, 3)}
	if diff := cmp.Diff([]string{"a", "d", "b", "e"}, in.first(2)); diff != "" {
		t.Errorf("files of two shards (-want +got):\n%s", diff)
	}
}

// TestEveryJob: names are distinct, there are two sizes or more, each of them is
// known or read, and starts that are left out are measured by the same sizes.
func TestEveryJob(t *testing.T) {
	s, err := parseSettings([]string{"-model", "m", "-dict", "d"})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]*job{}
	for _, j := range s.jobs() {
		if found[j.name] != nil {
			t.Errorf("two jobs are called %s", j.name)
		}
		found[j.name] = j
		if len(j.runs) < 2 || !slices.Contains(axes, j.by) || j.same == "" {
			t.Errorf("%s: %d sizes by %q, the same is %q", j.name, len(j.runs), j.by, j.same)
		}
		for _, run := range j.runs {
			if (run.n > 0) == (run.size != "") {
				t.Errorf("%s: size %g and its field %q, want one of them", j.name, run.n, run.size)
			}
		}
		if j.start != "" && (found[j.start] == nil || len(found[j.start].runs) != len(j.runs)) {
			t.Errorf("%s: its start %q is not measured by the same sizes", j.name, j.start)
		}
	}
}

// write makes files under a folder and gives the folder.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestReadFolders(t *testing.T) {
	corpus := write(t, map[string]string{
		"manifest.json": `{"settings": {"dictionary": {"names": 7}}, "inputs": [{"bytes": 10}, {"bytes": 20}],
			"totals": {"records": 3, "sampled": 2}}`,
		"sentences.parquet": "12345", "records.parquet": "123", "pairs.parquet": "1",
	})
	line, err := corpusLine(corpus)
	if err != nil {
		t.Fatal(err)
	}
	want := measure.Line{"records": 3., "sampled": 2., "names_of_dictionary": 7., "input_bytes": 30.,
		"sentences_bytes": 5., "records_bytes": 3., "pairs_bytes": 1.}
	if diff := cmp.Diff(want, line); diff != "" {
		t.Errorf("corpus (-want +got):\n%s", diff)
	}
	model := write(t, map[string]string{
		"manifest.json": `{"dictionary": {"names": 7, "concepts": 4}, "index": {"names": 8, "contexts": 9},
			"files": {"a": {"size": 100}, "b": {"size": 11}}}`,
		"training/curve.jsonl": `{"step": 1, "seconds": 2} {"step": 2, "seconds": 2.5} {"step": 3, "seconds": 3.5}`,
	})
	if line, err = trainedLine(model, corpus); err != nil {
		t.Fatal(err)
	}
	want = measure.Line{"names_of_dictionary": 7., "concepts": 4., "names": 8., "contexts": 9., "model_bytes": 111.,
		"records": 3., "step_ms": 750.} // (3.5 - 2)/2 s
	if diff := cmp.Diff(want, line); diff != "" {
		t.Errorf("model (-want +got):\n%s", diff)
	}
	for name, dir := range map[string]string{
		"no manifest": t.TempDir(), "no totals": write(t, map[string]string{"manifest.json": "{}"}), "broken": write(t, map[string]string{"manifest.json": "{"}),
		"no tables": write(t, map[string]string{"manifest.json": `{"totals": {}}`}),
	} {
		if line, err := corpusLine(dir); err == nil {
			t.Errorf("%s: read as %v", name, line)
		}
	}
	if _, err := trainedLine(write(t, map[string]string{"manifest.json": "{}", "training/curve.jsonl": `{"seconds": 1}`}), corpus); err == nil {
		t.Error("one step has a time between steps")
	}
}
