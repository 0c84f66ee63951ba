package eval

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/normalize"
)

// TestSlices lists the mentions of the table in helper_test.go in each slice.
func TestSlices(t *testing.T) {
	set := smallSet()
	gold := smallGold(t, set)
	all := Slices(NewDictionaryView(smallDictionary(), set))
	context := text.NameExemplar("iron deficiency", "OMIM:3", "M4")
	all = append(all, AllMentions(), WithoutContext([]text.Exemplar{context}, set))
	got := make(map[string][]int)
	for _, slice := range all {
		for i := range gold.Mentions {
			if slice.Contains(&gold.Mentions[i]) {
				got[slice.Name] = append(got[slice.Name], i)
			}
		}
	}
	want := map[string][]int{
		"all mentions":        {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
		"seen surface form":   {0, 1, 3, 4, 5},
		"unseen surface form": {2, 6, 7, 8, 9}, // "anaemia" is not "anemia"
		"unseen concept":      {6, 9},
		"nameless concept":    {6},
		"abbreviation":        {4, 5},
		"ambiguous":           {4, 5},
		"composite":           {2},
		"outside":             {7},
		"without context":     {0, 1, 2, 3, 4, 5, 9},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLooksLikeAcronym(t *testing.T) {
	for surface, want := range map[string]bool{
		"AIDS": true, "TdP": true, "MODY2": true, "CL/P": true, "G6PD": true,
		"Gout": false, "T-cell": false, "AD HD": false, "ANEMIADISEASE": false, "": false, "癌": false, "APRTdeficiency": false,
	} {
		if got := normalize.LooksLikeAcronym(surface); got != want {
			t.Errorf("%q: %v, want %v", surface, got, want)
		}
	}
}

// TestDefinedAbbreviation has short forms that look like words.
func TestDefinedAbbreviation(t *testing.T) {
	path := writeGold(t,
		`{"id":"1","text":"Dihydropteridine deficiency (nbd) is rare. An nbd patient.","mentions":[{"start":46,"end":57,"ids":["M1"]}]}`,
		`{"id":"2","text":"An nbd patient.","mentions":[{"start":3,"end":14,"ids":["M1"]}]}`,
		`{"id":"3","text":"Neural bud disease (nbd) is rare. An nbd patient.","mentions":[{"start":37,"end":48,"ids":["M1"]}]}`,
	)
	gold, err := ReadGold([]string{path}, nil, smallSet())
	if err != nil {
		t.Fatal(err)
	}
	inSlice := isAbbreviation()
	for i, want := range []bool{false, false, true} { // the first text is no definition: its words do not spell nbd
		if got := inSlice(&gold.Mentions[i]); got != want {
			t.Errorf("document %d: %v, want %v", i+1, got, want)
		}
	}
}
