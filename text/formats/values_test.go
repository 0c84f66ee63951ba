package formats

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
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

// fragmented returns a mention of the fragments of a text that are these words, in order.
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

// TestFragments finds discontinuous mentions.
func TestFragments(t *testing.T) {
	const content = "Naïve breast and\novarian cancer, left or right lung."
	for _, c := range []struct {
		name    string
		ranges  [][2]int // code points
		stated  string   // empty for none
		want    text.Mention
		problem string
	}{
		{"two", [][2]int{{6, 12}, {25, 31}}, "breast cancer", fragmented(content, "breast", "cancer"), ""},
		{"three", [][2]int{{6, 12}, {25, 31}, {47, 51}}, "breast cancer lung", fragmented(content, "breast", "cancer", "lung"), ""},
		{"no text", [][2]int{{33, 37}, {47, 51}}, "", fragmented(content, "left", "lung"), ""},
		{"not in order", [][2]int{{47, 51}, {33, 37}}, "lung left", fragmented(content, "left", "lung"), ""},
		{"the text between them, too", [][2]int{{33, 37}, {47, 51}}, "left or right lung", fragmented(content, "left or right lung"), ""},
		{"side by side", [][2]int{{41, 46}, {47, 51}}, "right lung", fragmented(content, "right lung"), ""},
		{"on two lines", [][2]int{{13, 16}, {17, 24}}, "and ovarian", fragmented(content, "and\novarian"), ""},
		{"on two lines, and more", [][2]int{{6, 12}, {13, 16}, {17, 24}, {47, 51}}, "breast and ovarian lung", fragmented(content, "breast and\novarian", "lung"), ""},
		{"normalized", [][2]int{{6, 12}, {25, 31}}, "Breast Cancer", fragmented(content, "breast", "cancer"), ""},
		{"an ellipsis", [][2]int{{6, 12}, {25, 31}, {47, 51}}, "breast [...] cancer ... lung", fragmented(content, "breast", "cancer", "lung"), ""},
		{"an ellipsis between other words", [][2]int{{6, 12}, {25, 31}}, "breast [...] lung", text.Mention{},
			`mention at 6-31: the mention says "breast [...] lung", the text "breast cancer"`},
		{"an ellipsis in one fragment", [][2]int{{6, 16}}, "breast ... and", text.Mention{},
			`mention at 6-16: the mention says "breast ... and", the text "breast and"`},
		{"overlapping", [][2]int{{6, 16}, {13, 24}}, "", text.Mention{}, "mention at 6-24: want fragments that do not overlap"},
		{"another text", [][2]int{{6, 12}, {25, 31}}, "lung cancer", text.Mention{}, `mention at 6-31: the mention says "lung cancer", the text "breast cancer"`},
		{"empty", [][2]int{{6, 6}, {25, 31}}, "", text.Mention{}, "mention at 6-6: want a range within the 52 characters of the text"},
	} {
		where := place{ranges: c.ranges}
		if c.stated != "" {
			where.text = &c.stated
		}
		m, _, reason := new(file).spans(content).find(where)
		if reason != c.problem || reason == "" && !cmp.Equal(c.want, m) {
			t.Errorf("%s: %+v, %s; want %+v, %s", c.name, m, reason, c.want, c.problem)
		}
	}
}

// TestWriteFragments writes discontinuous mentions anew and fills them in, and reads both. PubTator has no fragments.
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

// TestOnceCRLF finds mentions whose offsets count CR LF as one character, if their texts say so.
func TestOnceCRLF(t *testing.T) {
	const content = "Dé 1\r\n\r\nriver\r\nfever 😀.\r\nNo flood.\r\n" // of one character each: 0 to 3, then 4, 5, 6 to 10, 11, 12 to 16
	for _, c := range []struct {
		ranges       [][2]int
		stated, want string
	}{
		{[][2]int{{6, 11}}, "river", "river"},
		{[][2]int{{6, 17}}, "river fever", "river\r\nfever"},
		{[][2]int{{6, 11}, {12, 17}}, "river fever", "river\r\nfever"},
		{[][2]int{{6, 11}, {21, 26}}, "river flood", ""}, // the text says "No fl"
		{[][2]int{{6, 11}, {24, 29}}, "river flood", "river flood"},
		{[][2]int{{8, 13}}, "river", "river"}, // as they are
		{[][2]int{{7, 12}}, "river", ""},
	} {
		m, _, reason := new(file).spans(content).find(place{c.ranges, &c.stated})
		if reason == "" && m.Of(content) != c.want || (reason == "") != (c.want != "") {
			t.Errorf("%v %q: mention %q, %s; want %q", c.ranges, c.stated, m.Of(content), reason, c.want)
		}
	}
}
