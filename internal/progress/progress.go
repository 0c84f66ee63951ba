// Package progress tells the user how far a long run has come: a bar with rate
// and time left where standard error is a terminal, and a plain line every 30
// seconds where it is a file or a pipe.
//
//	bar := progress.New(os.Stderr, "corpus", progress.Bytes, size)
//	defer bar.Finish()
//	for … {
//		bar.Set(done, fmt.Sprintf("%d sentences", n))
//	}
//
// Standard output is the data's: never give it to New.
package progress

import (
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// Bytes is the unit that is shown as kB, MB and GB.
const Bytes = "B"

// Bar shows the progress of one run. It is safe for concurrent use.
type Bar struct {
	mu      sync.Mutex
	display display
	now     func() time.Time
	state
}

// state is what there is to show.
type state struct {
	label, unit, note string
	done, total       int64 // total is 0 where it is not known
	skipped           int64 // of done, what an earlier run did
	started           time.Time
	finished          bool
}

// display is one way to show a state: a bar or lines.
type display interface {
	update(s *state, now time.Time)
	finish(s *state, now time.Time)
}

// New starts to show a run on w: label says what runs, unit in what it is counted
// ("sentences", [Bytes]), and total how many there are, 0 where that is not known.
func New(w io.Writer, label, unit string, total int64) *Bar {
	file, isFile := w.(*os.File)
	if isFile && term.IsTerminal(int(file.Fd())) {
		return newBar(newTerminal(w, total), time.Now, label, unit, total)
	}
	return newBar(&lines{w: w}, time.Now, label, unit, total)
}

func newBar(d display, now func() time.Time, label, unit string, total int64) *Bar {
	return &Bar{display: d, now: now, state: state{
		label: label, unit: unit, total: max(total, 0), started: now(),
	}}
}

// Skip says that done units were there when this run began, those of a run that
// it resumes: they count for what is left and not for the rate.
func (b *Bar) Skip(done int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done, b.skipped = done, done
}

// Set says that done units are done in all, with a note to show beside them, such
// as the loss.
func (b *Bar) Set(done int64, note string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.finished {
		return
	}
	b.done, b.note = done, note
	b.display.update(&b.state, b.now())
}

// Finish ends the display, whether or not all was done. A second call does
// nothing.
func (b *Bar) Finish() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.finished {
		return
	}
	b.finished = true
	b.display.finish(&b.state, b.now())
}

// rate is units a second since the run began, 0 where nothing is done yet.
func (s *state) rate(now time.Time) float64 {
	seconds := now.Sub(s.started).Seconds()
	if seconds <= 0 || s.done <= s.skipped {
		return 0
	}
	return float64(s.done-s.skipped) / seconds
}

// left is the time that the rest takes at the rate so far, and false where that
// cannot be said.
func (s *state) left(now time.Time) (time.Duration, bool) {
	rate := s.rate(now)
	if rate == 0 || s.total == 0 {
		return 0, false
	}
	seconds := float64(max(s.total-s.done, 0)) / rate
	return time.Duration(seconds * float64(time.Second)), true
}
