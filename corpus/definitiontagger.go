package corpus

import (
	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/pubmed"
)

// definitionTagger tags the sentences of one record after another, with the short forms
// that the record defines tagged by their definition.
type definitionTagger struct {
	*abbrev.Tagger
	found []abbrev.Definition // of all sections of the record
	ends  []int               // section -> end of its definitions in found
	start []int               // section -> position of its start in the record
}

// setRecord finds the definitions in the title and all sections of a record.
func (t *definitionTagger) setRecord(rec *pubmed.Record) {
	t.found, t.ends, t.start = t.found[:0], t.ends[:0], t.start[:0]
	t.Reset()
	add := func(body string) {
		found := abbrev.Find(body)
		t.start = append(t.start, t.Define(body, found))
		t.found = append(t.found, found...)
		t.ends = append(t.ends, len(t.found))
	}
	add(rec.Title)
	for i := range rec.Sections {
		add(rec.Sections[i].Text)
	}
}

// ofSection returns the definitions in a section of the record, 0 for the title. They
// are valid until the next record.
func (t *definitionTagger) ofSection(number int) []abbrev.Definition {
	start := 0
	if number > 0 {
		start = t.ends[number-1]
	}
	return t.found[start:t.ends[number]]
}
