package progress

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// fakeClock moves by pass alone.
type fakeClock struct{ time.Time }

func newClock() *fakeClock { return &fakeClock{time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)} }

func (c *fakeClock) now() time.Time       { return c.Time }
func (c *fakeClock) pass(d time.Duration) { c.Time = c.Add(d) }

func textBar(w io.Writer, clock *fakeClock, label, unit string) *Bar {
	bar := New(w, label, unit)
	bar.now = clock.now
	return bar
}

func checkLines(t *testing.T, got string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(strings.Join(want, "\n")+"\n", got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

func TestLines(t *testing.T) {
	var out strings.Builder
	clock := newClock()
	bar := textBar(&out, clock, "train", "sentences")
	bar.Set(0, 4800, "")
	for second := int64(1); second <= 70; second++ {
		clock.pass(time.Second)
		bar.Set(second*40, 4800, fmt.Sprintf("loss 0.%02d", second))
	}
	clock.pass(50 * time.Second)
	bar.Set(4800, 4800, "loss 0.12")
	bar.Finish()
	bar.Finish()
	bar.Set(1, 4800, "after the end")
	checkLines(t, out.String(),
		// 30 s x 40 = 1,200; 1200/4800 = 25 %; the other 3,600 / 40 = 90 s
		"ctxnorm: train: 25 %, 1,200 of 4,800 sentences, 40/s, 1m30s left; loss 0.30",
		// 60 s x 40 = 2,400; the other 2,400 / 40 = 60 s
		"ctxnorm: train: 50 %, 2,400 of 4,800 sentences, 40/s, 1m0s left; loss 0.60",
		// 120 s, 60 after the line before; 4800/120 = 40
		"ctxnorm: train: 100 %, 4,800 sentences, 40/s, 0s left; loss 0.12",
		"ctxnorm: train: 4,800 sentences in 2m0s, 40/s; loss 0.12",
	)
}

func TestLinesWithoutATotal(t *testing.T) {
	var out strings.Builder
	clock := newClock()
	bar := textBar(&out, clock, "tag", "lines")
	bar.Set(0, 0, "")
	clock.pass(45 * time.Second)
	bar.Set(90, 0, "")
	bar.Finish()
	checkLines(t, out.String(),
		"ctxnorm: tag: 90 lines, 2.0/s", // 90/45
		"ctxnorm: tag: 90 lines in 45s, 2.0/s",
	)
}

func TestNothingDone(t *testing.T) {
	var out strings.Builder
	clock := newClock()
	bar := textBar(&out, clock, "link", "mentions")
	bar.Set(0, 10, "")
	clock.pass(31 * time.Second)
	bar.Set(0, 10, "waiting")
	bar.Finish()
	checkLines(t, out.String(),
		"ctxnorm: link: 0 %, 0 of 10 mentions; waiting",
		"ctxnorm: link: 0 of 10 mentions in 31s; waiting",
	)
}

// A file is not a terminal.
func TestNewOnAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	bar := New(file, "index", "vectors")
	bar.Set(3, 3, "")
	bar.Finish()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(text); !strings.HasPrefix(got, "ctxnorm: index: 3 vectors in ") || strings.Count(got, "\n") != 1 {
		t.Errorf("the log holds %q, want one line", got)
	}
}

func TestTerminal(t *testing.T) {
	for _, total := range []int64{200, 0} {
		var out strings.Builder
		clock := newClock()
		bar := &Bar{terminal: &out, now: clock.now, state: Status{Task: "encode", Unit: "sentences"}}
		updates := 0
		for i := int64(1); i <= 150; i++ {
			clock.pass(10 * time.Millisecond)
			before := out.Len()
			bar.Set(i, total, "")
			if out.Len() > before {
				updates++
			}
		}
		// At the first Set and then every tenth, of 150.
		if updates != 15 {
			t.Errorf("total %d: updated %d times, want 15", total, updates)
		}
		bar.Set(200, total, "done")
		bar.Finish()
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

func TestConcurrentUse(t *testing.T) {
	var out strings.Builder
	clock := newClock()
	bar := textBar(&out, clock, "tag", "files")
	var group sync.WaitGroup
	for i := range int64(100) {
		group.Go(func() { bar.Set(i, 100, "") })
	}
	group.Wait()
	bar.Set(100, 100, "")
	bar.Finish()
	checkLines(t, out.String(), "ctxnorm: tag: 100 files in 0s")
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
		{formatRate(2e6, Bytes), "2.00 MB/s"},
		{formatDuration(90*time.Minute + 1400*time.Millisecond), "1h30m1s"},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
}

// A log has the figures beside the text.
func TestNewLog(t *testing.T) {
	var got []string
	bar := NewLog(func(message string, at Status) { got = append(got, fmt.Sprintf("%s %+v", message[:5], at)) }, "train", "steps")
	bar.now = newClock().now
	bar.Set(4, 10, "loss 0.3")
	bar.Finish()
	want := []string{"train {Task:train Unit:steps Note:loss 0.3 Done:4 Total:10 PerSecond:0 Finished:true}"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
