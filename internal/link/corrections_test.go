package link

import (
	"strings"
	"testing"
	"time"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// queryOf returns the mention from start to end of a document of one sentence.
func queryOf(doc *text.Document, start, end int) text.Query {
	return text.Query{Document: doc, Sentence: text.Span{End: len(doc.Text)},
		Mention: text.Mention{Span: text.Span{Start: start, End: end}}}
}

// correctedQuery returns the mention of a wording, where it first stands in a text of one sentence, with a concept.
func correctedQuery(s, wording string, concept kb.ConceptID) text.Exemplar {
	start := strings.Index(s, wording)
	q := queryOf(&text.Document{Text: s}, start, start+len(wording))
	q.Mention.Concepts = []kb.ConceptID{concept}
	return text.Exemplar{Query: q}
}

// Mentions in two sentences and in two texts by turns find the corrections of their own.
func TestCorrectionsByTurns(t *testing.T) {
	dict := organDictionary()
	concept := dict.At(0).ID
	finder := correctionFinder{dictionary: dict, Corrections: NewCorrections(
		[]text.Exemplar{correctedQuery("The CD rose.", "CD", concept)}, []text.Exemplar{correctedQuery("no CD", "CD", concept)})}
	const first, second = "A low CD. ", "The\u00a0CD rose."
	doc := &text.Document{Text: first + second}
	inFirst, inSecond := queryOf(doc, 6, 8), queryOf(doc, len(first)+5, len(first)+7)
	inFirst.Sentence.End, inSecond.Sentence.Start = len(first), len(first)
	single, other := queryOf(&text.Document{Text: "no CD"}, 3, 5), queryOf(&text.Document{Text: "CD CD"}, 3, 5)
	for round := range 2 {
		for name, test := range map[string]struct {
			q    text.Query
			want bool
		}{"first": {inFirst, false}, "second": {inSecond, true}, "single": {single, true}, "other text": {other, false}} {
			if found := finder.find(&test.q) != nil; found != test.want {
				t.Errorf("round %d, %s: the mention %q is corrected: %t", round, name, test.q.Surface(), found)
			}
		}
	}
}

// 40,000 mentions in one sentence of 200 kB take time by its length.
func TestCorrectionsInTime(t *testing.T) {
	const mentions, word = 40_000, "gout "
	dict := organDictionary()
	finder := correctionFinder{dictionary: dict,
		Corrections: NewCorrections([]text.Exemplar{correctedQuery("A low CD.", "CD", dict.At(0).ID)}, nil)}
	doc := &text.Document{Text: strings.Repeat(word, mentions)}
	begin := time.Now()
	for i := range mentions {
		q := queryOf(doc, i*len(word), (i+1)*len(word)-1)
		if finder.find(&q) != nil {
			t.Fatal("a mention is corrected")
		}
	}
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("took %v", took)
	}
}
