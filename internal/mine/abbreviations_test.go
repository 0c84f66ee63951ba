package mine

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// defined returns a definition that occurs in the given number of records.
func defined(short, long string, records int) corpus.SynonymPairCount {
	return corpus.SynonymPairCount{SynonymPair: corpus.SynonymPair{Kind: kindAbbreviation, Left: short, Right: long}, Records: records}
}

func TestAbbreviationTable(t *testing.T) {
	pairs := []corpus.SynonymPairCount{
		defined("AP", "action potential", 3),
		defined("APs", "Action Potentials", 4), // plural of the same short form
		defined("AP", "action-potential", 1),
		defined("AP", "anterior pituitary", 2),
		defined("ap", "apical", 5), // another short form
		{SynonymPair: corpus.SynonymPair{Kind: kindBracket, Left: "AP", Right: "acute pain"}, Records: 9},
	}
	table := NewAbbreviationTable(pairs)
	want := AbbreviationTable{
		{"AP", []LongForm{
			{"Action Potentials", 8, .8}, // 3 + 4 + 1 of 3 + 4 + 1 + 2
			{"anterior pituitary", 2, .2},
		}},
		{"ap", []LongForm{{"apical", 5, 1}}},
	}
	must.EqualBy(t, cmpopts.EquateApprox(0, 1e-12), table, want, "entries")
	for _, c := range []struct {
		short string
		first string // long form, or empty
	}{
		{"AP", "Action Potentials"}, {"APs", "Action Potentials"}, {"ap", "apical"},
		{"aps", ""}, {"Ap", ""}, {"s", ""}, {"", ""},
	} {
		first := ""
		if long := table.Lookup(c.short).Long; len(long) > 0 {
			first = long[0].Text
		}
		must.Equal(t, first, c.first, "Lookup", c.short, "returns first")
	}

	random := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		random.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
		again := NewAbbreviationTable(pairs)
		if diff := cmp.Diff(table, again); diff != "" {
			t.Fatalf("pairs in another order (-want +got):\n%s", diff)
		}
	}

	long := []LongForm{{"long", 1, 1}}
	must.Succeed(t, table.Check())
	for _, bad := range []AbbreviationTable{{{"B", long}, {"A", long}}, {{"A", long}, {"A", long}}, {{"A", nil}}} {
		must.Fail(t, bad.Check(), "", bad, "no error")
	}
}

func TestVariantKey(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Action-Potentials", "action potential"},
		{"Allergies of babies", "allergy of baby"},
		{"Virus, pelvis and loss", "virus pelvis and loss"},
		{"Ménière's", "meniere s"},
		{"AIDS", "aids"}, // too short to be a plural
		{"(?)", ""},
	} {
		must.Equal(t, variantKey(c.text), c.want, "variantKey", c.text)
	}
}
