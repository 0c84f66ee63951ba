package progress

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// display shows a state as a bar or as lines.
type display interface {
	update(s *state, now time.Time)
	finish(s *state, now time.Time)
}

// interval is the time between two lines of a log: 120 lines an hour.
const interval = 30 * time.Second

// lines shows progress as lines of a log.
type lines struct {
	print func(message string, at Status)
	last  time.Time // of the previous line; zero before the first
}

func (l *lines) update(s *state, now time.Time) {
	if l.last.IsZero() {
		l.last = s.started
	}
	if now.Sub(l.last) < interval {
		return
	}
	l.last = now
	percent := ""
	if s.total > 0 {
		percent = fmt.Sprintf("%d %%, ", 100*s.done/s.total)
	}
	l.print(s.label+": "+percent+s.running(now), s.status(now))
}

func (l *lines) finish(s *state, now time.Time) {
	l.print(s.label+": "+s.ended(now), s.status(now))
}

// redraw is the minimum time between two updates of the bar.
const redraw = 100 * time.Millisecond

// terminal shows progress as a bar followed by the text, or as a spinner if the total
// is unknown. The library draws the bar alone, and the text is that of [Status].
type terminal struct {
	w    io.Writer
	bar  *progressbar.ProgressBar
	last time.Time // of the previous update
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
		progressbar.OptionSetSpinnerChangeInterval(0), // it draws by itself otherwise, also after the end
	)}
}

func (t *terminal) update(s *state, now time.Time) {
	if now.Sub(t.last) >= redraw {
		t.last = now
		t.show(s, s.running(now))
	}
}

func (t *terminal) finish(s *state, now time.Time) {
	t.show(s, s.ended(now))
	fmt.Fprintln(t.w)
}

// show rewrites the line. The bar fails if it cannot be written or if more is done than
// the total; neither is a reason to end the run.
func (t *terminal) show(s *state, text string) {
	done := s.done
	if s.total > 0 {
		done = min(done, s.total)
	}
	_ = t.bar.Set64(done)
	t.bar.Describe(s.label + ": " + text)
}
