package text

import (
	"testing"
	"time"
)

func TestCorrection(t *testing.T) {
	at := time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)
	for _, test := range []struct {
		correction Correction
		want       string
	}{
		{Correction{"ann", at}, "corrected by ann at 2026-01-02T15:04:05Z"},
		{Correction{"", at}, "corrected at 2026-01-02T15:04:05Z"},
		{Correction{"ann by the sea at home", at}, "corrected by ann by the sea at home at 2026-01-02T15:04:05Z"},
	} {
		written, err := test.correction.MarshalText()
		if err != nil || string(written) != test.want {
			t.Errorf("%+v is written as %q, %v; want %q", test.correction, written, err, test.want)
		}
		var read Correction
		if err := read.UnmarshalText(written); err != nil || read != test.correction {
			t.Errorf("%q is read as %+v, %v", written, read, err)
		}
	}
	for _, wrong := range []string{
		"", "corrected", "corrected by ann", "ann at 2026-01-02T15:04:05Z", "corrected by ann at noon",
		"corrected ann at 2026-01-02T15:04:05Z",
	} {
		read := Correction{By: "before"}
		if err := read.UnmarshalText([]byte(wrong)); err == nil || read.By != "before" {
			t.Errorf("%q is read as %+v", wrong, read)
		}
	}
	if s := (*Correction)(nil).String(); s != "" {
		t.Errorf("no correction is %q", s)
	}
}
