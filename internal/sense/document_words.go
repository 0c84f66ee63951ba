package sense

import (
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
)

// Documents finds the content words of the documents of mentions. It reads each document
// once, for all of its mentions. It is safe for concurrent use.
type Documents struct {
	mu      sync.Mutex
	texts   map[*text.Document]*normalize.TextWords
	without map[documentSurface][]string
}

type documentSurface struct {
	document *text.Document
	surface  string
}

// NewDocuments returns a Documents that has read none.
func NewDocuments() *Documents {
	return &Documents{texts: make(map[*text.Document]*normalize.TextWords), without: make(map[documentSurface][]string)}
}

// Words returns the content words of the whole document of a mention, those of the mention
// included.
func (d *Documents) Words(q *text.Query) normalize.EditedWords {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.words(q)
}

func (d *Documents) words(q *text.Query) normalize.EditedWords {
	original := q.Original
	if original == nil {
		original = q
	}
	words := d.texts[original.Document]
	if words == nil {
		words = normalize.NewTextWords(original.Text)
		d.texts[original.Document] = words
	}
	if original == q {
		return words.Words()
	}
	return words.Replace(original.Mention.Span, q.Surface())
}

// WordsAround returns the distinct content words of the whole document of a mention, as
// stems in alphabetical order, without the words of the mention. Mentions may share what it
// returns, so it must not be changed.
func (d *Documents) WordsAround(q *text.Query) []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	surface := q.Surface()
	own := normalize.ContentWords(surface)
	if q.Original != nil {
		return d.words(q).Without(own)
	}
	key := documentSurface{q.Document, surface}
	around, known := d.without[key]
	if !known {
		around = d.words(q).Without(own)
		d.without[key] = around
	}
	return around
}
