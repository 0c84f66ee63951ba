package formats

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/kb"
)

type ids = []kb.ConceptID

func TestParseIDs(t *testing.T) {
	tests := []struct {
		text      string
		ids       ids
		composite bool
	}{
		{"", nil, false},
		{"-", nil, false},
		{"-1", nil, false},
		{"D001943", ids{"D001943"}, false},
		{" OMIM:312080 ", ids{"OMIM:312080"}, false},
		{"Asthma", ids{"Asthma"}, false},
		{"D001943|D010051", ids{"D001943", "D010051"}, true},
		{"D002544|-1", ids{"D002544"}, true},
		{"D001943,D010051", ids{"D001943", "D010051"}, true},
		{"D007153+D040181", ids{"D007153", "D040181"}, false},
		{"672;675", ids{"672", "675"}, false},
		{"c|DEL|4153|A", ids{"c|DEL|4153|A"}, false},
		{"c|SUB|G|IVS9+9|A", ids{"c|SUB|G|IVS9+9|A"}, false},
	}
	for _, test := range tests {
		got, composite := parseIDs(test.text)
		if !cmp.Equal(test.ids, got) || composite != test.composite {
			t.Errorf("%q: got %q, composite %t; want %q, %t", test.text, got, composite, test.ids, test.composite)
		}
	}
}
