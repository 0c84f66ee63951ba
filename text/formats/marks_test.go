package formats

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseMarks(t *testing.T) {
	tests := []struct {
		marked, text string
		mentions     []string
		reason       string
	}{
		{"none", "none", nil, ""},
		{"[ENT] a b [/ENT]", "a b", []string{"a b"}, ""},
		{"[ENT]a[/ENT][ENT]b[/ENT]", "ab", []string{"a", "b"}, ""},
		{"x [ENT]   a  [/ENT] y", "x   a  y", []string{"a"}, ""}, // one space is removed with each mark
		{"日 [ENT] ï [/ENT]", "日 ï", []string{"ï"}, ""},
		{"[ENT a [/ENT", "[ENT a [/ENT", nil, ""},
		{"日 [/ENT]", "", nil, "[/ENT] at character 3 closes nothing"},
		{"[ENT] a [/ENT] [/ENT]", "", nil, "[/ENT] at character 16 closes nothing"},
		{"[ENT] a", "", nil, "[ENT] at character 1 is not closed"},
		{"[ENT] a [ENT] b [/ENT] [/ENT]", "", nil, "[ENT] at character 9 is inside another"},
		{"[ENT] \t [/ENT]", "", nil, "[ENT] at character 1 marks nothing"},
	}
	for _, test := range tests {
		text, mentions, reason := parseMarks(test.marked)
		if text != test.text || reason != test.reason {
			t.Errorf("%q: got %q, reason %q; want %q, %q", test.marked, text, reason, test.text, test.reason)
		}
		var found []string
		for _, m := range mentions {
			found = append(found, m.Of(text))
		}
		if diff := cmp.Diff(test.mentions, found); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.marked, diff)
		}
	}
}
