package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/ctxnorm/ctxnorm/bench/harness"
)

// Outcomes of a case.
const (
	outcomePassed  = "passed"
	outcomeFailed  = "FAILED"
	outcomeSkipped = "skipped"
)

// result is one line of the results file.
type result struct {
	Program string  `json:"program"` // start of the SHA-256 of the executable
	Seed    int     `json:"seed"`
	Class   string  `json:"class"`
	Case    string  `json:"case"`
	Outcome string  `json:"outcome"`
	Why     string  `json:"why,omitempty"`
	Seconds float64 `json:"seconds"`
}

// String returns the line that the terminal shows.
func (r result) String() string {
	line := fmt.Sprintf("%-7s %s: %s (%.1f s)", r.Outcome, r.Class, r.Case, r.Seconds)
	if r.Why != "" {
		line += ": " + r.Why
	}
	return line
}

// readResults returns the results of a program, or with an empty program of any, by
// class/case. A last line without its end is of a run that was killed while it wrote;
// the case is tried again.
func readResults(path, program string, seed int) (map[string]result, error) {
	done := map[string]result{}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && program != "" {
		return done, nil
	}
	if err != nil {
		return nil, err
	}
	for number, line := range slices.Collect(lines(data)) {
		var r result
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, number+1, err)
		}
		if (program == "" || r.Program == program) && r.Seed == seed {
			done[r.Class+"/"+r.Case] = r
		}
	}
	if program != "" && len(data) > 0 && data[len(data)-1] != '\n' {
		return done, os.Truncate(path, int64(len(data)-len(lastPartial(data))))
	}
	return done, nil
}

// lines yields the lines of data that have an end.
func lines(data []byte) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		for len(data) > 0 {
			end := slices.Index(data, '\n')
			if end < 0 || !yield(data[:end]) {
				return
			}
			data = data[end+1:]
		}
	}
}

// lastPartial returns what follows the last line end.
func lastPartial(data []byte) []byte {
	for i := len(data); i > 0; i-- {
		if data[i-1] == '\n' {
			return data[i:]
		}
	}
	return data
}

func writeResult(w io.Writer, r result) error {
	b := bufio.NewWriter(w) // one write a line
	encoder := json.NewEncoder(b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(r); err != nil {
		return err
	}
	return b.Flush()
}

// tally counts the cases of a class.
type tally struct{ tried, passed, skipped int }

// tallies counts results by class, and returns the classes in order of their first
// result.
func tallies(results []result) (classes []string, byClass map[string]*tally) {
	byClass = map[string]*tally{}
	for _, r := range results {
		t := byClass[r.Class]
		if t == nil {
			t = &tally{}
			byClass[r.Class] = t
			classes = append(classes, r.Class)
		}
		switch r.Outcome {
		case outcomeSkipped:
			t.skipped++
			continue
		case outcomePassed:
			t.passed++
		}
		t.tried++
	}
	return classes, byClass
}

// table returns the counts of each class as Markdown.
func table(results []result) string {
	var rows [][]string
	var sum tally
	classes, byClass := tallies(results)
	for _, class := range classes {
		t := byClass[class]
		rows = append(rows, []string{class, fmt.Sprint(t.tried), fmt.Sprint(t.passed), fmt.Sprint(t.skipped)})
		sum.tried, sum.passed, sum.skipped = sum.tried+t.tried, sum.passed+t.passed, sum.skipped+t.skipped
	}
	rows = append(rows, []string{"all", fmt.Sprint(sum.tried), fmt.Sprint(sum.passed), fmt.Sprint(sum.skipped)})
	return harness.Table([]string{"case", "tried", "passed", "skipped"}, 1, rows)
}

// compareTable returns how many of the cases that both programs were tried with passed
// before and after, as Markdown.
func compareTable(before map[string]result, after []result) string {
	var old, both []result
	for _, r := range after {
		b, ok := before[r.Class+"/"+r.Case]
		if ok && r.Outcome != outcomeSkipped && b.Outcome != outcomeSkipped {
			old, both = append(old, b), append(both, r)
		}
	}
	_, passedBefore := tallies(old)
	classes, passedAfter := tallies(both)
	var rows [][]string
	var tried, sumBefore, sumAfter int
	for _, class := range classes {
		b, a := passedBefore[class], passedAfter[class]
		rows = append(rows, []string{class, fmt.Sprint(a.tried), fmt.Sprint(b.passed), fmt.Sprint(a.passed)})
		tried, sumBefore, sumAfter = tried+a.tried, sumBefore+b.passed, sumAfter+a.passed
	}
	rows = append(rows, []string{"all", fmt.Sprint(tried), fmt.Sprint(sumBefore), fmt.Sprint(sumAfter)})
	return harness.Table([]string{"case", "tried", "before", "after"}, 1, rows)
}
