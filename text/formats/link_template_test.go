package formats

import "testing"

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
