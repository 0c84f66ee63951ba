package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/pubmed"
)

func dictionary() *kb.Dictionary {
	return kb.NewDictionary([]kb.Concept{
		{ID: "D1", Name: "Alzheimer disease", Synonyms: []string{"Alzheimer dementia"}},
		{ID: "D2", Name: "atopic dermatitis", Synonyms: []string{"atopic eczema"}},
		{ID: "D3", Name: "tumor, gastric"},
		{ID: "D4", Name: "mitral stenosis"},
	})
}

// world returns n records for each of some definitions, with PMIDs from 1.
func world(n int) []*pubmed.Record {
	var records []*pubmed.Record
	for _, long := range []string{
		"Alzheimer's disease (AD)", "Alzheimer dementia (AD)", "atopic dermatitis (AD)", // D1, D1, D2
		"anaerobic digestion (AD)",                    // outside the dictionary
		"atopic dermatitis patients (AD)",             // like a name of the dictionary, and none
		"gastric tumours (GT)", "ground traffic (GT)", // D3, outside
		"mitral stenosis (MS)",                             // MS and AB are not ambiguous
		"aerosol beam (AB)", "air base (AB)", "(AB) none.", // no concept
	} {
		for range n {
			pmid := fmt.Sprint(len(records) + 1)
			records = append(records, &pubmed.Record{PMID: pmid, Version: 1, Title: "Title of " + pmid + ".", Sections: []pubmed.Section{
				{Text: "We looked at " + long + "."}, {Text: "Then AD, GT, MS and AB were seen, and ADs; again AD, GT, MS and AB."},
			}})
		}
	}
	return records
}

func makeGold(t *testing.T, c collector, records []*pubmed.Record) *gold {
	t.Helper()
	c.records = make(map[string]*record)
	for _, rec := range records {
		c.add(rec)
	}
	return c.gold(dictionary())
}

// TestGold counts the mentions of each sense: a fifth or so of 40 records each. The sense of
// Alzheimer disease has two long forms.
func TestGold(t *testing.T) {
	records := world(40)
	gold := makeGold(t, collector{Share: .2, Seed: 1}, records)
	heldOut := make(map[string]bool)
	for _, pmid := range gold.heldOut {
		heldOut[pmid] = true
	}
	type key struct{ short, ids, long string }
	got, want, seen := make(map[key]int), make(map[key]int), make(map[key]int)
	for i, k := range []key{
		{"AD", "[D1]", "Alzheimer dementia"}, {"AD", "[D1]", "Alzheimer dementia"}, {"AD", "[D2]", "atopic dermatitis"}, {"AD", "[]", "anaerobic digestion"}, {},
		{"GT", "[D3]", "gastric tumours"}, {"GT", "[]", "ground traffic"},
	} {
		for _, rec := range records[i*40 : i*40+40] {
			if heldOut[rec.PMID] {
				want[k]++
			} else {
				seen[k]++
			}
		}
	}
	delete(want, key{})
	outside := 0
	for _, doc := range gold.documents {
		if !heldOut[doc.ID] {
			t.Errorf("%s is not held out", doc.ID)
		}
		for _, m := range doc.Mentions {
			k := key{m.Of(doc.Text), fmt.Sprint(m.Concepts), m.Sense.LongForm}
			got[k]++
			must.Equal(t, m.Sense.Records, seen[k], k, "records that define it")
			if len(m.Concepts) == 0 {
				outside++
			}
		}
	}
	must.Equal(t, got, want)
	n := gold.counts
	total := 0
	for _, count := range want {
		total += count
	}
	if n["mentions"] != total || n["outside"] != outside || n["short forms"] != 2 || n["senses"] != 5 || n["unsure"] == 0 || n["held out"] != len(heldOut) || n["records"] != len(records) {
		t.Errorf("counts %+v", n)
	}
}

// checkHidden reports mentions whose text is not the short form, or that the document defines.
func checkHidden(t *testing.T, gold *gold) {
	t.Helper()
	if len(gold.documents) == 0 {
		t.Fatal("no documents")
	}
	for _, doc := range gold.documents {
		for _, m := range doc.Mentions {
			short := m.Of(doc.Text)
			if !normalize.LooksLikeShortForm(short) || strings.Contains(doc.Text, m.Sense.LongForm) {
				t.Errorf("%s: %q in %q", doc.ID, short, doc.Text)
			}
			for _, d := range abbrev.Find(doc.Text) {
				if normalize.SingularShortForm(d.Short.Of(doc.Text)) == short {
					t.Errorf("%s: %s is defined in %q", doc.ID, short, doc.Text)
				}
			}
		}
	}
}

func TestGoldHidesDefinitions(t *testing.T) {
	gold := makeGold(t, collector{Share: .5, Seed: 3}, world(20))
	checkHidden(t, gold)
	starts := make(map[int]bool) // of occurrences of AD: not always the first
	for _, doc := range gold.documents {
		for _, m := range doc.Mentions {
			if m.Of(doc.Text) == "AD" {
				starts[strings.Count(doc.Text[:m.Start], "AD")] = true
			}
		}
	}
	if len(starts) < 2 {
		t.Errorf("mentions are always occurrence %v", starts)
	}
}

// TestGoldDoesNotDependOnOrder shuffles the records, and adds an older version of one.
func TestGoldDoesNotDependOnOrder(t *testing.T) {
	records := world(12)
	o := collector{Share: .3, Seed: 2, PerSense: 3}
	want := makeGold(t, o, records)
	older := *records[0]
	older.Version, older.Title = 0, "Ground traffic (GT)."
	reversed := append(slices.Clone(records), &older)
	slices.Reverse(reversed)
	for _, other := range [][]*pubmed.Record{reversed, append(slices.Clone(records), &older)} {
		must.EqualBy(t, cmp.AllowUnexported(gold{}), makeGold(t, o, other), want)
	}
	perSense := make(map[string]int)
	for _, doc := range want.documents {
		for _, m := range doc.Mentions {
			perSense[m.Of(doc.Text)+fmt.Sprint(m.Concepts)]++
		}
	}
	for sense, n := range perSense {
		if n > 3 {
			t.Errorf("%d mentions of %s", n, sense)
		}
	}
	if want.counts["over the limit"] == 0 {
		t.Error("no mention is over the limit, so nothing was tested")
	}
	if other := makeGold(t, collector{Share: .3, Seed: 4, PerSense: 3}, records); slices.Equal(other.heldOut, want.heldOut) {
		t.Error("the seed does not change what is held out")
	}
}

// TestGoldLeavesOut has records that cannot be gold.
func TestGoldLeavesOut(t *testing.T) {
	var records []*pubmed.Record
	for i, body := range slices.Concat(
		slices.Repeat([]string{"Alzheimer disease (AD) is seen. AD is bad."}, 30),
		slices.Repeat([]string{"Anaerobic digestion (AD) is seen. AD is good."}, 30),
		slices.Repeat([]string{"Anaerobic digestion (AD) and Alzheimer disease (AD) are seen. AD is both."}, 30),
		slices.Repeat([]string{"Alzheimer disease (AD)-PK states, and anti-AD."}, 30),
		[]string{"Afternoon drizzle (AD) is seen. AD is wet."},
	) {
		records = append(records, &pubmed.Record{PMID: fmt.Sprint(i + 1), Version: 1, Title: body})
	}
	gold := makeGold(t, collector{Share: .9, Seed: 1}, records)
	checkHidden(t, gold)
	for _, doc := range gold.documents {
		if strings.Contains(doc.Text, "both") || strings.Contains(doc.Text, "anti") || strings.Contains(doc.Text, "wet") {
			t.Errorf("%q is gold", doc.Text)
		}
	}
	if n := gold.counts; n["contradictory"] == 0 || n["not mentioned"] == 0 || n["mentions"]+n["contradictory"]+n["not mentioned"]+n["rare"] != n["held out"] {
		t.Errorf("counts %+v", n)
	}
}
