package text

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestOrigin(t *testing.T) {
	for _, test := range []struct {
		origin Origin
		want   string
	}{
		{Origin{}, ""},
		{Origin{Mined: "also known as"}, "also known as"},
		{Origin{Labeled: true}, "labeled mention"},
		{Origin{Corrected: &Correction{"ann", time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)}},
			"corrected by ann at 2026-01-02T15:04:05Z"},
	} {
		written, err := test.origin.MarshalText()
		if err != nil || string(written) != test.want {
			t.Errorf("%+v is written as %q, %v; want %q", test.origin, written, err, test.want)
		}
		read := Origin{Labeled: true, Mined: "before"}
		if err := read.UnmarshalText(written); err != nil || !cmp.Equal(read, test.origin) {
			t.Errorf("%q is read as %+v, %v", written, read, err)
		}
	}
}
