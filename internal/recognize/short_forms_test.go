package recognize

import (
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/text"
)

// TestShortForms shows found mentions in braces, before and after.
func TestShortForms(t *testing.T) {
	r := newRules("renal fever syndrome", "", "", "")
	for _, test := range []struct{ before, want string }{
		{"{renal fever} (RF) and RF", "{renal fever} ({RF}) and {RF}"},
		{"renal frog ({RF}) and {RF}", "renal frog (RF) and RF"},
		{"{renal fever (RF) syndrome} and RF syndrome, RF", "{renal fever (RF) syndrome} and {RF syndrome}, RF"},
		{"RF (renal fever), {RF}", "RF (renal fever), {RF}"},
		{"{renal fever} (RF), ready frog (RF), {RF}", "{renal fever} (RF), ready frog (RF), RF"}, // the last one decides
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
		for _, f := range r.shortForms(body.String(), definitionsIn(body.String()), all) {
			got += body.String()[done:f.Start] + "{" + f.Of(body.String()) + "}"
			done = f.End
		}
		if got += body.String()[done:]; got != test.want {
			t.Errorf("%s: %s, want %s", test.before, got, test.want)
		}
	}
}
