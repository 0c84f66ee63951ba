package kbfile

import (
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ctxnorm/ctxnorm/internal/input"
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
	{`["a\u0062",["D1"]]`, true},
	{`["a",[]]`, false}, // encoding/json parses this row and the next
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

// fastConcepts are lines and whether fastConcept parses them.
var fastConcepts = []struct {
	text string
	ok   bool
}{
	{`{"id":"D1","name":"asthma","synonyms":["Asthma, Bronchial","喘息"],"alt_ids":["O1"]}`, true},
	{`{ "types" : ["T047"], "shown_name":"Asthma", "parents":["D2"], "xrefs":["C1","C2"], "id" : "D1" } `, true},
	{`{"id":"D1","synonyms":[]}`, true},
	{`{"id":"D1","name":"a\"b"}`, true},
	{`{"id":222100}`, false}, // encoding/json parses this line and the next three
	{`{"id":"D1","name_held_out":true}`, false},
	{`{"id":"D1","Name":"a"}`, false},
	{`{"id":"D1","definition":"a disease"}`, false},
	{`{"id":"D1","name":"a","name":"b"}`, false}, // a member twice is an error
	{`{"id":"D1","name":"a"`, false},
	{`{"id":"D1"},`, false},
	{`{"id":"D1","synonyms":["a",["b"]]}`, false},
}

func TestFastConcept(t *testing.T) {
	for _, test := range fastConcepts {
		if ok := checkFastConcept(t, test.text); ok != test.ok {
			t.Errorf("fastConcept(%q): ok is %t, want %t", test.text, ok, test.ok)
		}
	}
}

// checkFastConcept compares the result of fastConcept with that of the decoder for all other lines.
func checkFastConcept(t *testing.T, text string) bool {
	t.Helper()
	got, ok := fastConcept(text)
	if !ok {
		return false
	}
	var want conceptJSON
	err := input.DecodeJSONMembers([]byte(text), &want, func(name string) { t.Errorf("%q: unknown member %s", text, name) })
	if err != nil {
		t.Fatalf("fastConcept accepts %q; encoding/json: %v", text, err)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("fastConcept(%q) (-json +fast):\n%s", text, diff)
	}
	return true
}

func FuzzFastConcept(f *testing.F) {
	for _, test := range fastConcepts {
		f.Add(test.text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkFastConcept(t, text) })
}
