package text

import (
	"cmp"
	"fmt"
	"strings"
	"time"
)

// Origin is the source of an exemplar's concepts. The zero value means the dictionary: its names, and sentences of the
// corpus in which they were found.
type Origin struct {
	Mined     string      // for a name mined from texts: the pattern that found it, such as "also known as"
	Labeled   bool        // annotators gave the concept
	Corrected *Correction // a curator gave the concept
}

// labeled is the text form of a labeled origin.
const labeled = "labeled mention"

// String returns "" for the dictionary, the pattern of a mined name, "labeled mention", or "corrected by ann at
// 2026-01-02T15:04:05Z".
func (o Origin) String() string {
	if o.Labeled {
		return labeled
	}
	return cmp.Or(o.Mined, o.Corrected.String())
}

// MarshalText implements [encoding.TextMarshaler] with the result of String.
func (o Origin) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (o *Origin) UnmarshalText(data []byte) error {
	var corrected Correction
	switch {
	case string(data) == labeled:
		*o = Origin{Labeled: true}
	case corrected.UnmarshalText(data) == nil:
		*o = Origin{Corrected: &corrected}
	default:
		*o = Origin{Mined: string(data)}
	}
	return nil
}

// Correction is the author and the time of a correction.
type Correction struct {
	By string // empty if unknown
	At time.Time
}

// String returns "corrected by ann at 2026-01-02T15:04:05Z", or "" for nil.
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

// MarshalText implements [encoding.TextMarshaler] with the result of String.
func (c *Correction) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (c *Correction) UnmarshalText(data []byte) error {
	said, isCorrection := strings.CutPrefix(string(data), "corrected")
	end := strings.LastIndex(said, " at ") // a name may contain " at ", too
	if isCorrection && end >= 0 {
		by, isNamed := strings.CutPrefix(said[:end], " by ")
		at, err := time.Parse(time.RFC3339, said[end+len(" at "):])
		if err == nil && (isNamed || by == "") {
			*c = Correction{by, at}
			return nil
		}
	}
	return fmt.Errorf("%q is not a correction, want one such as \"corrected by ann at 2026-01-02T15:04:05Z\"", data)
}
