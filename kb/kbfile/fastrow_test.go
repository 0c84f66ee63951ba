package kbfile

import (
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// fastRows are rows and whether fastNameRow parses them.
var fastRows = []struct {
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
	{`["a\u0062",["D1"]]`, false}, // encoding/json parses this row and the next two
	{`["a",[]]`, false},
	{`["a",[222100]]`, false},
	{"[\"a\tb\",[\"D1\"]]", false},
	{`["a`, false},
	{``, false},
}

func TestFastNameRow(t *testing.T) {
	for _, test := range fastRows {
		if ok := checkFastRow(t, test.text); ok != test.ok {
			t.Errorf("fastNameRow(%q): ok is %t, want %t", test.text, ok, test.ok)
		}
	}
}

// checkFastRow compares the result of fastNameRow with encoding/json.
func checkFastRow(t *testing.T, text string) bool {
	t.Helper()
	name, ids, ok := fastNameRow(text)
	if !ok {
		return false
	}
	wantName, wantIDs, err := anyNameRow(text)
	if err != nil {
		t.Fatalf("fastNameRow accepts %q; encoding/json: %v", text, err)
	}
	if diff := cmp.Diff(wantIDs, ids); name != wantName || diff != "" {
		t.Fatalf("fastNameRow(%q) has the name %q, want %q; ids (-json +fast):\n%s", text, name, wantName, diff)
	}
	return true
}

func FuzzFastNameRow(f *testing.F) {
	for _, test := range fastRows {
		f.Add(test.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if utf8.ValidString(text) { // other lines are rejected before
			checkFastRow(t, text)
		}
	})
}
