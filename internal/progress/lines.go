package progress

import (
	"fmt"
	"io"
	"time"
)

// interval lies between two lines of a log: 120 of them in an hour.
const interval = 30 * time.Second

// lines shows progress in a log.
type lines struct {
	w    io.Writer
	last time.Time // of the line before; zero before the first
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
	fmt.Fprintf(l.w, "ctxnorm: %s: %s%s\n", s.label, percent, s.running(now))
}

func (l *lines) finish(s *state, now time.Time) {
	fmt.Fprintf(l.w, "ctxnorm: %s: %s\n", s.label, s.ended(now))
}
