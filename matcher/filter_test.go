package matcher

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// dropped returns the examples for each reason to drop names.
func dropped(r *FilterReport) map[Reason][]string {
	all := map[Reason][]string{}
	for _, d := range r.Dropped {
		if d.Count > 0 {
			all[d.Reason] = d.Examples
		}
	}
	return all
}

func TestNameFilter(t *testing.T) {
	d := dictionary(
		"D1: Disease | Diseases | Gout | 123 | — | x",
		"D2: Included | is | IS | Rare  disease",
		"D3: Acute lymphoblastic leukemia | ALL",
		"D4: gout | Stroke",
	)
	tests := []struct {
		name   string
		filter NameFilter
		want   FilterReport
		drops  map[Reason][]string
	}{
		{"zero", NameFilter{}, FilterReport{Names: 14, Kept: 13, Distinct: 11, Ambiguous: 1}, map[Reason][]string{
			reasonNoWord: {"—"},
		}},
		// 14 names minus —, 123, x, 3 general terms, Included, is, IS
		{"default", DefaultNameFilter(), FilterReport{Names: 14, Kept: 5, Distinct: 4, Ambiguous: 1, ExactCase: 1}, map[Reason][]string{
			reasonNoWord:     {"—"},
			reasonNumber:     {"123"},
			reasonTooShort:   {"x"},
			reasonGeneral:    {"Disease", "Diseases", "Rare  disease"},
			reasonCommonWord: {"Included", "is", "IS"},
		}},
		{"ambiguous", NameFilter{Ambiguous: true}, FilterReport{Names: 14, Kept: 11, Distinct: 10}, map[Reason][]string{
			reasonNoWord:    {"—"},
			reasonAmbiguous: {"Gout", "gout"},
		}},
		{"listed", NameFilter{MinLength: 4, Drop: []string{"STROKE"}, Keep: []string{"all"}},
			// minus —, Stroke, 123, x, is, IS
			FilterReport{Names: 14, Kept: 8, Distinct: 7, Ambiguous: 1}, map[Reason][]string{
				reasonNoWord:   {"—"},
				reasonListed:   {"Stroke"},
				reasonTooShort: {"123", "x", "is", "IS"},
			}},
	}
	for _, test := range tests {
		_, got, err := NewTagger(d, test.filter)
		must.Succeed(t, err)
		must.Equal(t, dropped(got), test.drops, test.name, "dropped")
		total := got.Kept
		for _, d := range got.Dropped {
			total += d.Count
		}
		must.Equal(t, total, got.Names, test.name, "names kept and dropped")
		got.Dropped = nil
		must.Equal(t, *got, test.want, test.name)
	}
}

// TestCaseRules checks the rule of each name, in a dictionary that has kept its case and in one that has lost it.
func TestCaseRules(t *testing.T) {
	withCase := dictionary(
		"D1: AIDS | Acquired Immunodeficiency Syndrome",
		"D2: Gout | TdP | MODY2 | flu | DIABETES MELLITUS | HIV infection",
	)
	lost := dictionary(
		"D1: aids | acquired immunodeficiency syndrome",
		"D2: gout | acne | mi | flu | rp1 | men 2 | dry eye | hsan2a | 病",
		"D3: pain | persistent aching finding", // has the letters of pain, two of them first
		"D4: all | leukemia, acute lymphoblastic | plan | neurodegeneration, pla2g6-associated",
		"D5: adhd | attention deficit hyperactivity disorder | copd | chronic obstructive pulmonary disease",
	)
	capital := dictionary("D1: GOUT", "D2: RIVER FEVER | LUNG CANCER", "D3: AIDS | ACQUIRED IMMUNODEFICIENCY SYNDROME",
		"D4: STAR", "D5: ear | p53", "D6: mi", "D7: Iron | IRON")
	for _, test := range []struct {
		dictionary *kb.Dictionary
		want       caseRule
		names      []string
	}{
		{withCase, exactCase, []string{"AIDS", "TdP", "MODY2"}},
		{withCase, anyCase, []string{"Gout", "flu", "DIABETES MELLITUS", "HIV infection"}},
		{lost, capitals, []string{"aids", "copd", "mi", "men 2", "adhd", "all", "plan"}},
		{lost, anyCase, []string{"gout", "acne", "flu", "dry eye", "hsan2a", "病", "pain", "rp1"}},
		{capital, anyCase, []string{"GOUT", "RIVER FEVER", "LUNG CANCER", "ear", "p53", "Iron"}},
		{capital, exactCase, []string{"AIDS", "STAR", "IRON"}},
		{capital, capitals, []string{"mi"}},
	} {
		for _, name := range test.names {
			found := false
			for i := range test.dictionary.Len() {
				if concept := test.dictionary.At(i); slices.Contains(concept.Names(), name) {
					found = true
					must.Equal(t, ruleOf(name, normalize.Normal(name), concept), test.want, name, "rule")
				}
			}
			if !found {
				t.Errorf("%q is not in the dictionary", name)
			}
		}
	}
}

// TestExtendedTagger adds names that would turn others into acronyms in a tagger of all names: "pain" gets a long form
// that it abbreviates.
func TestExtendedTagger(t *testing.T) {
	many := ""
	for i := range 200 {
		many += fmt.Sprintf(" | name number %d", i)
	}
	for _, test := range []struct {
		base, added, text string
		want              []string
	}{
		{"D1: MODY2 | Maturity onset diabetes", "D2: fever" + many, "MODY2 mody2 fever", []string{"MODY2=[D1]", "fever=[D2]"}},
		{"D1: pain | ache", "D1: persistent aching in nerves", "pain ache", []string{"pain=[D1]", "ache=[D1]"}},
		{"D1: gout | ache", "D1: mi", "mi MI gout", []string{"MI=[D1]", "gout=[D1]"}}, // as in a dictionary that has lost its case
	} {
		base := dictionary(test.base)
		tagger, _, err := NewExtendedTagger(t.Context(), dictionary(test.base, test.added), base, DefaultNameFilter())
		must.Succeed(t, err)
		must.Equal(t, show(tagger.Tag(nil, test.text), test.text), test.want, test.base, test.added)
	}
}

// TestNameFilterReal counts the mentions that the default filter removes for half of MEDIC.
func TestNameFilterReal(t *testing.T) {
	must.SkipShort(t)
	d := fixtures.HalfOfMEDIC(t)
	all, filtered := newTestTagger(t, d, NameFilter{}), newTestTagger(t, d, DefaultNameFilter())
	before, after := 0, 0
	for _, text := range fixtures.Abstracts(t, 500) {
		before += len(all.Tag(nil, text))
		after += len(filtered.Tag(nil, text))
	}
	if 10*after > 8*before || after == 0 { // with plurals, orders and spellings, which the unfiltered tagger lacks
		t.Errorf("%d mentions before filtering, %d after: want fewer than eight tenths", before, after)
	}
}

func TestIsVerb(t *testing.T) {
	for marked, want := range map[string]bool{
		"A straight line <fits> the points.":                 true,
		"Copper wire was <wound> around a magnet.":           true,
		"It would be <rash> to say so.":                      true,
		"This may <strain> your back.":                       true,
		"Lamps that do not <burn> out.":                      true,
		"They had to <stem> the flow.":                       true,
		"Mutations that <lead> to cancer.":                   true,
		"The girl had several <fits> with jerking arms.":     false,
		"After <stroke> the patients could not speak.":       false,
		"The <wound> the surgeon closed was deep.":           false,
		"The diagnosis was <shock> from loss of blood.":      false,
		"Exposure to <cold> air.":                            false,
		"Exposure to <lead> in paint.":                       false,
		"<Stroke> the arm.":                                  false,
		"Cold, <burn> the wood.":                             false,
		"A red <rash> spread over his chest.":                false,
		"He was in <shock> with a weak pulse and cold skin.": false,
		"<burn>": false,
	} {
		before, rest, _ := strings.Cut(marked, "<")
		word, after, _ := strings.Cut(rest, ">")
		at := text.Span{Start: len(before), End: len(before) + len(word)}
		must.Equal(t, IsVerb(before+word+after, at), want, "IsVerb", marked)
	}
}
