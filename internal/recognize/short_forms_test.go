package recognize

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/text"
)

// The last of many definitions counts as the first does.
func TestShortFormsOfMany(t *testing.T) {
	const many = 20_000
	var body strings.Builder
	var definitions []abbrev.Definition
	var all []found
	span := func(s string) text.Span {
		start := body.Len()
		body.WriteString(s)
		return text.Span{Start: start, End: body.Len()}
	}
	for i := range many {
		long := span("renal fever")
		body.WriteString(" (")
		definitions = append(definitions, abbrev.Definition{Long: long, Short: span(fmt.Sprintf("R%05d", i))})
		body.WriteString("). ")
		all = append(all, found{long, .5})
	}
	last := span(fmt.Sprintf("R%05d", many-1))
	got := newRules("", "", "", "").shortForms(body.String(), definitions, all)
	if len(got) != 2*many+1 || got[2*many] != (found{last, .5}) {
		t.Errorf("%d mentions, the last is %v; want %d, and %v", len(got), got[len(got)-1], 2*many+1, last)
	}
}

// A text that changes its mind about one short form at every turn takes no time by the square of its length.
func TestShortFormsAlternating(t *testing.T) {
	body := strings.Repeat("renal fever (RF) ready frog (RF) ", 20_000)
	var all []found
	for at := 0; at < len(body); at += len(body) / 20_000 {
		all = append(all, found{text.Span{Start: at, End: at + len("renal fever")}, .5})
	}
	definitions := abbrev.Find(body)
	if len(definitions) != 40_000 {
		t.Fatalf("%d definitions, want 40,000", len(definitions))
	}
	if got := newRules("", "", "", "").shortForms(body, definitions, all); len(got) != 20_000 {
		t.Errorf("%d mentions, want 20,000: %d passes end with what is no mention", len(got), maxPasses)
	}
}

// Short forms are those of a search of all mentions, over texts of a few words by chance.
func TestShortFormsPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	r := newRules("renal fever syndrome", "", "", "")
	parts := []string{"renal fever (RF)", "real fury (RF)", "renal gout (RG)", "RF", "RG", "RF syndrome", "syndrome", ".", "fever", "gout"}
	for range 3000 {
		var words []string
		for range 1 + random.IntN(25) {
			words = append(words, parts[random.IntN(len(parts))])
		}
		body := strings.Join(words, " ")
		var all []found
		for i := range random.IntN(len(words)) { // from the start of a word to the end of one
			tokens := tokenize(body, text.Span{End: len(body)})
			first := random.IntN(len(tokens))
			last := min(first+random.IntN(6), len(tokens)-1)
			all = append(all, found{text.Span{Start: tokens[first].Start, End: tokens[last].End}, float64(i)})
		}
		definitions := abbrev.Find(body)
		want := r.plainShortForms(body, definitions, slices.Clone(all))
		if diff := gocmp.Diff(want, r.shortForms(body, definitions, all), gocmp.AllowUnexported(found{}), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%q with %v (-plain +got):\n%s", body, all, diff)
		}
	}
}

// plainShortForms is shortForms without an index.
func (r *Recognizer) plainShortForms(body string, definitions []abbrev.Definition, all []found) []found {
	for _, d := range definitions {
		if d.Short.Start < d.Long.End {
			continue
		}
		mostBehind := d.Long.Start + longStartBehind
		var whole, around *found
		for _, f := range all {
			if f.End == d.Long.End && f.Start >= d.Long.Start-longStartBefore && f.Start <= mostBehind {
				whole = &f
			}
			if f.Start <= mostBehind && f.End > d.Short.End {
				around = &f
			}
		}
		for _, o := range abbrev.SpansOf(body, d.Short.Of(body)) {
			overlaps := func(f found) bool { return f.Start < o.End && o.Start < f.End }
			switch {
			case whole == nil && around != nil:
				x := newMentionIndex(all)
				r.shortOfPart(body, &d, *around, o, x)
				all = x.mentions()
			case whole == nil:
				all = slices.DeleteFunc(all, func(f found) bool { return f.Span == o })
			case !slices.ContainsFunc(all, overlaps):
				all = append(all, found{o, whole.score})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Or(a.Start-b.Start, a.End-b.End) })
	return all
}
