package matcher

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ctxnorm"
)

func TestExact(t *testing.T) {
	x := NewExact(dictionary("D2: Gout | gout | Sjögren's syndrome | —", "D1: GOUT | all", "D3: 糖尿病"))
	tests := []struct {
		text string
		want []ctxnorm.ConceptID
	}{
		{" gout.", []ctxnorm.ConceptID{"D1", "D2"}},
		{"SJOGREN’S-SYNDROME", []ctxnorm.ConceptID{"D2"}},
		{"ALL", []ctxnorm.ConceptID{"D1"}}, // nothing is cleaned away
		{"糖尿病", []ctxnorm.ConceptID{"D3"}},
		{"糖 尿病", nil},
		{"gouty", nil},
		{"", nil},
		{"?", nil},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, x.Lookup(test.text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.text, diff)
		}
	}
}
