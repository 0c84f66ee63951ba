package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/schollz/progressbar/v3"

	"github.com/ctxnorm/ctxnorm"
)

// bytesUnit is the unit of counts that are shown as kB, MB and GB.
const bytesUnit = "bytes"

// Intervals between two lines of a log (120 lines an hour) and between two updates of a bar.
const (
	interval = 30 * time.Second
	redraw   = 100 * time.Millisecond
)

// bar shows the progress of tasks, one after the other, each from its first report on. On a terminal, it is a bar with
// the rate and the time left; elsewhere, a line every 30 seconds and at the end of a task. It holds back messages until
// the current task ends. It is safe for concurrent use.
type bar struct {
	mu            sync.Mutex
	state         status // of the current task
	now           func() time.Time
	started, last time.Time                // time of the first report, zero if no task runs, and of the last display
	print         func(string, status)     // prints a line
	terminal      io.Writer                // nil for lines
	drawn         *progressbar.ProgressBar // on a terminal; a spinner if the total is unknown
	held          []func()                 // print messages at the end of the task
	finished      bool
}

// status is the progress of a task.
type status struct {
	ctxnorm.Progress
	perSecond float64 // units since the first report, 0 before the first is done
	finished  bool    // the task has ended, complete or not
}

// set reports the progress of a task; its total is 0 if unknown. A different task ends the previous one, and so does a
// different total, because a base model is downloaded file by file, each with its own total.
func (b *bar) set(at ctxnorm.Progress) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.finished {
		return
	}
	if at.Total = max(at.Total, 0); b.state.Task != at.Task || b.state.Total != at.Total {
		b.end()
	}
	b.state = status{Progress: at, perSecond: b.state.perSecond}
	now := b.now()
	if b.started.IsZero() {
		b.started, b.last = now, now
		if b.terminal != nil {
			b.last = time.Time{} // draw at once
		}
	}
	if now.Sub(b.last) >= interval || b.terminal != nil && now.Sub(b.last) >= redraw {
		b.last = now
		b.show(now)
	}
}

// say calls print, which prints a message, now or at the end of the current task.
func (b *bar) say(print func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.finished {
		return
	}
	b.held = append(b.held, print)
	if b.state.Done >= b.state.Total {
		b.end()
	}
}

// finish ends the display, whether the task is complete or not. Later reports are dropped.
func (b *bar) finish() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.end()
	b.finished = true
}

// end ends the current task and prints the messages held back.
func (b *bar) end() {
	if !b.started.IsZero() {
		b.state.finished = true
		b.show(b.now())
		if b.terminal != nil {
			fmt.Fprintln(b.terminal)
		}
	}
	for _, print := range b.held {
		print()
	}
	b.state, b.started, b.drawn, b.held = status{}, time.Time{}, nil, nil
}

// show prints a line, or updates the one on the terminal. It ignores errors of the progress bar, which occur if the bar
// cannot be written or exceeds its total, because neither is a reason to end the run.
func (b *bar) show(now time.Time) {
	s := &b.state
	if seconds := now.Sub(b.started).Seconds(); seconds > 0 && s.Done > 0 {
		s.perSecond = float64(s.Done) / seconds
	}
	text := s.text(now.Sub(b.started))
	if b.terminal == nil {
		if s.Total > 0 && !s.finished {
			text = fmt.Sprintf("%d %%, %s", 100*s.Done/s.Total, text)
		}
		b.print(s.Task+": "+text, *s)
		return
	}
	total, done := s.Total, s.Done
	if total == 0 {
		total = -1 // the spinner
	} else {
		done = min(done, total)
	}
	if b.drawn == nil {
		b.drawn = progressbar.NewOptions64(total, progressbar.OptionSetWriter(b.terminal),
			progressbar.OptionFullWidth(), progressbar.OptionSetElapsedTime(false),
			progressbar.OptionSetPredictTime(false), progressbar.OptionShowDescriptionAtLineEnd(),
			progressbar.OptionSetSpinnerChangeInterval(0)) // otherwise it draws by itself, even after the end
	}
	_ = b.drawn.Set64(done)
	b.drawn.Describe(s.Task + ": " + text)
}

// text returns "1,200 of 4,800 sentences, 300/s, 12s left; loss 0.31", or for a finished task "4,800 sentences in 16s,
// 300/s; loss 0.31".
func (s *status) text(taken time.Duration) string {
	text := formatCount(s.Done, s.Unit)
	switch {
	case s.Total == 0 || s.Done == s.Total:
	case s.Unit == bytesUnit:
		text += " of " + formatCount(s.Total, s.Unit)
	default:
		text = humanize.Comma(s.Done) + " of " + formatCount(s.Total, s.Unit)
	}
	if s.finished {
		text += " in " + formatDuration(taken)
	}
	if s.perSecond > 0 {
		text += ", " + formatRate(s.perSecond, s.Unit)
		if s.Total > 0 && !s.finished {
			left := float64(max(s.Total-s.Done, 0)) / s.perSecond
			text += ", " + formatDuration(time.Duration(left*float64(time.Second))) + " left"
		}
	}
	if s.Note != "" {
		text += "; " + s.Note
	}
	return text
}

// formatCount formats a number with its unit: "1,200 sentences", "1.20 MB".
func formatCount(n int64, unit string) string {
	if unit == bytesUnit {
		return formatBytes(float64(n))
	}
	return humanize.Comma(n) + " " + unit
}

// formatRate formats a rate per second, or per minute if it is below one in ten seconds.
func formatRate(rate float64, unit string) string {
	switch {
	case unit == bytesUnit:
		return formatBytes(rate) + "/s"
	case rate < 0.1:
		return fmt.Sprintf("%.1f/min", 60*rate)
	case rate < 10:
		return fmt.Sprintf("%.1f/s", rate)
	}
	return humanize.Comma(int64(rate)) + "/s"
}

// formatBytes formats a number of bytes in powers of 1000, with three digits: "7.00 MB".
func formatBytes(n float64) string { return humanize.BytesN(uint64(n), 3) }

// formatDuration formats a duration to the second: "1h2m3s". Durations of go-humanize are coarser ("2 hours").
func formatDuration(d time.Duration) string { return d.Round(time.Second).String() }
