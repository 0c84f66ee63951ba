package kbfile

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
)

// rf2Preferred marks a preferred description in a language reference set of SNOMED CT.
const (
	rf2Preferred         = "900000000000548007"
	languageReferenceSet = "a language reference set of SNOMED CT (RF2)"
)

// ReadLanguageReferenceSet returns the identifiers of the descriptions that a language reference set of SNOMED CT in
// release format 2 (der2_cRefset_LanguageSnapshot) marks as preferred, for [Options.PreferredDescriptions]. It returns
// nil if the file at path is not such a set.
func ReadLanguageReferenceSet(path string, limits files.Limits) (map[string]bool, error) {
	file, err := input.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	head, err := file.Peek(file.Size())
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if v := knownVocabulary(strings.Split(firstRow(head), "\t"), ""); v == nil || v.name != languageReferenceSet {
		return nil, nil
	}
	c := newCollector(path, Options{Strict: true, Limits: limits})
	c.report.Format = TSV
	t, err := openTable(file.Reader, c)
	if err != nil {
		return nil, c.wrap(err)
	}
	t.vocabularyColumns()
	preferred := make(map[string]bool)
	err = t.each(func(r row) error {
		content := &rowContent{row: r, table: t}
		if content.cell("active") == "1" && content.cell("acceptabilityid") == rf2Preferred {
			preferred[strings.Clone(content.cell("referencedcomponentid"))] = true
		}
		return nil
	})
	return preferred, c.wrap(err)
}

// mark sets whether the name of a row is preferred, according to a language reference set.
func (t *tableFile) mark(content *rowContent, concept *kb.Concept) {
	preferred := t.c.opts.PreferredDescriptions
	if preferred == nil || !t.vocabulary.names {
		return
	}
	concept.Synonyms, concept.Name = concept.Names(), ""
	if len(concept.Synonyms) > 0 && preferred[content.cell("id")] {
		concept.Name, concept.Synonyms = concept.Synonyms[0], nil
	}
}

// checkSnapshot returns an error if a row identifier occurs twice in the sample: the file has the history of its rows.
func (t *tableFile) checkSnapshot() error {
	id, isRF2 := t.at["id"]
	if _, dated := t.at["effectivetime"]; !dated || !isRF2 {
		return nil
	}
	seen := make(map[string]bool)
	for _, r := range t.sample {
		if id < len(r.Cells) {
			if seen[r.Cells[id]] {
				return errors.New("the file has several states of one row, as the Full files of SNOMED CT have: " +
					"want the Snapshot file")
			}
			seen[r.Cells[id]] = true
		}
	}
	return nil
}
