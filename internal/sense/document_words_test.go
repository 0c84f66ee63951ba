package sense

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
)

// TestWordsAround compares the words around the mentions of a long document, as written and
// replaced, with those of the whole text read for each mention.
func TestWordsAround(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	alphabet := strings.Fields("severe chronic asthma of non hyper type I cancer's AD the Crohn's disease. Patients had gout")
	var b strings.Builder
	doc := &text.Document{}
	for range 800 {
		word := alphabet[r.IntN(len(alphabet))]
		if r.IntN(10) == 0 {
			doc.Mentions = append(doc.Mentions, text.Mention{Span: text.Span{Start: b.Len(), End: b.Len() + len(word)}})
		}
		b.WriteString(word + " ")
	}
	doc.Text = b.String()
	documents := NewDocuments()
	for i, m := range doc.Mentions {
		sentence := text.Span{Start: max(0, m.Start-30), End: min(len(doc.Text), m.End+30)}
		q := text.Query{Document: doc, Mention: m, Sentence: sentence}
		surface := q.Surface()
		if i%2 == 1 {
			surface = "axial dermatitis of type"
			q = q.WithSurface("another name")
			q = q.WithSurface(surface)
		}
		want := without(normalize.ContentWords(doc.Text[:m.Start]+surface+doc.Text[m.End:]), surface)
		if got := documents.WordsAround(&q); !slices.Equal(want, got) {
			t.Fatalf("%q at %d: words %q, want %q", surface, m.Start, got, want)
		}
	}
	if len(doc.Mentions) < 20 {
		t.Fatalf("only %d mentions", len(doc.Mentions))
	}
}
