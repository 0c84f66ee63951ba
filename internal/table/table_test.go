package table

import (
	"slices"
	"testing"
)

func TestSniff(t *testing.T) {
	isHeader := func(cells []string) bool { return slices.Contains(cells, "id") && len(cells) > 1 }
	for text, want := range map[string]string{
		"id,name\nD1,a;b\n":                        ",",
		"id;name\nD1;a, b\n":                       ";",
		"a list of rivers\n\nid\tname\nD1\ta, b\n": "\t",
		"rivers, of 2020\nid,name\n":               "", // two cells, and no title
		"id;name":                                  ";",
		"one\ntwo\n":                               "",
	} {
		if got := Sniff([]byte(text), isHeader); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	words := NewWords([]Word[int]{{1, "id code* q#"}, {2, "*name"}, {3, "*syn*"}})
	for name, want := range map[string]int{"ID": 1, "Code_2": 1, "Full Name": 2, "mesh-synonyms": 3, "ids": 0, "Q12": 1} {
		if got, found := words.Role(Plain(name)); got != want || found != (want > 0) {
			t.Errorf("%s: %d, %t, want %d", name, got, found, want)
		}
	}
}
