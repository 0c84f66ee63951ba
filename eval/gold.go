package eval

import (
	"errors"
	"io"
	"slices"

	"ctxnorm"
	"ctxnorm/corpus/annotated"
	"ctxnorm/link"
)

// Item is an annotated mention and what the annotators say it names.
type Item struct {
	Query ctxnorm.Query
	Gold  []ctxnorm.ConceptID // the concepts of the evaluated set, sorted; none where the mention lies outside it
}

// Gold is what annotated files hold.
type Gold struct {
	Files []string
	Items []Item
	Skip  []error // records that could not be read
}

// ReadGold reads annotated files in any format of package annotated. Of the
// mentions those with one of the entity types are taken, or all where no types
// are given; a document that comes twice is taken once.
func ReadGold(files []string, types []string, ids *IDs) (*Gold, error) {
	gold := &Gold{Files: files}
	seen := make(map[string]bool)
	for _, file := range files {
		if err := gold.read(file, types, ids, seen); err != nil {
			return nil, err
		}
	}
	return gold, nil
}

func (g *Gold) read(file string, types []string, ids *IDs, seen map[string]bool) error {
	r, err := annotated.Open(file, annotated.Options{})
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		doc, err := r.Next()
		var bad *annotated.RecordError
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &bad):
			g.Skip = append(g.Skip, bad)
			continue
		case err != nil:
			return err
		}
		if seen[doc.ID+"\n"+doc.Text] {
			continue
		}
		seen[doc.ID+"\n"+doc.Text] = true
		for _, q := range link.Queries(doc) {
			if len(types) == 0 || slices.Contains(types, q.Mention.Type) {
				g.Items = append(g.Items, Item{q, ids.Concepts(q.Mention.Concepts)})
			}
		}
	}
}
