package dictionary

import (
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// plainRows are rows and whether plainRow reads them.
var plainRows = []struct {
	text string
	ok   bool
}{
	{`["asthma", ["D001249"]]`, true},
	{`[ "a" ,["D1","D2" , "D3"] ] `, true},
	{`["症状","D1"]`, true},
	{`["",[""]]`, true},
	{`["a","D1"`, false},
	{`["a",["D1"]`, false},
	{`["a",["D1",]]`, false},
	{`["a",["D1"]] x`, false},
	{`["a","D1","D2"]`, false},
	{`["a\u0062",["D1"]]`, false}, // encoding/json reads this and the next two
	{`["a",[]]`, false},
	{`["a",[222100]]`, false},
	{"[\"a\tb\",[\"D1\"]]", false},
	{`["a`, false},
	{``, false},
}

func TestPlainRow(t *testing.T) {
	for _, test := range plainRows {
		if ok := checkPlainRow(t, test.text); ok != test.ok {
			t.Errorf("plainRow(%q) says %t, want %t", test.text, ok, test.ok)
		}
	}
}

// checkPlainRow holds what plainRow reads against encoding/json.
func checkPlainRow(t *testing.T, text string) bool {
	t.Helper()
	name, ids, ok := plainRow(text)
	if !ok {
		return false
	}
	wantName, wantIDs, err := jsonRow(text)
	if err != nil {
		t.Fatalf("plainRow reads %q; encoding/json: %v", text, err)
	}
	if diff := cmp.Diff(wantIDs, ids); name != wantName || diff != "" {
		t.Fatalf("plainRow(%q) has the name %q, want %q; ids (-json +plain):\n%s", text, name, wantName, diff)
	}
	return true
}

func FuzzPlainRow(f *testing.F) {
	for _, test := range plainRows {
		f.Add(test.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if utf8.ValidString(text) { // as every line is that comes here
			checkPlainRow(t, text)
		}
	})
}
