package eval

import (
	"errors"
	"iter"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ctxnorm"
)

func TestFindLeak(t *testing.T) {
	ids := smallIDs()
	gold := smallGold(t, ids)
	known := NewKnown(smallDictionary(), ids)
	text := []*ctxnorm.Document{
		{ID: "7", Text: "Breast and ovarian cancers recur in many women, of any age"}, // a sentence of 101 under another ID
		{ID: "102", Text: "Another sentence of the document."},
		{ID: "103", Text: "A mystery syndrome."}, // of three words, which prove nothing
		{ID: "102", Text: "The same document once more."},
	}
	got, err := FindLeak(gold.Items, known, documentsOf(text, nil))
	if err != nil {
		t.Fatal(err)
	}
	want := &Leak{
		Documents: 3, SharedDocuments: []string{"102", "103"},
		Sentences: 1, SharedSentences: 1, // the one with 8 words or more
		Mentions: 10, SeenMentions: 5,
		Wordings: 9, SeenWordings: 4, // AD is there twice
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	fault := errors.New("disk on fire")
	if _, err := FindLeak(gold.Items, known, documentsOf(text, fault)); !errors.Is(err, fault) {
		t.Errorf("error %v, want %v", err, fault)
	}
}

// documentsOf gives the documents and then the fault, if there is one.
func documentsOf(docs []*ctxnorm.Document, fault error) iter.Seq2[*ctxnorm.Document, error] {
	return func(yield func(*ctxnorm.Document, error) bool) {
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
