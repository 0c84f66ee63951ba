package eval

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"ctxnorm"
	"ctxnorm/corpus/annotated"
	"ctxnorm/link"
)

// Item is an annotated mention and what the annotators say it names.
type Item struct {
	Query   ctxnorm.Query
	Gold    []ctxnorm.ConceptID // concepts of the evaluated set, sorted and distinct
	Outside []ctxnorm.ConceptID // annotated identifiers that name no concept of the set
}

// InSet reports whether the mention names a concept of the evaluated set.
func (item *Item) InSet() bool { return len(item.Gold) > 0 }

// Parts is the number of concepts that the mention names together: 2 for
// "breast and ovarian cancer", 1 for a mention that is not composite.
func (item *Item) Parts() int {
	if !item.Query.Mention.Composite {
		return 1
	}
	return max(1, len(item.Gold)+len(item.Outside))
}

// Gold is what annotated files hold.
type Gold struct {
	Files []string
	Types []string // the entity types that were taken; none for all
	Items []Item
	Skip  []error // records that could not be read
}

// ReadGold reads annotated files in any format of package annotated. Of the
// mentions those with one of the entity types are taken, or all where no types
// are given; a document that comes twice is taken once.
func ReadGold(files, types []string, ids *IDs) (*Gold, error) {
	gold := &Gold{Files: files, Types: types}
	r := goldReader{gold: gold, ids: ids, documents: make(map[string]bool), types: make(map[string]bool)}
	for _, file := range files {
		if err := r.read(file); err != nil {
			return nil, err
		}
	}
	if len(gold.Items) == 0 {
		return nil, r.nothing()
	}
	return gold, nil
}

type goldReader struct {
	gold      *Gold
	ids       *IDs
	documents map[string]bool // that were read, by ID and text
	types     map[string]bool // of all mentions that were read
}

func (r *goldReader) read(file string) error {
	in, err := annotated.Open(file, annotated.Options{})
	if err != nil {
		return err
	}
	defer in.Close()
	for {
		doc, err := in.Next()
		var bad *annotated.RecordError
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &bad):
			r.gold.Skip = append(r.gold.Skip, bad)
			continue
		case err != nil:
			return err
		}
		if key := doc.ID + "\n" + doc.Text; !r.documents[key] {
			r.documents[key] = true
			r.add(doc)
		}
	}
}

func (r *goldReader) add(doc *ctxnorm.Document) {
	for _, q := range link.Queries(doc) {
		r.types[q.Mention.Type] = true
		if len(r.gold.Types) > 0 && !slices.Contains(r.gold.Types, q.Mention.Type) {
			continue
		}
		in, outside := r.ids.Split(q.Mention.Concepts)
		r.gold.Items = append(r.gold.Items, Item{q, in, outside})
	}
}

// nothing says why there are no items.
func (r *goldReader) nothing() error {
	files := strings.Join(r.gold.Files, ", ")
	if len(r.types) == 0 {
		return fmt.Errorf("%s: no mention in %d documents that could be read (%d records could not)", files, len(r.documents), len(r.gold.Skip))
	}
	return fmt.Errorf("%s: no mention of the types %q, there are %q", files, r.gold.Types, slices.Sorted(maps.Keys(r.types)))
}
