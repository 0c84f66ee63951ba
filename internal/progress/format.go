package progress

import (
	"fmt"
	"time"

	"github.com/dustin/go-humanize"
)

// formatCount returns a number with its unit: "1,200 sentences", "1.20 MB".
func formatCount(n int64, unit string) string {
	if unit == Bytes {
		return formatBytes(float64(n))
	}
	return humanize.Comma(n) + " " + unit
}

// running returns the text of an unfinished run: "1,200 of 4,800 sentences, 300/s, 12s
// left; loss 0.31".
func (s *state) running(now time.Time) string {
	text := s.amount()
	if rate := s.rate(now); rate > 0 {
		text += ", " + formatRate(rate, s.unit)
	}
	if left, known := s.left(now); known {
		text += ", " + formatDuration(left) + " left"
	}
	return text + s.noteSuffix()
}

// ended returns the text of a run that has ended, complete or not: "4,800 sentences in
// 16s, 300/s; loss 0.31".
func (s *state) ended(now time.Time) string {
	text := s.amount() + " in " + formatDuration(now.Sub(s.started))
	if rate := s.rate(now); rate > 0 {
		text += ", " + formatRate(rate, s.unit)
	}
	return text + s.noteSuffix()
}

func (s *state) noteSuffix() string {
	if s.note == "" {
		return ""
	}
	return "; " + s.note
}

// amount returns "1,200 of 4,800 sentences", or "1,200 sentences" if all are done or
// the total is unknown.
func (s *state) amount() string {
	switch {
	case s.total == 0 || s.done == s.total:
		return formatCount(s.done, s.unit)
	case s.unit == Bytes:
		return formatBytes(float64(s.done)) + " of " + formatBytes(float64(s.total))
	}
	return humanize.Comma(s.done) + " of " + formatCount(s.total, s.unit)
}

// formatRate returns a rate per second, or per minute if it is below one in ten seconds.
func formatRate(rate float64, unit string) string {
	switch {
	case unit == Bytes:
		return formatBytes(rate) + "/s"
	case rate < 0.1:
		return fmt.Sprintf("%.1f/min", 60*rate)
	case rate < 10:
		return fmt.Sprintf("%.1f/s", rate)
	}
	return humanize.Comma(int64(rate)) + "/s"
}

// formatBytes returns a number of bytes in powers of 1000, to three digits: "7.00 MB".
func formatBytes(n float64) string { return humanize.BytesN(uint64(n), 3) }

// formatDuration returns a time to the second: "1h2m3s". The durations of go-humanize are
// coarser ("2 hours").
func formatDuration(d time.Duration) string { return d.Round(time.Second).String() }
