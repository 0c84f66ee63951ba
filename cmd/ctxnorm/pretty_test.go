package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/formats"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// spanOf returns the span of a substring that occurs once in a text.
func spanOf(whole, part string) text.Span {
	start := strings.Index(whole, part)
	return text.Span{Start: start, End: start + len(part)}
}

func TestPretty(t *testing.T) {
	const body = "Naïve RF;\nno breast and ovarian cancer\x1b[31m, gout."
	mention := func(surface string, candidates ...linked.Candidate) linked.Mention {
		return linked.Mention{Span: spanOf(body, surface), Text: surface, Candidates: candidates}
	}
	abbreviated := mention("RF", linked.Candidate{
		Concept: "D1", Name: "renal failure", MatchedName: "kidney failure", Probability: .876,
	})
	abbreviated.ResolvedText = "renal failure"
	composite := mention("breast and ovarian cancer")
	composite.Negated = true
	composite.SubMentions = []linked.SubMention{
		{Text: "breast cancer", Candidates: []linked.Candidate{{Concept: "D2", Name: "cancer", MatchedName: "cancer"}}},
		{Text: "ovarian cancer", Broader: &linked.Broader{Concept: "D2", Name: "cancer", Probability: .36}},
	}
	gout := mention("gout")
	gout.Broader = &linked.Broader{Concept: "D3", Name: "arthritis", Probability: .29} // too improbable to show
	gout.Source, gout.RecognitionScore, gout.OtherPerson = linked.SourceRecognized, .5, true
	var out bytes.Buffer
	w := pretty.New(&out, formats.WriterOptions{})
	doc := &linked.Document{Text: body, Mentions: []linked.Mention{abbreviated, composite, gout}}
	must.Succeed(t, w.Write(&formats.Record{Unnamed: true}, doc))
	must.Succeed(t, w.Close())
	want := "Naïve [RF = renal failure]; no breast and ovarian cancer [31m, gout.\n" +
		fmt.Sprintf("%-40s", " → D1 renal failure, 0.88") + " · name: kidney failure\n" +
		"Naïve RF; no [breast and ovarian cancer] [31m, gout.\n" +
		fmt.Sprintf("%-40s", " → D2 cancer (negated)") + " · name: cancer\n" +
		" → NIL: no concept of the dictionary fits; perhaps a kind of D2 cancer, 0.36 (negated)\n" +
		"Naïve RF; no breast and ovarian cancer [31m, [gout].\n" +
		" → NIL: no concept of the dictionary fits (recognized 0.50, other person)\n"
	must.Equal(t, out.String(), want)
}

func TestPrettyEvidence(t *testing.T) {
	sentence := func(pmid, whole, name string) linked.Evidence {
		return linked.Evidence{PMID: pmid, Text: whole, Span: spanOf(whole, name)}
	}
	name, mined := linked.Evidence{Text: "gout"}, linked.Evidence{Text: "Podagra", Source: "podagra (gout)"}
	for _, test := range []struct {
		name     string
		evidence []linked.Evidence
		want     string
	}{
		{"a name alone", []linked.Evidence{name}, "name: gout"},
		{"the first sentence", []linked.Evidence{name, sentence("5", "A gout.", "gout"), sentence("6", "The gout.", "gout")}, "5: A [gout]."},
		{"a document of a file", []linked.Evidence{sentence("a.txt:3", "A gout.", "gout")}, "a.txt:3: A [gout]."},
		{"a mined name alone", []linked.Evidence{mined, sentence("5", "A gout.", "gout")}, "name found in the corpus: Podagra (podagra (gout))"},
		{"the sentence with the mined name",
			[]linked.Evidence{mined, sentence("5", "A gout.", "gout"), sentence("6", "The podagra.", "podagra")}, "6: The [podagra]."},
		{"the sentence that it was mined from",
			[]linked.Evidence{mined, sentence("6", "The podagra.", "podagra"), sentence("7", "A podagra (gout).", "podagra")}, "7: A [podagra] (gout)."},
		// The prefix takes 3 of the 30 characters and the mention 6, which leaves 21: the 2 before, and 19 of those
		// after it.
		{"a long sentence", []linked.Evidence{sentence("5", "A gout that has been there for years.", "gout")}, "5: A [gout] that has been the…"},
	} {
		must.Equal(t, evidenceOf(&linked.Candidate{Evidence: test.evidence}, 30), test.want, test.name)
	}
}
