package text

import "cmp"

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
