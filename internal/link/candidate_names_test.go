package link

import (
	"math/rand/v2"
	"testing"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// A candidate is shown by a name that people use, and by the one that is like the mention;
// neither is empty, also where the model lost all names of the concept.
func TestCandidateNames(t *testing.T) {
	dict := kb.NewDictionary([]kb.Concept{
		{ID: "MI", Synonyms: []string{"myocardial infarction, susceptibility to, 1, included", "myocardial infarction", "heart attack"}},
		{ID: "T2", Name: "diabetes mellitus, type 2"},
		{ID: "X"},
	})
	mentions := []linked.Mention{{Text: "heart attacks", Candidates: []linked.Candidate{{Concept: "MI"}, {Concept: "T2"}, {Concept: "X"}, {Concept: "gone"}}}}
	want := []struct{ name, matched string }{
		{"myocardial infarction", "heart attack"},
		{"diabetes mellitus, type 2", "diabetes mellitus, type 2"}, // it has no other
		{"X", "X"},
		{"gone", "gone"},
	}
	NameCandidates(mentions, dict)
	for i, c := range mentions[0].Candidates {
		if c.Name != want[i].name || c.MatchedName != want[i].matched {
			t.Errorf("%s: name %q, matched %q; want %q, %q", c.Concept, c.Name, c.MatchedName, want[i].name, want[i].matched)
		}
	}
}

// TestTrigrams compares Dice's coefficient of packed trigrams with that of strings, counted one by one.
func TestTrigrams(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 4))
	letters := []rune("aab é\U0010FFFF\x00")
	word := func() string {
		runes := make([]rune, r.IntN(9))
		for i := range runes {
			runes[i] = letters[r.IntN(len(letters))]
		}
		return string(runes)
	}
	grams := func(s string) map[string]int {
		counts := make(map[string]int)
		runes := []rune(" " + s + " ")
		for i := 0; i+3 <= len(runes); i++ {
			counts[string(runes[i:i+3])]++
		}
		return counts
	}
	for range 5000 {
		a, b := word(), word()
		common, total := 0, 0
		in := grams(b)
		for gram, n := range grams(a) {
			common, total = common+min(n, in[gram]), total+n
		}
		for _, n := range in {
			total += n
		}
		want := 1.
		if total > 0 {
			want = 2 * float64(common) / float64(total)
		}
		if got := dice(appendTrigrams(nil, a), appendTrigrams([]trigram{7}, b)[1:]); got != want {
			t.Fatalf("%q and %q: %g, want %g", a, b, got, want)
		}
	}
}
