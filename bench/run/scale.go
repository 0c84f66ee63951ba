package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ctxnorm/ctxnorm/bench/harness"
)

//go:embed scaling.json
var scalingFile []byte

// job is a command at several sizes.
type job struct {
	Name, By, Same string   // what there is more of, and what is the same at all sizes
	Sizes          string   // times, names, or a flag that is the size at 1x
	Least          int      // size
	Make           string   // the input whose making is measured, or
	Run            string   // a command
	Prints         bool     // Run prints what it did, a line of JSON
	Reads          string   // a corpus or model whose numbers are taken, too
	Size           string   // field of the size; "" for the size itself
	Inner          bool     // only the extra figures are of use, not the process's time
	Extra          []figure // beside time and memory

	process harness.Process  // of the largest size
	lines   [][]harness.Line // of each size
	failed  string
}

// figure is a number of a line.
type figure struct{ Name, Field, Unit string }

func readJobs(data []byte) (defined []harness.Definition, jobs []*job, err error) {
	var file struct {
		Inputs []harness.Definition
		Jobs   []*job
	}
	err = json.Unmarshal(data, &file)
	return file.Inputs, file.Jobs, err
}

// sizes returns the sizes of a job. Sentences have one alone before them, the start-up.
func (s *scaleSettings) sizesOf(j *job) []int {
	if j.Sizes == "names" {
		return s.widths
	}
	each := map[string]int{"times": 1, "texts": s.Texts, "sentences": s.Sentences, "vectors": s.Vectors, "graph": s.Graph}[j.Sizes]
	var sizes []int
	if j.By == "sentences" {
		sizes = []int{1}
	}
	for _, times := range s.times {
		sizes = append(sizes, max(j.Least, times*each))
	}
	return slices.Compact(sizes)
}

// repeatScript writes n lines of a command's output to the file $0, starting over as
// often as necessary: sh -c repeatScript FILE n COMMAND…
const repeatScript = `n=$1; shift; "$@" >"$0.once" && [ -s "$0.once" ] && { while cat "$0.once" 2>/dev/null; do :; done; } | head -n "$n" >"$0"`

// inputs returns the maker of what the jobs read. Files are dealt to shards, so that every size has files from all of the
// text: {shards} are those of a size, {shard} is one of them.
func (s *scaleSettings) inputs(defined []harness.Definition) *harness.Inputs {
	in := &harness.Inputs{Settings: &s.Settings, Defined: defined, Max: s.largest()}
	in.Special = func(c *harness.Command, name string, size int) ([]string, error) {
		first, last := 1, size
		switch name {
		case "repeat":
			return []string{repeatScript}, nil
		case "share": // three times that of jobs with contexts, at the largest size
			return []string{fmt.Sprintf("%.4g", 3*s.Fraction*float64(size)/float64(s.largest()))}, nil
		case "first-shard":
			last = 1
		case "shard":
			first = size
		case "shards":
		default:
			return nil, nil
		}
		files, err := in.Value(c, "xml", 0)
		var some []string
		for i, file := range files {
			if shard := 1 + i%s.largest(); first <= shard && shard <= last {
				some = append(some, file)
			}
		}
		return some, err
	}
	return in
}

// run makes what the job needs at one size, and runs it.
func (j *job) run(ctx context.Context, s *scaleSettings, in *harness.Inputs, size int) (harness.Line, error) {
	line, out := j.Run, ""
	if j.Make != "" {
		d := &in.Defined[slices.IndexFunc(in.Defined, func(d harness.Definition) bool { return d.Name == j.Make })]
		var err error
		if out, err = in.Path(d, size); err != nil {
			return nil, err
		}
		line = d.Make
	}
	command, err := in.Command(line, out, size)
	if err != nil {
		return nil, err
	}
	reads, err := in.Command(j.Reads, "", size)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(command.Ensure(ctx), reads.Ensure(ctx), os.MkdirAll(s.Runs(), 0o755)); err != nil {
		return nil, err
	}
	j.process = harness.Process{Args: command.Args, Threads: s.Threads, Fresh: out}
	folders := reads.Args
	if out != "" {
		folders = append(folders, out)
	}
	if j.process.Read = func([]byte) (harness.Line, error) { return readFolder(folders...) }; j.Prints {
		j.process.Read = harness.FirstLine
	}
	l, err := j.process.Run(ctx)
	if err != nil {
		return nil, err
	}
	if j.Size == "" {
		l["n"] = float64(size)
	} else if l["n"] = l[j.Size]; l["n"] == nil {
		return nil, fmt.Errorf("%s: there is no field %s", &j.process, j.Size)
	}
	return l, nil
}

// measure runs the job at one size after another and then at all of them again, so that
// a busy machine disturbs no size more than others.
func (j *job) measure(ctx context.Context, s *scaleSettings, in *harness.Inputs) {
	sizes := s.sizesOf(j)
	j.lines = make([][]harness.Line, len(sizes))
	for repeat := range s.Repeats {
		for i, size := range sizes {
			harness.Log("%s: %d of %d, size %d of %d", j.Name, repeat+1, s.Repeats, i+1, len(sizes))
			l, err := j.run(ctx, s, in, size)
			if err != nil {
				j.failed = err.Error()
				return
			}
			j.lines[i] = append(j.lines[i], l)
		}
	}
}

// points returns the medians of a field by size, and the widest spread of a size over
// its median. It returns none if lines lack the field.
func (j *job) points(field string) (points []point, spread float64) {
	for _, lines := range j.lines {
		values, err := harness.Numbers(lines, field)
		n, ok := lines[0]["n"].(float64)
		if err != nil || !ok {
			return nil, 0
		}
		s := harness.SpreadOf(values)
		points = append(points, point{n, s.Median})
		if s.Median > 0 {
			spread = max(spread, (s.Max-s.Min)/s.Median)
		}
	}
	return points, spread
}

// scaleAll measures the jobs that are asked for, and prints and saves the report.
func scaleAll(ctx context.Context, s *scaleSettings) error {
	defined, all, err := readJobs(scalingFile)
	if err != nil {
		return err
	}
	in := s.inputs(defined)
	var jobs []*job
	failed := 0
	for _, j := range all {
		if !s.Only.MatchString(j.Name) {
			continue
		}
		j.measure(ctx, s, in)
		if ctx.Err() != nil {
			break // what was measured before is kept
		}
		if j.failed != "" {
			failed++
			harness.Log("%s failed: %s", j.Name, j.failed)
		}
		jobs = append(jobs, j)
	}
	if len(jobs) == 0 {
		return errors.Join(ctx.Err(), fmt.Errorf("-only: no job was measured that matches %s", s.Only))
	}
	date := time.Now().Format(time.DateOnly)
	text := s.Redact().Replace(scalingReport(date, s.String(), jobs))
	fmt.Print(text)
	path, err := harness.Save(s.Out, "scaling-"+date, text)
	if err != nil {
		return err
	}
	harness.Log("saved as %s", path)
	if failed > 0 {
		return fmt.Errorf("%d jobs failed", failed)
	}
	return ctx.Err()
}

// readFolder returns the numbers in the manifests of corpora and models, such as "index.names" and, of the totals,
// "records"; the sizes of the last one's files, and of all of them as "bytes"; and of a trained model
// the mean time of a step after the first, which leaves out start-up, as "step_ms". The mentions of a corpus without the
// short forms that a record defines, which no peer looks for, are "names_found".
func readFolder(dirs ...string) (harness.Line, error) {
	l := harness.Line{}
	for _, dir := range dirs {
		data, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
		if err != nil {
			return nil, err
		}
		var manifest map[string]any
		if err := json.Unmarshal(data, &manifest); err != nil {
			return nil, fmt.Errorf("%s: manifest.json: %w", dir, err)
		}
		addNumbers(l, "", manifest)
		if all, ok := l["mentions"].(float64); ok {
			defined, _ := l["defined"].(float64)
			l["names_found"] = all - defined
		}
		size := 0.
		err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			info, err := entry.Info()
			if err == nil {
				size += float64(info.Size())
				l[entry.Name()] = float64(info.Size())
			}
			return err
		})
		l["bytes"] = size
		curve, readErr := os.ReadFile(filepath.Join(dir, "training", "curve.jsonl"))
		if err != nil || errors.Is(readErr, fs.ErrNotExist) {
			continue
		}
		steps, err := harness.ParseLines(curve)
		if err != nil {
			return nil, err
		}
		seconds, err := harness.Numbers(steps, "seconds")
		if n := len(seconds) - 1; n > 0 {
			l["step_ms"] = 1000 * (seconds[n] - seconds[0]) / float64(n)
		}
		if err != nil {
			return nil, err
		}
	}
	return l, nil
}

// addNumbers adds the numbers in objects to a line, with the names that lead to them
// joined by periods.
func addNumbers(l harness.Line, prefix string, object map[string]any) {
	for name, value := range object {
		switch value := value.(type) {
		case float64:
			l[strings.TrimPrefix(prefix+name, "totals.")] = value
		case map[string]any:
			addNumbers(l, prefix+name+".", value)
		}
	}
}
