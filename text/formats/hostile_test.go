package formats

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// hostileTexts are texts that break the syntax of some format. In each, the mention is between the broken bars, which
// are removed.
var hostileTexts = []string{
	"Page one.\f¦asthma¦\x00 and \x0b\x1f more", "\x01¦a\x02b¦", "tab\t¦as\tthma¦\tend", "line\n¦as\nthma¦\nend", "CRLF\r\n¦as\r\nthma¦\r\nend", "CR\r¦as\rthma¦\rend",
	"line separators \u2028¦as\u2029thma¦\u0085", "no characters \ufffe¦a\uffffb¦", "\ufeffmark ¦asthma¦", "1|t|title ¦asthma¦\n2|a|abstract", "-DOCSTART- ¦-DOCSTART-¦ -DOCSTART- (x)",
	"# ¦comment¦", "He had ¦A-T¦, it's non-¦small-cell¦.", "]]> <!-- ¦<b>&amp;¦ -->", "=cmd|'¦=1+1¦", "\"quoted ¦\"asthma\"¦, \"", "T1\tDisease 0 4\t¦asthma¦", "¦asthma (A-T)¦.",
	"Dr. ¦Smith. His¦ disease", "1\t¦O¦", "naïve ¦😀 日本¦", "(¦asthma¦)", "{\"text\": ¦\"a\"¦}", "'¦apostrophe¦", "<¦tag¦/>", "[ENT] ¦asthma¦",
}

// hostileDocuments returns a document for each of the texts, with types that break syntax, linked to a concept.
func hostileDocuments(concept func(i int) kb.ConceptID) (docs []*linkedTo) {
	types := []string{"Disease", "a\tb", "a\n2|t|x", "", "O", "a|b", "\x00\x1f", "<x>", "-", "T 1"}
	for i, marked := range hostileTexts {
		doc := &text.Document{ID: fmt.Sprintf("d%d", i)}
		for n, piece := range strings.Split(marked, "¦") {
			if start := len(doc.Text); n%2 == 1 {
				doc.Mentions = append(doc.Mentions, text.Mention{Span: text.Span{Start: start, End: start + len(piece)}, Type: types[i%len(types)]})
			}
			doc.Text += piece
		}
		docs = append(docs, linkTo(NewRecord(doc), func(int) kb.ConceptID { return concept(i) }))
	}
	return docs
}

// spaces replaces each of the characters in s by a space.
func spaces(s, characters string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(characters, r) {
			return ' '
		}
		return r
	}, s)
}

// TestHostile writes documents that break syntax in each document format and reads the result: each mention must have
// its words and concept, and each text its characters, except those that the format cannot hold.
func TestHostile(t *testing.T) {
	const controls, breaks = "\x00\x01\x02\x0b\x0c\x1f", "\t\n\r\u0085\u2028\u2029"
	xmlText := func(s string) string {
		return strings.NewReplacer("\ufffe", "\ufffd", "\uffff", "\ufffd").Replace(spaces(s, controls))
	}
	words := func(s string) string { return strings.Join(strings.Fields(xmlText(s)), " ") }
	for format, as := range map[Format]func(s string) string{
		JSONL:    func(s string) string { return s },
		BioC:     xmlText,
		BioCJSON: func(s string) string { return s },
		PubTator: func(s string) string { return spaces(xmlText(s), breaks) },
		BRAT:     func(s string) string { return strings.Replace(xmlText(s), "\ufeff", "\u2060", 1) },
		CoNLL:    nil, // words
	} {
		t.Run(string(format), func(t *testing.T) {
			docs := hostileDocuments(func(i int) kb.ConceptID { return kb.ConceptID(fmt.Sprintf("D%d", i)) })
			if format == JSONL {
				docs = docs[:len(docs)-1] // the last document contains that format's own mark
			}
			read := reread(t, format, docs)
			if len(read) != len(docs) {
				t.Fatalf("%d documents, want %d", len(read), len(docs))
			}
			for i, doc := range docs {
				got, want := read[i], doc.Record
				if as != nil && strings.TrimSuffix(got.Text, " ") != strings.TrimSuffix(as(want.Text), " ") {
					t.Errorf("text %q, want %q", got.Text, as(want.Text))
				}
				if len(got.Mentions) != len(want.Mentions) {
					t.Errorf("%q: mentions %+v, want %d", doc.Text, got.Mentions, len(want.Mentions))
					continue
				}
				for k, m := range got.Mentions {
					wantWords := words(want.Mentions[k].Of(want.Text))
					if words(m.Of(got.Text)) != wantWords && wantWords != docStart {
						t.Errorf("mention %q, want %q", m.Of(got.Text), wantWords)
					}
					if concepts := m.Concepts; format != JSONL && !slices.Equal(concepts, ids{kb.ConceptID(fmt.Sprintf("D%d", i))}) {
						t.Errorf("%q: concepts %q", doc.Text, concepts)
					}
				}
			}
		})
	}
}

// TestHostileElsewhere reads the written files with readers other than ctxnorm's.
func TestHostileElsewhere(t *testing.T) {
	docs := hostileDocuments(func(int) kb.ConceptID { return "D1" })
	t.Run("encoding/xml", func(t *testing.T) {
		var collection struct {
			Documents []struct {
				Passage struct {
					Text        string `xml:"text"`
					Annotations []struct {
						Text string `xml:"text"`
					} `xml:"annotation"`
				} `xml:"passage"`
			} `xml:"document"`
		}
		if err := xml.Unmarshal([]byte(written(t, BioC, docs...)), &collection); err != nil || len(collection.Documents) != len(docs) {
			t.Fatalf("%d documents, %v, want %d", len(collection.Documents), err, len(docs))
		}
	})
	t.Run("encoding/json", func(t *testing.T) {
		for _, content := range append(strings.Split(strings.TrimSuffix(written(t, JSONL, docs...), "\n"), "\n"), written(t, BioCJSON, docs...), written(t, FHIR, docs...)) {
			if !json.Valid([]byte(content)) {
				t.Errorf("not JSON: %q", content)
			}
		}
	})
	codes := hostileDocuments(func(int) kb.ConceptID { return "4" }) // as in OMOP
	mentions := 0
	for _, doc := range codes {
		for i := range doc.Document.Mentions {
			doc.Document.Mentions[i].Candidates[0].Xrefs = ids{"SNOMED:4"}
		}
		mentions += len(doc.Mentions)
	}
	for _, c := range []struct {
		format Format
		comma  rune
		first  string
		least  int // rows
	}{
		{CSV, ',', "document", mentions + 1}, {TSV, '\t', "document", mentions + 1}, {OMOP, ',', "source_code", len(codes) / 2},
		{Usagi, ',', "sourceCode", len(codes) / 2}, {SSSOM, '\t', "subject_label", len(codes)},
	} {
		r := csv.NewReader(strings.NewReader(written(t, c.format, codes...)))
		if r.Comma = c.comma; c.format == SSSOM {
			r.Comment = '#'
		}
		if rows, err := r.ReadAll(); err != nil || len(rows) < c.least || rows[0][0] != c.first {
			t.Errorf("%s: %d rows, %v, of %d documents", c.format, len(rows), err, len(codes))
		}
	}
	t.Run("HTML has no markup of texts", func(t *testing.T) {
		page := written(t, HTML, docs...)
		for _, markup := range []string{"<tag", "]]> <!--", "<x>"} {
			if strings.Contains(page, markup) {
				t.Errorf("the page has %s", markup)
			}
		}
	})
	t.Run("PubTator by lines and tabs", func(t *testing.T) {
		for line := range strings.SplitSeq(written(t, PubTator, docs...), "\n") {
			cells := strings.Split(line, "\t")
			if line == "" || strings.Count(line, "|") >= 2 && len(cells) == 1 {
				continue
			}
			_, errStart := strconv.Atoi(cells[1])
			if len(cells) != 6 || errStart != nil || cells[5] != "D1" {
				t.Errorf("line %q, want six cells, the last D1", line)
			}
		}
	})
	t.Run("CoNLL by lines and tabs", func(t *testing.T) {
		for line := range strings.SplitSeq(written(t, CoNLL, docs...), "\n") {
			if line != "" && strings.Count(line, "\t") != 2 {
				t.Errorf("line %q, want three cells", line)
			}
		}
	})
}

// TestIDsWithSeparators checks that concepts that would be read as others are refused, and that two ids stay two.
func TestIDsWithSeparators(t *testing.T) {
	for _, c := range []struct {
		ids     []kb.ConceptID
		refused []Format
	}{
		{ids: ids{"D1"}}, {ids: ids{"D1", "D2"}}, {ids: ids{"gout", "asthma"}}, {ids: ids{"HP:0001", "ORPHA:2"}}, {ids: ids{"http://x.example/a,b"}}, {ids: ids{"c|DEL|12|A"}},
		{ids: ids{"A1|B2"}, refused: []Format{PubTator, BioC, BioCJSON, CoNLL}}, {ids: ids{"1;2"}, refused: []Format{PubTator, BioC, BioCJSON, CoNLL}},
		{ids: ids{"A 1"}, refused: []Format{CoNLL, BRAT}}, {ids: ids{"A\t1"}, refused: []Format{CoNLL, BRAT, PubTator}}, {ids: ids{"-"}, refused: []Format{PubTator, BioC, BioCJSON, CoNLL}},
	} {
		for _, format := range []Format{PubTator, BioC, BioCJSON, CoNLL, BRAT} {
			doc := linkTo(NewRecord(&text.Document{ID: "1", Text: "a tumor", Mentions: []text.Mention{{Span: text.Span{Start: 2, End: 7}, Type: "D"}}}), func(int) kb.ConceptID { return "x" })
			m := &doc.Mentions[0]
			best := m.Candidates[0]
			m.Candidates, m.SubMentions = nil, nil
			for _, id := range c.ids {
				best.Concept = id
				m.SubMentions = append(m.SubMentions, newSubMention(best))
			}
			var b bytes.Buffer
			w := must.Get(NewWriter(&b, format))
			err := w.Write(doc.Record, doc.Document)
			if refused := slices.Contains(c.refused, format); (err != nil) != refused {
				t.Errorf("%s, %q: error %v, want one: %t", format, c.ids, err, refused)
			} else if !refused {
				if diff := cmp.Diff(ids(c.ids), ids(reread(t, format, []*linkedTo{doc})[0].Mentions[0].Concepts)); diff != "" {
					t.Errorf("%s (-written +read):\n%s", format, diff)
				}
			}
		}
	}
}
