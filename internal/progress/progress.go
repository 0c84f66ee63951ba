// Package progress shows how far a long run has come: a bar with the rate and the time
// left if standard error is a terminal, and a line every 30 seconds if it is a file or
// a pipe.
//
//	bar := progress.New(os.Stderr, "corpus", progress.Bytes, size)
//	defer bar.Finish()
//	for … {
//		bar.Set(done, fmt.Sprintf("%d sentences", n))
//	}
//
// Standard output is for data: never pass it to New.
package progress

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// Bytes is the unit of counts that are shown as kB, MB and GB.
const Bytes = "B"

// Bar shows the progress of one run. It is safe for concurrent use.
type Bar struct {
	mu      sync.Mutex
	display display
	now     func() time.Time
	state
}

// state is what a display shows.
type state struct {
	label, unit, note string
	done, total       int64 // in units; total is 0 if it is unknown
	started           time.Time
	finished          bool
}

// New returns a bar that shows a run on w. label names the run, unit is what is counted
// ("sentences", [Bytes]) and total is the number of units, 0 if it is unknown.
func New(w io.Writer, label, unit string, total int64) *Bar {
	file, isFile := w.(*os.File)
	if isFile && term.IsTerminal(int(file.Fd())) {
		return newBar(newTerminal(w, total), time.Now, label, unit, total)
	}
	return newBar(textLines(w), time.Now, label, unit, total)
}

// textLines returns the lines of a log of text.
func textLines(w io.Writer) *lines {
	return &lines{print: func(message string, _ Status) { fmt.Fprintf(w, "ctxnorm: %s\n", message) }}
}

// Status is how far a run has come.
type Status struct {
	Task, Unit, Note string
	Done, Total      int64   // Total is 0 if it is unknown
	PerSecond        float64 // units that this run did, without those of an earlier one
	Finished         bool    // the run has ended, complete or not
}

// NewLog returns a bar that calls print every 30 seconds and at the end. message is the line that
// [New] would write.
func NewLog(print func(message string, at Status), label, unit string, total int64) *Bar {
	return newBar(&lines{print: print}, time.Now, label, unit, total)
}

func newBar(d display, now func() time.Time, label, unit string, total int64) *Bar {
	return &Bar{display: d, now: now, state: state{
		label: label, unit: unit, total: max(total, 0), started: now(),
	}}
}

// Set reports that done units are done in total, with a note to show after them, such
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

// Finish ends the display, whether the run is complete or not. A second call does
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

func (s *state) status(now time.Time) Status {
	return Status{s.label, s.unit, s.note, s.done, s.total, s.rate(now), s.finished}
}

// rate returns the units per second since the run began, 0 if none is done yet.
func (s *state) rate(now time.Time) float64 {
	seconds := now.Sub(s.started).Seconds()
	if seconds <= 0 || s.done <= 0 {
		return 0
	}
	return float64(s.done) / seconds
}

// left returns the time that the remaining units take at the rate so far; known is false
// without a rate or a total.
func (s *state) left(now time.Time) (left time.Duration, known bool) {
	rate := s.rate(now)
	if rate == 0 || s.total == 0 {
		return 0, false
	}
	seconds := float64(max(s.total-s.done, 0)) / rate
	return time.Duration(seconds * float64(time.Second)), true
}
