package eval

import (
	"fmt"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/text"
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
	must.Equal(t, got, want)
}

func TestSenseSlices(t *testing.T) {
	set := smallSet()
	if s := SenseSlices(smallGold(t, set)); s != nil {
		t.Errorf("gold without senses has %d slices", len(s))
	}
	var lines []string
	for i, records := range []int{0, 1, 2, 3, 9, 10, 99, 100} {
		id := []string{"M1", "X9"}[i%2]
		lines = append(lines, fmt.Sprintf(`{"id":"%d","text":"An AD.","mentions":[{"start":3,"end":5,"ids":[%q],"sense":{"long_form":"a","records":%d}}]}`, i, id, records))
	}
	lines = append(lines, `{"id":"8","text":"An MS.","mentions":[{"start":3,"end":5,"ids":["M1"]}]}`)
	gold := readGold(t, set, nil, writeGold(t, lines...))
	table := mine.AbbreviationTable{
		{Short: "AD", Long: []mine.LongForm{{Text: "a d", Count: 2}, {Text: "any d", Count: 2}}},
		{Short: "MS", Long: []mine.LongForm{{Text: "my s", Count: 2}}},
	}
	got := make(map[string][]int)
	for _, slice := range append(SenseSlices(gold), AmbiguousShortForms(table)) {
		for i := range gold.Mentions {
			if slice.Contains(&gold.Mentions[i]) {
				got[slice.Name] = append(got[slice.Name], i)
			}
		}
	}
	want := map[string][]int{
		"sense in the dictionary": {0, 2, 4, 6}, "sense outside it": {1, 3, 5, 7},
		"0 records": {0}, "1 to 2 records": {1, 2}, "3 to 9 records": {3, 4}, "10 to 99 records": {5, 6}, "100 or more records": {7},
		"ambiguous short form": {0, 1, 2, 3, 4, 5, 6, 7},
	}
	must.Equal(t, got, want)
}

// TestDefinedAbbreviation has short forms that look like words.
func TestDefinedAbbreviation(t *testing.T) {
	path := writeGold(t,
		`{"id":"1","text":"Dihydropteridine deficiency (nbd) is rare. An nbd patient.","mentions":[{"start":46,"end":57,"ids":["M1"]}]}`,
		`{"id":"2","text":"An nbd patient.","mentions":[{"start":3,"end":14,"ids":["M1"]}]}`,
		`{"id":"3","text":"Neural bud disease (nbd) is rare. An nbd patient.","mentions":[{"start":37,"end":48,"ids":["M1"]}]}`,
	)
	gold := readGold(t, smallSet(), nil, path)
	inSlice := isAbbreviation()
	for i, want := range []bool{false, false, true} { // the first text has no definition: its words do not spell nbd
		must.Equal(t, inSlice(&gold.Mentions[i]), want, "document", i+1)
	}
}
