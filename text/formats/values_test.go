package formats

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

type ids = []kb.ConceptID

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
		{"pmid", "https://example.org/{id}", `"pmid" is not a kind of identifier, want concept or document`},
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
		if err == nil || err.Error() != "WriterOptions.Links: "+test.want {
			t.Errorf("%s of a %s: error %v, want %s", test.template, test.kind, err, test.want)
		}
	}
}

// fragmented returns a mention whose fragments are these words of a text, in order.
func fragmented(content string, words ...string) text.Mention {
	var m text.Mention
	at := 0
	for _, word := range words {
		start := at + strings.Index(content[at:], word)
		at = start + len(word)
		m.Fragments = append(m.Fragments, text.Span{Start: start, End: at})
	}
	m.Span = text.Span{Start: m.Fragments[0].Start, End: at}
	if len(words) == 1 {
		m.Fragments = nil
	}
	return m
}

// TestWriteFragments writes discontinuous mentions to new and existing files, and reads both. PubTator has none.
func TestWriteFragments(t *testing.T) {
	const content = "Naïve breast and\novarian 😀 cancer, left or right lung."
	record := NewRecord(&text.Document{ID: "1", Text: content, Mentions: []text.Mention{
		fragmented(content, "breast", "😀 cancer"), fragmented(content, "breast and\novarian", "cancer"), fragmented(content, "left", "lung"),
	}})
	doc := linkTo(record, func(i int) kb.ConceptID { return kb.ConceptID(fmt.Sprintf("D%d", i)) })
	for i := range doc.Mentions {
		doc.Mentions[i].Fragments = record.Mentions[i].Fragments
	}
	for _, format := range []Format{JSONL, BioC, BioCJSON, BRAT} {
		t.Run(string(format), func(t *testing.T) {
			read := reread(t, format, []*linkedTo{doc})
			again := linkTo(read[0], func(i int) kb.ConceptID { return kb.ConceptID(fmt.Sprintf("E%d", i)) })
			for i := range again.Mentions {
				again.Mentions[i].Fragments = read[0].Mentions[i].Fragments
			}
			for _, r := range []*Record{read[0], reread(t, format, []*linkedTo{again})[0]} {
				for i, m := range r.Mentions {
					if want := record.Mentions[i]; m.Span != want.Span || !slices.Equal(m.Fragments, want.Fragments) {
						t.Errorf("mention %+v, want %+v", m, want)
					}
				}
			}
		})
	}
	if read := reread(t, PubTator, []*linkedTo{doc}); len(read[0].Mentions) != 3 || read[0].Mentions[2].Of(read[0].Text) != "left or right lung" {
		t.Errorf("PubTator: %+v, want the mentions with what is between their fragments", read[0].Mentions)
	}
}
