package main

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// fakeClock only advances by pass.
type fakeClock struct{ time.Time }

func newClock() *fakeClock { return &fakeClock{time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)} }

func (c *fakeClock) now() time.Time       { return c.Time }
func (c *fakeClock) pass(d time.Duration) { c.Time = c.Add(d) }

// TestLines reports progress at given times and compares the lines of the log.
func TestLines(t *testing.T) {
	type report struct {
		after       time.Duration // since the previous one
		done, total int64
		note        string
	}
	var training []report
	for second := int64(0); second <= 70; second++ {
		training = append(training, report{time.Second, second * 40, 4800, fmt.Sprintf("loss 0.%02d", second)})
	}
	for _, test := range []struct {
		label, unit string
		reports     []report
		want        []string
	}{
		{"train", "sentences", append(training, report{50 * time.Second, 4800, 4800, "loss 0.12"}), []string{
			// 30 s x 40 = 1,200; 1200/4800 = 25 %; the other 3,600 / 40 = 90 s
			"train: 25 %, 1,200 of 4,800 sentences, 40/s, 1m30s left; loss 0.30",
			// 60 s x 40 = 2,400; the other 2,400 / 40 = 60 s
			"train: 50 %, 2,400 of 4,800 sentences, 40/s, 1m0s left; loss 0.60",
			// 120 s, 60 after the line before; 4800/120 = 40
			"train: 100 %, 4,800 sentences, 40/s, 0s left; loss 0.12",
			"train: 4,800 sentences in 2m0s, 40/s; loss 0.12",
		}},
		// Without a total; 90/45.
		{"tag", "lines", []report{{}, {45 * time.Second, 90, 0, ""}}, []string{"tag: 90 lines, 2.0/s", "tag: 90 lines in 45s, 2.0/s"}},
		{"link", "mentions", []report{{0, 0, 10, ""}, {31 * time.Second, 0, 10, "waiting"}}, []string{
			"link: 0 %, 0 of 10 mentions; waiting", "link: 0 of 10 mentions in 31s; waiting",
		}},
	} {
		var got []string
		var last status
		clock := newClock()
		bar := &bar{now: clock.now, print: func(message string, at status) { got, last = append(got, message), at }}
		for _, r := range test.reports {
			clock.pass(r.after)
			bar.set(ctxnorm.Progress{Task: test.label, Unit: test.unit, Done: r.done, Total: r.total, Note: r.note})
		}
		bar.finish()
		bar.finish()
		bar.set(ctxnorm.Progress{Task: test.label, Unit: test.unit, Done: 1, Total: 2, Note: "after the end"})
		must.Equal(t, got, test.want, "lines")
		if end := test.reports[len(test.reports)-1]; last.Task != test.label || last.Done != end.done || !last.finished {
			t.Errorf("the last line is of %+v", last)
		}
	}
}

// TestConcurrentSets checks that a bar can be set concurrently.
func TestConcurrentSets(t *testing.T) {
	var got []string
	bar := &bar{now: time.Now, print: func(message string, _ status) { got = append(got, message) }}
	var group sync.WaitGroup
	for i := range int64(100) {
		group.Go(func() { bar.set(ctxnorm.Progress{Task: "index", Unit: "vectors", Done: i, Total: 100}) })
	}
	group.Wait()
	bar.set(ctxnorm.Progress{Task: "index", Unit: "vectors", Done: 100, Total: 100})
	bar.finish()
	if len(got) != 1 || !strings.HasPrefix(got[0], "index: 100 vectors in ") {
		t.Errorf("the lines are %q, want one", got)
	}
}

func TestTerminal(t *testing.T) {
	for _, total := range []int64{200, 0} {
		var out strings.Builder
		clock := newClock()
		bar := &bar{now: clock.now, terminal: &out}
		updates := 0
		for i := int64(1); i <= 150; i++ {
			clock.pass(10 * time.Millisecond)
			before := out.Len()
			bar.set(ctxnorm.Progress{Task: "encode", Unit: "sentences", Done: i, Total: total})
			if out.Len() > before {
				updates++
			}
		}
		// At the first Set and then every tenth of 150.
		must.Equal(t, updates, 15, "total", total, "updates")
		bar.set(ctxnorm.Progress{Task: "encode", Unit: "sentences", Done: 200, Total: total, Note: "done"})
		bar.finish()
		got := out.String()
		if time.Sleep(3 * redraw); out.String() != got {
			t.Errorf("total %d: the bar is drawn after its end", total)
		}
		_, last, _ := strings.Cut(got, "encode: 200 sentences in ") // the last text
		if last == "" || !strings.Contains(last, "; done") || !strings.HasSuffix(got, "\n") || strings.Count(got, "\n") != 1 {
			t.Errorf("total %d: the terminal got %q, want one line that ends with the result", total, got)
		}
		if total > 0 && !strings.Contains(got, "100% |") {
			t.Errorf("the bar is not full: %q", got)
		}
	}
}

func TestFormats(t *testing.T) {
	tests := []struct{ got, want string }{
		{formatCount(1234567, "steps"), "1,234,567 steps"},
		{formatCount(999, "steps"), "999 steps"},
		{formatBytes(0), "0 B"},
		{formatBytes(999), "999 B"},
		{formatBytes(1000), "1.00 kB"},
		{formatBytes(999_499), "999 kB"},
		{formatBytes(1_000_000), "1.00 MB"},
		{formatBytes(1.5e13), "15.0 TB"},
		{formatBytes(1.5e16), "15.0 PB"},
		{formatRate(0.05, "steps"), "3.0/min"}, // 0.05 x 60
		{formatRate(2.25, "steps"), "2.2/s"},
		{formatRate(12345.6, "steps"), "12,345/s"},
		{formatRate(2e6, bytesUnit), "2.00 MB/s"},
		{formatDuration(90*time.Minute + 1400*time.Millisecond), "1h30m1s"},
	}
	for _, test := range tests {
		must.Equal(t, test.got, test.want)
	}
}
