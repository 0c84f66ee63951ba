package formats

import (
	"crypto/sha256"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/text/linked"
)

// omopOutput is the table SOURCE_TO_CONCEPT_MAP of OMOP as CSV
// (https://ohdsi.github.io/CommonDataModel/cdm54.html#source_to_concept_map).
var omopOutput = OutputFormat{
	Name: OMOP, Extensions: []string{".omop.csv"}, MIME: "text/csv; charset=utf-8",
	New: func(w io.Writer, _ WriterOptions) Writer {
		out := newOutput(w)
		return &omopWriter{output: out, csv: csv.NewWriter(out), seen: make(map[[2]string]bool)}
	},
}

var omopColumns = []string{
	"source_code", "source_concept_id", "source_vocabulary_id", "source_code_description", "target_concept_id",
	"target_vocabulary_id", "valid_start_date", "valid_end_date", "invalid_reason",
}

// The longest values of the columns source_code, source_code_description and target_vocabulary_id, in characters.
const (
	omopCode        = 50
	omopDescription = 255
	omopVocabulary  = 20
)

// omopWriter writes a row for each pair of a source code and a concept. The code is that of a table's row, or else the
// wording of the mention. NIL is the concept 0, as Usagi (https://github.com/OHDSI/Usagi) writes it.
type omopWriter struct {
	*output
	csv   *csv.Writer
	begun bool
	seen  map[[2]string]bool // the pairs that are written
}

// Write implements [Writer].
func (w *omopWriter) Write(r *Record, d *linked.Document) error {
	if err := w.begin(); err != nil {
		return err
	}
	for i := range d.Mentions {
		m := &d.Mentions[i]
		code, description := sourceCode(r, m)
		for _, c := range m.Best() {
			concept, err := omopConcept(c)
			vocabulary := "None"
			if c != nil && err == nil {
				vocabulary, err = omopVocabularyOf(c)
			}
			if err != nil {
				return fmt.Errorf("document %q: %w", r.ID, err)
			}
			if w.seen[[2]string{code, concept}] {
				continue
			}
			w.seen[[2]string{code, concept}] = true
			row := []string{code, "0", "ctxnorm", description, concept, vocabulary, "1970-01-01", "2099-12-31", ""}
			if err := w.csv.Write(row); err != nil {
				return err
			}
		}
	}
	return w.flush()
}

// sourceCode returns the code that a mention stands for, that of a table's row or else its wording, and the wording.
func sourceCode(r *Record, m *linked.Mention) (code, description string) {
	code = m.Text
	if r.Columns != nil && !r.Unnamed {
		code = r.ID
	}
	return shortened(oneLine(printable(code)), omopCode), shortened(oneLine(printable(m.Text)), omopDescription)
}

// omopConcept returns the concept_id of a candidate, which is nil for NIL.
func omopConcept(c *linked.Candidate) (string, error) {
	if c == nil {
		return "0", nil
	}
	if n, err := strconv.ParseInt(string(c.Concept), 10, 32); err != nil || n <= 0 {
		const wrong = "the concept %q is none of OMOP, want the number of one: link to its CONCEPT.csv"
		return "", fmt.Errorf(wrong, c.Concept)
	}
	return string(c.Concept), nil
}

// omopVocabularyOf returns the vocabulary_id of a candidate, that of an identifier such as "SNOMED:22298006" that a
// dictionary of OMOP has of it.
func omopVocabularyOf(c *linked.Candidate) (string, error) {
	for _, xref := range c.Xrefs {
		if vocabulary, _, ok := strings.Cut(string(xref), ":"); ok && len(vocabulary) <= omopVocabulary {
			return vocabulary, nil
		}
	}
	const lacks = "the concept %s has no vocabulary: want its identifiers in other vocabularies, as in CONCEPT.csv"
	return "", fmt.Errorf(lacks, c.Concept)
}

// shortened returns s with at most limit characters. What is longer ends with a part of its digest, so that it stays
// another than what begins like it.
func shortened(s string, limit int) string {
	characters := []rune(s)
	if len(characters) <= limit {
		return s
	}
	end := fmt.Sprintf("~%x", sha256.Sum256([]byte(s)))[:9]
	return string(characters[:limit-len(end)]) + end
}

func (w *omopWriter) begin() error {
	if w.begun {
		return nil
	}
	w.begun = true
	return w.csv.Write(omopColumns)
}

func (w *omopWriter) flush() error {
	w.csv.Flush()
	if err := w.csv.Error(); err != nil {
		return err
	}
	return w.Flush()
}

// Close implements [Writer].
func (w *omopWriter) Close() error {
	if err := w.begin(); err != nil {
		return err
	}
	return w.flush()
}
