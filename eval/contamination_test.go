package eval

import (
	"errors"
	"iter"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/text"
)

func TestFindContamination(t *testing.T) {
	set := smallSet()
	gold := smallGold(t, set)
	view := NewDictionaryView(smallDictionary(), set)
	corpus := []*text.Document{
		{ID: "7", Text: "Breast and ovarian cancers recur in many women, of any age"}, // a sentence of 101 with another ID
		{ID: "102", Text: "Another sentence of the document."},
		{ID: "103", Text: "A mystery syndrome."}, // three words are too few
		{ID: "102", Text: "The same document once more."},
	}
	got := must.Get(FindContamination(gold.Mentions, view, sequenceOf(corpus, nil)))
	want := &Contamination{
		Documents: 3, SharedDocuments: []string{"102", "103"},
		Sentences: 1, SharedSentences: 1, // the one with 8 words or more
		Mentions: 10, SeenMentions: 5,
		SurfaceForms: 9, SeenSurfaceForms: 4, // AD is a mention twice
	}
	must.Equal(t, got, want)

	fault := errors.New("the disk failed")
	_, err := FindContamination(gold.Mentions, view, sequenceOf(corpus, fault))
	must.FailWith(t, err, fault)
}

// sequenceOf yields the documents and then the error, if there is one.
func sequenceOf(docs []*text.Document, fault error) iter.Seq2[*text.Document, error] {
	return func(yield func(*text.Document, error) bool) {
		for _, doc := range docs {
			if !yield(doc, nil) {
				return
			}
		}
		if fault != nil {
			yield(nil, fault)
		}
	}
}
