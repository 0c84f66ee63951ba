package kbfile

import (
	"fmt"
	"testing"
	"time"

	"github.com/ctxnorm/ctxnorm/kb"
)

func TestWithReplaced(t *testing.T) {
	d := kb.NewDictionary([]kb.Concept{{ID: "A", Name: "gout"}, {ID: "B", Name: "asthma"}})
	got, n := withReplaced(d, map[kb.ConceptID]kb.ConceptID{
		"1": "A", "2": "3", "3": "1", // by one that was replaced
		"B": "A",           // in use itself
		"5": "6", "6": "5", // a cycle
		"7": "5",
		"8": "none",
		"9": "B", "4": "9", // B is in use, whatever replaced it
	})
	want := kb.NewDictionary([]kb.Concept{
		{ID: "A", Name: "gout", AltIDs: []kb.ConceptID{"1", "2", "3"}},
		{ID: "B", Name: "asthma", AltIDs: []kb.ConceptID{"4", "9"}},
	})
	if n != 5 || got.Hash() != want.Hash() {
		t.Errorf("%d are replaced: %+v and %+v", n, got.Lookup("A"), got.Lookup("B"))
	}
}

// A chain and a cycle of replacements take no time by their square.
func TestLongReplacements(t *testing.T) {
	const long = 20_000
	begin := time.Now()
	replaced := make(map[kb.ConceptID]kb.ConceptID)
	for i := range long {
		replaced[kb.ConceptID(fmt.Sprint("C", i))] = kb.ConceptID(fmt.Sprint("C", i+1))
		replaced[kb.ConceptID(fmt.Sprint("R", i))] = kb.ConceptID(fmt.Sprint("R", (i+1)%long))
	}
	end := kb.ConceptID(fmt.Sprint("C", long))
	got, n := withReplaced(kb.NewDictionary([]kb.Concept{{ID: end, Name: "gout"}}), replaced)
	if n != long || got.Lookup("C7") != got.Lookup(end) || got.Lookup("R7") != nil {
		t.Errorf("%d identifiers are replaced", n)
	}
	if took := time.Since(begin); took > 20*time.Second {
		t.Errorf("took %v", took)
	}
}
