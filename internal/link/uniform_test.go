package link

import (
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/text"
)

// isWord stands for the vocabulary in these tests.
func isWord(word string) bool {
	return word == "pressure" || word == "hypertension" || word == "gastrointestinal"
}

// A uniform text has the same letters, and each of its spans maps to the right place in the original.
func TestUniform(t *testing.T) {
	const shown = "high blood pressure"
	for _, test := range []struct{ written, mention, uniform, found string }{
		{"A high blood pressure.", "high blood pressure", "A high blood pressure.", "high blood pressure"},
		{"A\u00a0high\u2009blood\u3000pressure.", "high\u2009blood\u3000pressure", "A high blood pressure.", "high\u2009blood\u3000pressure"},
		{"A high\r\nblood\rpressure\r\n\r\n.", "high\r\nblood\rpressure", "A high\nblood\npressure\n\n.", "high\r\nblood\rpressure"},
		{"\ufeffA \u200bhi\u00adgh blood pres\u200bsure\u00ad.", "\u200bhi\u00adgh blood pres\u200bsure\u00ad", "A high blood pressure.", "hi\u00adgh blood pres\u200bsure"},
		{"A\u2029high\u0085blood\fpressure\v", "high\u0085blood\fpressure", "A\n\nhigh\nblood pressure\n", "high\u0085blood\fpressure"},
		{"E\u0301 x\u0323\u0307 high blood\u00a0pressure e\u0301", "high blood\u00a0pressure", "É \u1e8b\u0323 high blood pressure é", "high blood\u00a0pressure"},
		{"A high blood pres-\n  sure.", "high blood pres-\n  sure", "A high blood pressure.", "high blood pres-\n  sure"},
		{"A high blood pres\u00ad\r\nsure.", "high blood pres\u00ad\r\nsure", "A high blood pressure.", "high blood pres\u00ad\r\nsure"},
		{"A <b>high</b><br>blood&nbsp;pres<i>sure</i>.", "high</b><br>blood&nbsp;pres<i>sure</i>", "A high\nblood pressure.", "high</b><br>blood&nbsp;pres<i>sure"},
		{"&#233;&amp;lt; high bl<SUB>oo</SUB>d p&#114;essur&#101; a<5 & b", "high bl<SUB>oo</SUB>d p&#114;essur&#101;", "é< high blood pressure a<5 & b",
			"high bl<SUB>oo</SUB>d p&#114;essur&#101;"},
		{"A\thigh blood pressure", "high blood pressure", "A\thigh blood pressure", "high blood pressure"},
	} {
		start := strings.Index(test.written, test.mention)
		given := text.Span{Start: start, End: start + len(test.mention)}
		doc := &text.Document{ID: "d", Text: test.written, Mentions: []text.Mention{{Span: given, Fragments: []text.Span{given}}}}
		uniform, back := Uniform(doc, isWord)
		if uniform.Text != test.uniform || doc.Text != test.written || doc.Mentions[0].Start != start {
			t.Errorf("%q is %q, want %q, and the document itself is %+v", test.written, uniform.Text, test.uniform, doc)
		}
		m := uniform.Mentions[0]
		if got := strings.Join(strings.Fields(m.Of(uniform.Text)), " "); got != shown || m.Fragments[0] != m.Span {
			t.Errorf("%q: the mention is %q with the fragments %v", test.written, got, m.Fragments)
		}
		must.Equal(t, back == nil, test.written == test.uniform, test.written, "the text is changed")
		found := FindIn(doc, isWord, func(doc *text.Document) *text.Document {
			return &text.Document{ID: doc.ID, Text: doc.Text, Mentions: []text.Mention{{Span: m.Span}}}
		})
		if got := found.Mentions[0].Of(found.Text); got != test.found || found.Text != test.written {
			t.Errorf("%q: found %q, want %q", found.Text, got, test.found)
		}
	}
}

// A hyphen at the end of a line is removed if the word without it is known.
func TestBrokenWords(t *testing.T) {
	for _, test := range []struct{ written, uniform string }{
		{"hyper-\ntension", "hypertension"},
		{"Hyper-\r\n\ttension", "Hypertension"},
		{"HYPER-\nTENSION", "HYPERTENSION"},
		{"hy\u200bper-\nten\u200dsion", "hypertension"}, // with invisible characters
		{"hyper\u2010\ntension", "hypertension"},
		{"hyper- tension", "hypertension"}, // another tool turned the line end into a space
		{"high-grade gastro-\nintestinal", "high-grade gastrointestinal"},
		{"beta-\nblocker", "beta-\nblocker"}, // not a word without its hyphen
		{"hyper- and hypotension", "hyper- and hypotension"},
		{"hyper-\n\ntension", "hyper-\n\ntension"}, // another paragraph
		{"hyper-\nTension", "hyper-\nTension"},     // a heading or a name
		{"hyper -\ntension", "hyper -\ntension"},   // a dash
		{"hyper-tension", "hyper-tension"},
		{"hyper-\n-\ntension", "hyper-\n-\ntension"},
		{"wor\u00ad\nld", "world"}, // a soft hyphen needs no vocabulary
		{"a list\u00ad\n- b", "a list\n- b"},
		{"-\n", "-\n"},
	} {
		uniform, back := Uniform(&text.Document{Text: test.written}, isWord)
		if uniform.Text != test.uniform || (back == nil) != (test.written == test.uniform) {
			t.Errorf("%q is %q, want %q", test.written, uniform.Text, test.uniform)
		}
		form, _ := keyForm(test.written)
		if again, _ := keyForm(test.uniform); form != again {
			t.Errorf("the key of %q is %q, and that of its uniform form %q", test.written, form, again)
		}
	}
}

// A document whose mention ends between a letter and its mark stays unchanged.
func TestUniformCutLetter(t *testing.T) {
	doc := &text.Document{Text: "e\u0301a\u00a0b", Mentions: []text.Mention{{Span: text.Span{Start: 0, End: 1}}}}
	if uniform, back := Uniform(doc, isWord); uniform != doc || back != nil {
		t.Errorf("the document is %q", uniform.Text)
	}
}

// FuzzUniform checks that spans of the text and of the uniform text denote the same places, for every pair of
// boundaries of hostile texts.
func FuzzUniform(f *testing.F) {
	f.Add("a\r\n\u00ade\u0301 \u00a0\u2029b")
	f.Add("hyper-\ntension, pres-\r\n sure\u00ad\nof")
	f.Add("<p>a&eacute;\u0301<br/>\n&nbsp;hyper-\ntension</p>&amp;#769;")
	f.Add("</A>&amp;")
	f.Add("\u00ad\u00ad\u0301\ufe0f\xff\r")
	f.Fuzz(func(t *testing.T, s string) {
		doc := &text.Document{Text: s}
		uniform, back := Uniform(doc, isWord)
		if back == nil {
			if uniform.Text != s {
				t.Fatalf("%q is %q without a way back", s, uniform.Text)
			}
			return
		}
		_, changes := makeUniform(s, isWord)
		for start := 0; start <= len(uniform.Text); start++ {
			for end := start; end <= min(start+20, len(uniform.Text)); end++ {
				span := text.Span{Start: start, End: end}
				written := back(span)
				if written.Start < 0 || written.Start > written.End || written.End > len(s) {
					t.Fatalf("%q: %v of %q is %v", s, span, uniform.Text, written)
				}
				again, ok := changes.uniformSpan(written)
				if !ok || start < end && (again.Start > start || again.End < end) {
					t.Fatalf("%q: %v of %q is %v, and that is %v (%t)", s, span, uniform.Text, written, again, ok)
				}
			}
		}
	})
}
