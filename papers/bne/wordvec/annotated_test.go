package wordvec

import (
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

func TestAnnotatedSentence(t *testing.T) {
	// mark makes a mention of each [name|concept,concept|text].
	mark := func(marked string) *text.Document {
		doc := &text.Document{}
		for {
			before, rest, found := strings.Cut(marked, "[")
			doc.Text += before
			if !found {
				return doc
			}
			inside, after, _ := strings.Cut(rest, "]")
			fields := strings.SplitN(inside, "|", 3)
			m := text.Mention{Name: fields[0], Span: text.Span{Start: len(doc.Text), End: len(doc.Text) + len(fields[2])}}
			if fields[1] != "" {
				for id := range strings.SplitSeq(fields[1], ",") {
					m.Concepts = append(m.Concepts, kb.ConceptID(id))
				}
			}
			doc.Text += fields[2]
			doc.Mentions = append(doc.Mentions, m)
			marked = after
		}
	}
	overlapping := mark("Acute [heart attack|D1|heart attack] today")
	overlapping.Mentions = append(overlapping.Mentions, text.Mention{Name: "attack today", Span: text.Span{Start: 12, End: 24}})

	for _, test := range []struct {
		doc         *text.Document
		left, right string // sequences; one if they are the same
	}{
		{
			mark("After [heart attack|D1|Heart-Attacks], died."), // the paper's w_l w_1 w_2 w_r
			"after name:heart_attack concept:D1 heart attacks died",
			"after heart attacks name:heart_attack concept:D1 died",
		},
		{
			mark("[flu|D2|Flu] and [cold|D3,D4|cold] and [nil||Xyz]"),
			"name:flu concept:D2 flu and name:cold cold and name:nil xyz",
			"flu name:flu concept:D2 and cold name:cold and xyz name:nil",
		},
		{
			overlapping,
			"acute name:heart_attack concept:D1 heart attack today",
			"acute heart attack name:heart_attack concept:D1 today",
		},
		{mark("No name here."), "no name here", "no name here"},
		{mark("[|D1|Gold] only"), "gold only", "gold only"},
		{mark(""), "", ""},
	} {
		both := test.left + " | " + test.right
		if test.left == test.right {
			both = test.left
		}
		for annotated, want := range map[bool]string{false: strings.Join(Words(test.doc.Text), " "), true: both} {
			var got []string
			for sequence := range Text(func(yield func(*text.Document, error) bool) { yield(test.doc, nil) }, annotated) {
				for i, token := range sequence {
					sequence[i] = strings.ReplaceAll(token, " ", "_")
				}
				got = append(got, strings.Join(sequence, " "))
			}
			must.Equal(t, strings.Join(got, " | "), want, test.doc.Text, "annotated", annotated)
		}
	}
}
