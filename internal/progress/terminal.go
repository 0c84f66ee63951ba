package progress

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// redraw is the least time between two drawings of the bar.
const redraw = 100 * time.Millisecond

// terminal shows progress as a bar with the text behind it, or as a spinner where
// the total is not known. The library draws the bar only: its rate would count
// what a resumed run has skipped.
type terminal struct {
	w    io.Writer
	bar  *progressbar.ProgressBar
	last time.Time // of the drawing before
}

func newTerminal(w io.Writer, total int64) *terminal {
	if total <= 0 {
		total = -1 // the spinner
	}
	return &terminal{w: w, bar: progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(w),
		progressbar.OptionFullWidth(),
		progressbar.OptionSetElapsedTime(false),
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionShowDescriptionAtLineEnd(),
	)}
}

func (t *terminal) update(s *state, now time.Time) {
	if now.Sub(t.last) >= redraw {
		t.last = now
		t.draw(s, s.running(now))
	}
}

func (t *terminal) finish(s *state, now time.Time) {
	t.draw(s, s.ended(now))
	fmt.Fprintln(t.w)
}

// draw writes the line again. The bar's errors say that it could not be written or
// that more was done than there was to do; neither is worth ending the run.
func (t *terminal) draw(s *state, text string) {
	done := s.done
	if s.total > 0 {
		done = min(done, s.total)
	}
	_ = t.bar.Set64(done)
	t.bar.Describe(s.label + ": " + text)
}
