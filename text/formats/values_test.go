package formats

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/kb"
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

type ids = []kb.ConceptID

func TestParseIDs(t *testing.T) {
	tests := []struct {
		text      string
		ids       ids
		composite bool
	}{
		{"", nil, false},
		{"-", nil, false},
		{"-1", nil, false},
		{"D001943", ids{"D001943"}, false},
		{" OMIM:312080 ", ids{"OMIM:312080"}, false},
		{"Asthma", ids{"Asthma"}, false},
		{"D001943|D010051", ids{"D001943", "D010051"}, true},
		{"D002544|-1", ids{"D002544"}, true},
		{"D001943,D010051", ids{"D001943", "D010051"}, true},
		{"D007153+D040181", ids{"D007153", "D040181"}, false},
		{"672;675", ids{"672", "675"}, false},
		{"c|DEL|4153|A", ids{"c|DEL|4153|A"}, false},
		{"c|SUB|G|IVS9+9|A", ids{"c|SUB|G|IVS9+9|A"}, false},
	}
	for _, test := range tests {
		got, composite := parseIDs(test.text)
		if !cmp.Equal(test.ids, got) || composite != test.composite {
			t.Errorf("%q: got %q, composite %t; want %q, %t", test.text, got, composite, test.ids, test.composite)
		}
	}
}

func TestLinkTemplates(t *testing.T) {
	for _, test := range []struct{ template, id, want string }{
		{"https://example.org/{id}", "JOB:4", "https://example.org/JOB%3A4"},
		{"https://example.org/jobs?n={local}", "JOB:4", "https://example.org/jobs?n=4"},
		{"https://example.org/{prefix}_{local}", "JOB:4:5", "https://example.org/JOB_4%3A5"},
		{"https://example.org/{prefix}_{local}", "4", ""},
		{"https://example.org/{local}", "4", "https://example.org/4"},
		{"https://example.org/{id}", `a b+c/"ä"`, "https://example.org/a%20b%2Bc%2F%22%C3%A4%22"},
		{"https://example.org/{local}", "JOB:", ""},
		{"", "JOB:4", ""},
	} {
		if test.template != "" {
			if parsed, err := ParseLinkTemplates(map[string]string{"concept": test.template}); err != nil || parsed.Concept != test.template {
				t.Errorf("%s is parsed as %q, %v", test.template, parsed, err)
			}
		}
		if got := linkAddress(test.template, test.id); got != test.want {
			t.Errorf("%s of %s is %s, want %s", test.template, test.id, got, test.want)
		}
	}
	for _, test := range []struct{ kind, template, want string }{
		{"pmid", "https://example.org/{id}", `"pmid" is no kind of identifier, want concept or document`},
		{"document", "javascript:alert({id})", `document is "javascript:alert({id})", want an address of http or https, such as https://example.org/{id}`},
		{"concept", "/{id}", `concept is "/{id}", want an address of http or https, such as https://example.org/{id}`},
		{"concept", "https://{prefix}.example.org/{local}", `concept is "https://{prefix}.example.org/{local}", want {id}, {prefix} and {local} behind the host`},
		{"concept", "https://{id}@example.org/", `concept is "https://{id}@example.org/", want {id}, {prefix} and {local} behind the host`},
		{"concept", "https://example.org:{id}/", `concept is "https://example.org:{id}/", want an address of http or https, such as https://example.org/{id}`},
		{"concept", "http{local}://example.org/", `concept is "http{local}://example.org/", want an address of http or https, such as https://example.org/{id}`},
		{"concept", "https://example.org/", `concept is "https://example.org/", want an address with {id} or {local}`},
		{"concept", "https://example.org/{ID}", `concept is "https://example.org/{ID}", want {id}, {prefix} or {local} in place of {ID}`},
	} {
		_, err := ParseLinkTemplates(map[string]string{test.kind: test.template})
		if err == nil || err.Error() != test.want {
			t.Errorf("%s of a %s: error %v, want %s", test.template, test.kind, err, test.want)
		}
	}
}
