package kbfile

import (
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/kb"
)

// scispacyConcept is a line of a knowledge base of scispaCy.
type scispacyConcept struct {
	ID      string   `json:"concept_id"`
	Name    string   `json:"canonical_name"`
	Aliases []string `json:"aliases"`
	Types   []string `json:"types"`
}

// readScispaCy reads the JSON lines of a knowledge base of scispaCy
// (https://github.com/allenai/scispacy, scispacy/linking_utils.py).
func (c *collector) readScispaCy(lines *input.Lines) error {
	return c.eachLine(lines, func(text string, line int) error {
		var concept scispacyConcept
		if err := input.DecodeJSON([]byte(text), &concept); err != nil {
			return c.reject(line, input.JSONError(err))
		}
		if concept.ID = strings.TrimSpace(concept.ID); concept.ID == "" {
			return c.badRow(line, `an object with a "concept_id"`, input.Quote(text))
		}
		return c.addChecked(line, kb.Concept{ID: kb.ConceptID(concept.ID), Name: concept.Name, Synonyms: concept.Aliases,
			Types: concept.Types})
	})
}
