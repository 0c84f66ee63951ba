package text

import (
	"cmp"
	"fmt"
	"strings"
	"time"
)

// Origin says where the concepts of an exemplar come from. The zero value stands for the dictionary: its names, and
// the sentences of the corpus that were found by them.
type Origin struct {
	Mined     string      // of a name that was mined from texts: the pattern that gave it, such as "also known as"
	Labeled   bool        // annotators gave the concept
	Corrected *Correction // a curator gave the concept
}

// labeled is what a labeled origin is written as.
const labeled = "labeled mention"

// String returns "" for the dictionary, the pattern of a mined name, "labeled mention", or "corrected by ann at
// 2026-01-02T15:04:05Z".
func (o Origin) String() string {
	if o.Labeled {
		return labeled
	}
	return cmp.Or(o.Mined, o.Corrected.String())
}

// MarshalText implements [encoding.TextMarshaler]. The text is that of String.
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
