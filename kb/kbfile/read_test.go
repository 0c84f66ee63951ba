package kbfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/kb"
)

type ids = []kb.ConceptID

func concepts(d *kb.Dictionary) []kb.Concept {
	var all []kb.Concept
	for _, c := range d.All() {
		all = append(all, *c)
	}
	return all
}

func TestMaxErrorsLimitsListNotCount(t *testing.T) {
	_, report, err := Read(writeFile(t, "bad.csv", "id,name\nC1,a\n"+strings.Repeat(",b\n", 30)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Errors) != maxErrors || report.BadRows != 30 {
		t.Errorf("%d errors listed of %d malformed rows, want %d of 30", len(report.Errors), report.BadRows, maxErrors)
	}
}

// writeFile writes a file to a temporary folder and returns its path.
func writeFile(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestOBOValues leaves qualifiers and comments out of values, and keeps braces of names.
func TestOBOValues(t *testing.T) {
	for value, want := range map[string]string{
		`X:2 {source="A \"b\" {c}", cardinality="1"} ! comment`: "X:2", `X:2 ! comment {x="y"}`: "X:2", `X:2 {x="y"}`: "X:2",
		`acid {bound} form`: "acid {bound} form", `acid {a=b}`: "acid {a=b}", `what! now`: "what! now", `a\{b\!c`: "a{b!c",
	} {
		if got := oboValue(value); got != want {
			t.Errorf("%s: %q, want %q", value, got, want)
		}
	}
}
