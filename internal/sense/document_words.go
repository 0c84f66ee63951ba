package sense

import (
	"maps"
	"slices"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
)

// Documents counts the content words of the documents of mentions. It reads each document once, for all of its
// mentions. It is safe for concurrent use.
type Documents struct {
	mu     sync.Mutex
	counts map[*text.Document]map[string]int
	around map[documentSurface][]string
}

type documentSurface struct {
	document *text.Document
	surface  string
}

// NewDocuments returns a Documents that has read none.
func NewDocuments() *Documents {
	return &Documents{counts: make(map[*text.Document]map[string]int), around: make(map[documentSurface][]string)}
}

// Words returns how often each content word stands in the document of a mention. Where the mention was replaced, as by
// its long form, the words are those of the document as it was written.
func (d *Documents) Words(q *text.Query) map[string]int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if q.Original != nil {
		q = q.Original
	}
	counts := d.counts[q.Document]
	if counts == nil {
		counts = normalize.CountContentWords(q.Text)
		d.counts[q.Document] = counts
	}
	return counts
}

// WordsAround returns the distinct content words of the document of a mention, as stems in alphabetical order, without
// the words of the mention and, if it was replaced, those that stand in the mention as written alone. Mentions may share
// what it returns, so it must not be changed.
func (d *Documents) WordsAround(q *text.Query) []string {
	counts := d.Words(q)
	own, written := normalize.ContentWords(q.Surface()), map[string]int(nil)
	key := documentSurface{q.Document, q.Surface()}
	if q.Original != nil {
		written = normalize.CountContentWords(q.Original.Surface())
		key = documentSurface{q.Original.Document, q.Original.Surface() + "\n" + q.Surface()}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	around, known := d.around[key]
	if !known {
		around = slices.DeleteFunc(slices.Sorted(maps.Keys(counts)), func(word string) bool {
			return slices.Contains(own, word) || counts[word] == written[word]
		})
		d.around[key] = around
	}
	return around
}
