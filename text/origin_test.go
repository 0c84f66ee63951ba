package text

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// TestOrigin reads origins that were written. A text that is not a correction is a pattern.
func TestOrigin(t *testing.T) {
	at := time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)
	for want, origin := range map[string]Origin{
		"":                {},
		"also known as":   {Mined: "also known as"},
		"labeled mention": {Labeled: true},
		"corrected by ann at 2026-01-02T15:04:05Z":                    {Corrected: &Correction{"ann", at}},
		"corrected at 2026-01-02T15:04:05Z":                           {Corrected: &Correction{"", at}},
		"corrected by ann by the sea at home at 2026-01-02T15:04:05Z": {Corrected: &Correction{"ann by the sea at home", at}},
		"corrected":                             {Mined: "corrected"},
		"corrected by ann":                      {Mined: "corrected by ann"},
		"ann at 2026-01-02T15:04:05Z":           {Mined: "ann at 2026-01-02T15:04:05Z"},
		"corrected by ann at noon":              {Mined: "corrected by ann at noon"},
		"corrected ann at 2026-01-02T15:04:05Z": {Mined: "corrected ann at 2026-01-02T15:04:05Z"},
	} {
		written := must.Get(origin.MarshalText())
		must.Equal(t, string(written), want, origin, "written as")
		read := Origin{Labeled: true, Mined: "before"}
		if err := read.UnmarshalText(written); err != nil || !cmp.Equal(read, origin) {
			t.Errorf("%q is read as %+v, %v", written, read, err)
		}
		if c := origin.Corrected; c != nil && c.String() != want {
			t.Errorf("%+v is %q", c, c)
		}
	}
}
