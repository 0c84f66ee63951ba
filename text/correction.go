package text

import (
	"fmt"
	"strings"
	"time"
)

// Correction says who corrected a mention, and when.
type Correction struct {
	By string // empty if that is not known
	At time.Time
}

// String returns "corrected by ann at 2026-01-02T15:04:05Z", and "" for nil.
func (c *Correction) String() string {
	if c == nil {
		return ""
	}
	by := ""
	if c.By != "" {
		by = " by " + c.By
	}
	return "corrected" + by + " at " + c.At.Format(time.RFC3339)
}

// MarshalText implements [encoding.TextMarshaler]. The text is that of String.
func (c *Correction) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (c *Correction) UnmarshalText(data []byte) error {
	said, isCorrection := strings.CutPrefix(string(data), "corrected")
	end := strings.LastIndex(said, " at ") // a name may have the words, too
	if isCorrection && end >= 0 {
		by, isNamed := strings.CutPrefix(said[:end], " by ")
		at, err := time.Parse(time.RFC3339, said[end+len(" at "):])
		if err == nil && (isNamed || by == "") {
			*c = Correction{by, at}
			return nil
		}
	}
	return fmt.Errorf("%q is no correction, want one such as \"corrected by ann at 2026-01-02T15:04:05Z\"", data)
}
