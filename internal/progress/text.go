package progress

import (
	"fmt"
	"time"

	"github.com/dustin/go-humanize"
)

// text returns "1,200 of 4,800 sentences, 300/s, 12s left; loss 0.31", or of a run that has ended "4,800 sentences in
// 16s, 300/s; loss 0.31".
func (s *Status) text(taken time.Duration) string {
	text := formatCount(s.Done, s.Unit)
	switch {
	case s.Total == 0 || s.Done == s.Total:
	case s.Unit == Bytes:
		text += " of " + formatCount(s.Total, s.Unit)
	default:
		text = humanize.Comma(s.Done) + " of " + formatCount(s.Total, s.Unit)
	}
	if s.Finished {
		text += " in " + formatDuration(taken)
	}
	if s.PerSecond > 0 {
		text += ", " + formatRate(s.PerSecond, s.Unit)
		if s.Total > 0 && !s.Finished {
			left := float64(max(s.Total-s.Done, 0)) / s.PerSecond
			text += ", " + formatDuration(time.Duration(left*float64(time.Second))) + " left"
		}
	}
	if s.Note != "" {
		text += "; " + s.Note
	}
	return text
}

// formatCount returns a number with its unit: "1,200 sentences", "1.20 MB".
func formatCount(n int64, unit string) string {
	if unit == Bytes {
		return formatBytes(float64(n))
	}
	return humanize.Comma(n) + " " + unit
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
