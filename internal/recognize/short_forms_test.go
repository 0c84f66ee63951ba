package recognize

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/text"
)

// found mentions are in braces before and after.
func TestShortForms(t *testing.T) {
	r := newRules("renal fever syndrome", "", "", "")
	for _, test := range []struct{ before, want string }{
		{"{renal fever} (RF) and RF", "{renal fever} ({RF}) and {RF}"},
		{"renal frog ({RF}) and {RF}", "renal frog (RF) and RF"},
		{"{renal fever (RF) syndrome} and RF syndrome, RF", "{renal fever (RF) syndrome} and {RF syndrome}, RF"},
		{"RF (renal fever), {RF}", "RF (renal fever), {RF}"},
		{"{renal fever} (RF), ready frog (RF), {RF}", "{renal fever} (RF), ready frog (RF), RF"}, // the last decides
		{"{renal fever} (RF), {acute RF}", "{renal fever} ({RF}), {acute RF}"},
	} {
		var body strings.Builder
		var all []found
		for i, part := range strings.Split(test.before, "{") {
			inside, behind, ok := strings.Cut(part, "}")
			if start := body.Len(); ok {
				all = append(all, found{text.Span{Start: start, End: start + len(inside)}, float64(i)})
			}
			body.WriteString(inside + behind)
		}
		got, done := "", 0
		for _, f := range r.shortForms(body.String(), abbrev.Find(body.String()), all) {
			got += body.String()[done:f.Start] + "{" + f.Of(body.String()) + "}"
			done = f.End
		}
		if got += body.String()[done:]; got != test.want {
			t.Errorf("%s: %s, want %s", test.before, got, test.want)
		}
	}
}

// Many definitions take no time by the square of their number: 20,000 short forms, and one that is defined 40,000 times.
func TestShortFormsOfMany(t *testing.T) {
	for _, test := range []struct {
		body string
		want int
	}{
		{"renal fever (R%05d). ", 40_000}, {"renal fever (RF) ready frog (RF) ", 20_000},
	} {
		var body strings.Builder
		var definitions []abbrev.Definition
		var all []found
		for i := range 20_000 {
			start := body.Len()
			part := test.body
			if strings.Contains(part, "%") {
				part = fmt.Sprintf(part, i)
			}
			body.WriteString(part)
			all = append(all, found{text.Span{Start: start, End: start + len("renal fever")}, .5})
			for _, d := range abbrev.Find(part) {
				d.Long.Start, d.Long.End = d.Long.Start+start, d.Long.End+start
				d.Short.Start, d.Short.End = d.Short.Start+start, d.Short.End+start
				definitions = append(definitions, d)
			}
		}
		if strings.Contains(test.body, "%") { // they are no initials
			definitions = definitions[:0]
			for _, f := range all {
				definitions = append(definitions, abbrev.Definition{Long: f.Span, Short: text.Span{Start: f.End + 2, End: f.End + 8}})
			}
		}
		if got := newRules("", "", "", "").shortForms(body.String(), definitions, all); len(got) != test.want {
			t.Errorf("%s: %d mentions, want %d", test.body, len(got), test.want)
		}
	}
}
