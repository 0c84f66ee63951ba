package contrastive

import (
	"fmt"

	"ctxnorm"
)

// Item is something a batch can hold: an exemplar, by what identifies it and
// the concepts it may be drawn for.
type Item struct {
	// Key identifies the item. Items of one key are one item. Batches depend
	// on keys and not on the order of items.
	Key      string
	Concepts []ctxnorm.ConceptID
	// Name is the dictionary name that the item shows. The two items of a pair have
	// different names where their concept's items do.
	Name string
}

// Items makes an item of each exemplar, in their order. The key is made of the
// document's ID, the sentence and where the mention stands in it.
func Items(exemplars []ctxnorm.Exemplar) []Item {
	items := make([]Item, len(exemplars))
	for i := range exemplars {
		e := &exemplars[i]
		sentence := ctxnorm.Hash(0, e.Sentence.Of(e.Text)) // 64 bits, so that a key does not hold the text
		items[i] = Item{
			Key:      fmt.Sprintf("%s %016x %d-%d", e.ID, sentence, e.Mention.Start-e.Sentence.Start, e.Mention.End-e.Sentence.Start),
			Concepts: e.Mention.Concepts,
			Name:     e.Mention.Name,
		}
	}
	return items
}
