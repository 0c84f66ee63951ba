package sense

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
)

// Documents counts the content words of the documents of mentions. It reads each document once for all of its mentions.
// It is safe for concurrent use.
type Documents struct {
	mu     sync.Mutex
	counts map[*text.Document]map[string]int
}

// NewDocuments returns an empty Documents.
func NewDocuments() *Documents { return &Documents{counts: make(map[*text.Document]map[string]int)} }

// Words returns the content words in the document of a mention, with their counts. If the text of the mention was
// replaced, for example by its long form, the words are those of the original document.
func (d *Documents) Words(q *text.Query) map[string]int {
	d.mu.Lock()
	defer d.mu.Unlock()
	q = cmp.Or(q.Original, q)
	counts := d.counts[q.Document]
	if counts == nil {
		counts = normalize.CountContentWords(q.Text)
		d.counts[q.Document] = counts
	}
	return counts
}

// WordsAround returns the distinct content words in the document of a mention, as stems in alphabetical order, without
// the words of the mention. If the text of the mention was replaced, it also leaves out words that occur only in the
// original mention.
func (d *Documents) WordsAround(q *text.Query) []string {
	counts, own := d.Words(q), normalize.ContentWords(q.Surface())
	var written map[string]int
	if q.Original != nil {
		written = normalize.CountContentWords(q.Original.Surface())
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(counts)), func(word string) bool {
		return slices.Contains(own, word) || counts[word] == written[word]
	})
}
