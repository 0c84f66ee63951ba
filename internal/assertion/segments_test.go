package assertion

import (
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

func TestItemSign(t *testing.T) {
	for line, want := range map[string]bool{
		"- fever": true, "• fever": true, "2) fever": true, "2. fever": true, "123. fever": true, "(b) fever": true, "a. fever": true,
		"12 lesions": false, "1234. fever": false, "2.5 mg": false, "2.": false, "fever. Cough": false, "-": false, "": false,
	} {
		must.Equal(t, itemSign.MatchString(line), want, line)
	}
}

func TestSecondItem(t *testing.T) {
	for cell, want := range map[string]string{
		"no gout, hypertension": "hypertension", "No known gout; old stroke": "stroke", "no gout, ?asthma": "asthma", "denies gout; asthma": "asthma",
		"without gout,asthma": "asthma", "no gout but has asthma": "has asthma", "kein Gout aber Asthma": "Asthma", "no gout, hypertension or asthma": "", "no gout, fever, asthma": "", "denies gout, asthma": "",
		"no gout, no asthma": "", "gout, asthma": "", "gout; asthma": "", "no change, gout": "", "no gout,": "", ",": "", "no gout": "",
	} {
		got := ""
		if at := SecondItem(cell); at > 0 {
			got = cell[at:]
		}
		must.Equal(t, got, want, cell)
	}
}
