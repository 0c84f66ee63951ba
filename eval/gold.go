package eval

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/link"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// GoldMention is an annotated mention with the concepts that the annotators gave it.
type GoldMention struct {
	Query   text.Query
	Gold    []kb.ConceptID // concepts of the evaluated set, sorted and distinct
	Outside []kb.ConceptID // annotated identifiers that name no concept of the set
}

// InSet reports whether the mention names a concept of the evaluated set.
func (m *GoldMention) InSet() bool { return len(m.Gold) > 0 }

// SubMentions returns the number of concepts that the mention names together: 2 for
// "breast and ovarian cancer", 1 for a mention that is not composite.
func (m *GoldMention) SubMentions() int {
	if !m.Query.Mention.Composite {
		return 1
	}
	return max(1, len(m.Gold)+len(m.Outside))
}

// Gold holds the mentions of annotated files.
type Gold struct {
	Files     []string
	Types     []string      // entity types that were read; empty for all
	Mentions  []GoldMention // the mentions of one document follow each other
	Malformed []error       // malformed records, which were skipped
}

// ReadGold reads annotated files in any format of package text/formats. It keeps the
// mentions of the given entity types, or all mentions if types is empty. A document
// that occurs twice is read once. Malformed records are skipped and returned in
// Gold.Malformed. Files without any mention are an error, which names the first malformed record.
func ReadGold(files, types []string, set *ConceptSet, limits input.Limits) (*Gold, error) {
	gold := &Gold{Files: files, Types: types}
	r := goldReader{gold: gold, set: set, documents: make(map[string]bool), types: make(map[string]bool), limits: limits.WithDefaults()}
	for _, file := range files {
		if err := r.read(file); err != nil {
			return nil, err
		}
	}
	if len(gold.Mentions) == 0 {
		return nil, r.noMentions()
	}
	return gold, nil
}

type goldReader struct {
	gold      *Gold
	set       *ConceptSet
	documents map[string]bool // documents read so far, by ID and text
	types     map[string]bool // types of all mentions read so far
	limits    input.Limits
	kept      int64 // bytes of memory of the documents and errors read so far
}

// Memory of gold besides the text, in bytes.
const (
	documentSize  = 256
	mentionSize   = 512 // a GoldMention, its query, its concepts and its sentence's share of the list
	malformedSize = 96
)

func (r *goldReader) read(file string) error {
	in, err := formats.Open(file, formats.Options{Limits: r.limits})
	if err != nil {
		return err
	}
	defer in.Close()
	for {
		doc, err := in.Next()
		var malformed *formats.RecordError
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &malformed):
			r.gold.Malformed = append(r.gold.Malformed, malformed)
			r.kept += malformedSize + int64(len(malformed.Reason))
			if err := r.limits.CheckInMemory("gold", r.kept); err != nil {
				return fmt.Errorf("%s:%d: %w", file, malformed.Line, err)
			}
			continue
		case err != nil:
			return err
		}
		if key := doc.ID + "\n" + doc.Text; !r.documents[key] {
			r.documents[key] = true
			r.kept += documentSize + 2*int64(len(key)) + mentionSize*int64(len(doc.Mentions))
			if err := r.limits.CheckInMemory("gold", r.kept); err != nil {
				return fmt.Errorf("%s: document %s: %w", file, input.Quote(doc.ID), err)
			}
			r.add(doc)
		}
	}
}

func (r *goldReader) add(doc *text.Document) {
	for _, q := range link.Queries(doc) {
		r.types[q.Mention.Type] = true
		if len(r.gold.Types) > 0 && !slices.Contains(r.gold.Types, q.Mention.Type) {
			continue
		}
		in, outside := r.set.Split(q.Mention.Concepts)
		r.gold.Mentions = append(r.gold.Mentions, GoldMention{q, in, outside})
	}
}

// noMentions returns the error for files without a mention to evaluate.
func (r *goldReader) noMentions() error {
	files := strings.Join(r.gold.Files, ", ")
	if len(r.types) == 0 {
		err := fmt.Errorf("%s: no mention in %d documents", files, len(r.documents))
		if n := len(r.gold.Malformed); n > 0 {
			err = fmt.Errorf("%w; %d malformed records were skipped, the first is %w", err, n, r.gold.Malformed[0])
		}
		return err
	}
	return fmt.Errorf("%s: no mention of the types %q, the files have %q", files, r.gold.Types, slices.Sorted(maps.Keys(r.types)))
}
