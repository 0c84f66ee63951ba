package progress

import (
	"fmt"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// grouped writes 1234567 as "1,234,567".
func grouped(n int64) string { return message.NewPrinter(language.English).Sprint(n) }

// count is a number with its unit: "1,200 sentences", "1.2 MB".
func count(n int64, unit string) string {
	if unit == Bytes {
		return bytes(float64(n))
	}
	return grouped(n) + " " + unit
}

// running is the text of a run under way: "1,200 of 4,800 sentences, 300/s, 12s
// left; loss 0.31".
func (s *state) running(now time.Time) string {
	text := s.amount()
	if rate := s.rate(now); rate > 0 {
		text += ", " + perSecond(rate, s.unit)
	}
	if left, known := s.left(now); known {
		text += ", " + clock(left) + " left"
	}
	return text + s.remark()
}

// ended is the text of a run that is over, at its end or before it.
func (s *state) ended(now time.Time) string {
	text := s.amount() + " in " + clock(now.Sub(s.started))
	if rate := s.rate(now); rate > 0 {
		text += ", " + perSecond(rate, s.unit)
	}
	return text + s.remark()
}

func (s *state) remark() string {
	if s.note == "" {
		return ""
	}
	return "; " + s.note
}

// amount is "1,200 of 4,800 sentences", or "1,200 sentences" where all are done or
// their number is not known.
func (s *state) amount() string {
	switch {
	case s.total == 0 || s.done == s.total:
		return count(s.done, s.unit)
	case s.unit == Bytes:
		return bytes(float64(s.done)) + " of " + bytes(float64(s.total))
	}
	return grouped(s.done) + " of " + count(s.total, s.unit)
}

// perSecond is a rate, by the minute where it is under one in ten seconds.
func perSecond(rate float64, unit string) string {
	switch {
	case unit == Bytes:
		return bytes(rate) + "/s"
	case rate < 0.1:
		return fmt.Sprintf("%.1f/min", 60*rate)
	case rate < 10:
		return fmt.Sprintf("%.1f/s", rate)
	}
	return grouped(int64(rate)) + "/s"
}

// bytes writes a number of bytes in powers of 1000, with one digit after the point
// from 1 kB on.
func bytes(n float64) string {
	if n < 1000 {
		return fmt.Sprintf("%.0f B", n)
	}
	units := []string{"kB", "MB", "GB", "TB"}
	i := -1
	for n >= 999.95 && i < len(units)-1 { // 999.95 would be written as 1000.0
		n /= 1000
		i++
	}
	return fmt.Sprintf("%.1f %s", n, units[i])
}

// clock writes a time to the second: "1h2m3s".
func clock(d time.Duration) string { return d.Round(time.Second).String() }
