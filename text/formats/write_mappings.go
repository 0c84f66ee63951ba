package formats

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/sentence"
	"github.com/ctxnorm/ctxnorm/internal/sssom"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// The maximum lengths of the columns source_code, source_code_description and target_vocabulary_id, in characters.
const (
	omopCode        = 50
	omopDescription = 255
	omopVocabulary  = 20
)

// omopWriter writes OMOP's table SOURCE_TO_CONCEPT_MAP as CSV
// (https://ohdsi.github.io/CommonDataModel/cdm54.html#source_to_concept_map): one row for each pair of a source code
// and a concept. The code is the identifier of a table's row, or else the text of the mention. NIL is the concept 0, as
// in Usagi (https://github.com/OHDSI/Usagi).
type omopWriter struct {
	csvFile
	seen map[[2]string]bool // pairs already written
}

func newOMOP(w io.Writer, _ WriterOptions) Writer {
	return &omopWriter{seen: make(map[[2]string]bool), csvFile: newCSVFile(w, "source_code", "source_concept_id",
		"source_vocabulary_id", "source_code_description", "target_concept_id", "target_vocabulary_id",
		"valid_start_date", "valid_end_date", "invalid_reason")}
}

// Write implements [Writer].
func (w *omopWriter) Write(r *Record, d *linked.Document) error {
	var rows [][]string
	for i := range d.Mentions {
		code, description := sourceCode(r, &d.Mentions[i])
		for _, c := range d.Mentions[i].Best() {
			concept, err := omopConcept(c)
			vocabulary := "None"
			if c != nil && err == nil {
				vocabulary, err = omopVocabularyOf(c)
			}
			if err != nil {
				return fmt.Errorf("document %q: %w", r.ID, err)
			}
			if key := [2]string{code, concept}; !w.seen[key] {
				w.seen[key] = true
				rows = append(rows, []string{code, "0", "ctxnorm", description, concept, vocabulary, "1970-01-01",
					"2099-12-31", ""})
			}
		}
	}
	return w.writeRows(rows...)
}

// sourceCode returns the source code of a mention, the identifier of its table row or else its text, and its text.
func sourceCode(r *Record, m *linked.Mention) (code, description string) {
	code = m.Text
	if r.Columns != nil && !r.Unnamed {
		code = r.ID
	}
	return shortened(oneLine(code), omopCode), shortened(oneLine(m.Text), omopDescription)
}

// omopConcept returns the concept_id of a candidate; nil means NIL.
func omopConcept(c *linked.Candidate) (string, error) {
	if c == nil {
		return "0", nil
	}
	if n, err := strconv.ParseInt(string(c.Concept), 10, 32); err != nil || n <= 0 {
		return "", fmt.Errorf("the concept %q is not from OMOP: link to its CONCEPT.csv", c.Concept)
	}
	return string(c.Concept), nil
}

// omopVocabularyOf returns the vocabulary_id of a candidate, taken from a cross-reference such as "SNOMED:22298006" in
// a dictionary of OMOP.
func omopVocabularyOf(c *linked.Candidate) (string, error) {
	for _, xref := range c.Xrefs {
		if vocabulary, _, ok := strings.Cut(string(xref), ":"); ok && len(vocabulary) <= omopVocabulary {
			return vocabulary, nil
		}
	}
	return "", fmt.Errorf("the concept %s has no vocabulary: want its identifiers in other vocabularies, as in CONCEPT.csv",
		c.Concept)
}

// shortened returns s cut to at most limit characters. The cut string ends with part of a digest of s, so that strings
// with the same beginning stay distinct.
func shortened(s string, limit int) string {
	characters := []rune(s)
	if len(characters) <= limit {
		return s
	}
	end := fmt.Sprintf("~%x", sha256.Sum256([]byte(s)))[:9]
	return string(characters[:limit-len(end)]) + end
}

// usagiWriter writes the file in which Usagi keeps mappings of source codes for review, as its version 1.4 reads it
// (https://github.com/OHDSI/Usagi, SourceCode and ReadCodeMappingsFromFile): a row for each concept of a source code,
// which is that of [OMOP] with the text of the mention. It keeps the codes until it is closed, because Usagi wants all
// rows of a code together, with the number of its mentions.
type usagiWriter struct {
	csvFile
	codes  []*usagiCode
	places map[[2]string]int // index in codes, by code and name
}

// usagiCode is a source code with its concepts.
type usagiCode struct {
	code, name string
	frequency  int              // number of mentions
	targets    [][2]string      // concept and name; mentions with the same text may have different ones
	comment    string           // about NIL
	also       string           // candidates that tie with a target
	score      float64          // the highest
	decided    int              // number of mentions that a curator decided
	corrected  *text.Correction // the last of their decisions
}

func newUsagi(w io.Writer, _ WriterOptions) Writer {
	return &usagiWriter{places: make(map[[2]string]int), csvFile: newCSVFile(w, "sourceCode", "sourceName",
		"sourceFrequency", "sourceAutoAssignedConceptIds", "matchScore", "mappingStatus", "equivalence", "statusSetBy",
		"statusSetOn", "conceptId", "conceptName", "domainId", "mappingType", "comment", "createdBy", "createdOn",
		"assignedReviewer")}
}

// Write implements [Writer].
func (w *usagiWriter) Write(r *Record, d *linked.Document) error {
	for i := range d.Mentions {
		m := &d.Mentions[i]
		code, name := sourceCode(r, m)
		at, known := w.places[[2]string{code, name}]
		if !known {
			at = len(w.codes)
			w.places[[2]string{code, name}] = at
			w.codes = append(w.codes, &usagiCode{code: code, name: name})
		}
		if err := w.codes[at].add(m); err != nil {
			return fmt.Errorf("document %q: %w", r.ID, err)
		}
	}
	return nil
}

// add adds a mention of the code.
func (c *usagiCode) add(m *linked.Mention) error {
	c.frequency++
	if m.Corrected != nil {
		c.decided++
		c.corrected = m.Corrected
	}
	for _, l := range m.Links() {
		best := l.Best()
		concept, err := omopConcept(best)
		if err != nil {
			return err
		}
		if best == nil {
			if above := broaderOf(m); above != "" {
				c.comment = cmp.Or(c.comment, "a kind of "+above)
			}
			continue
		}
		c.also = cmp.Or(c.also, alsoFits(m, &l))
		c.score = max(c.score, best.Certainty())
		if !slices.ContainsFunc(c.targets, func(t [2]string) bool { return t[0] == concept }) {
			c.targets = append(c.targets, [2]string{concept, oneLine(best.Name)})
		}
	}
	return nil
}

// rows returns the rows of the code: one for each concept, or one without a concept. It is approved if a curator
// decided all its mentions, and otherwise unchecked.
func (c *usagiCode) rows() (rows [][]string) {
	isApproved := c.decided == c.frequency
	status, equivalence, by, on := "UNCHECKED", "UNREVIEWED", "", "0"
	if isApproved {
		status, by, on = "APPROVED", c.corrected.By, strconv.FormatInt(c.corrected.At.UnixMilli(), 10)
	}
	targets, comment := c.targets, c.also
	if len(targets) == 0 {
		targets = [][2]string{{"0", ""}}
		if isApproved {
			equivalence = "UNMATCHED"
		}
		comment = c.comment
	}
	for _, t := range targets {
		rows = append(rows, []string{
			c.code, c.name, strconv.Itoa(c.frequency), "", strconv.FormatFloat(c.score, 'f', 2, 64), status,
			equivalence, by, on, t[0], t[1], "", "MAPS_TO", oneLine(comment), "ctxnorm", "0", "",
		})
	}
	return rows
}

// Close implements [Writer].
func (w *usagiWriter) Close() error {
	var rows [][]string
	for _, c := range w.codes {
		rows = append(rows, c.rows()...)
	}
	return w.writeRows(rows...)
}

// sssomWriter writes the concept of each mention, and of each sub-mention of a composite mention. It writes the file at
// the end, because the header lists the prefixes of all identifiers.
type sssomWriter struct {
	w        io.Writer
	options  WriterOptions
	mappings []sssom.Mapping
}

func newSSSOM(w io.Writer, o WriterOptions) Writer { return &sssomWriter{w: w, options: o} }

// Write implements [Writer].
func (w *sssomWriter) Write(r *Record, d *linked.Document) error {
	w.options.lostControls(r.ID, d.Text)
	sentences := sentence.Split(d.Text)
	for i := range d.Mentions {
		m := &d.Mentions[i]
		for _, l := range m.Links() {
			c := l.Best()
			mapping := sssom.Mapping{Label: printable(l.Text), Document: printable(r.ID), Justification: sssom.Composite,
				Tool: "ctxnorm", NoTerm: c == nil}
			if len(m.SubMentions) == 0 && len(m.Fragments) == 0 { // the surface form is contiguous in the text
				within := sentence.AroundIn(sentences, m.Span)
				mapping.Text = printable(within.Of(d.Text))
				mapping.Start = utf8.RuneCountInString(d.Text[within.Start:m.Start])
				mapping.End = mapping.Start + utf8.RuneCountInString(m.Of(d.Text))
			}
			if c != nil {
				mapping.Object, mapping.ObjectLabel, mapping.Confidence = c.Concept, printable(c.Name),
					linked.Rounded(c.Probability)
				if c.Probability == 0 { // methods without probabilities use one technique
					mapping.Justification = sssom.Unspecified
				}
			}
			mapping.Comment = printable(alsoFits(m, &l))
			if said := m.Corrected; said != nil {
				mapping.Justification, mapping.Tool = sssom.ManualCuration, ""
				mapping.Author, mapping.Date = printable(said.By), said.At
			}
			w.mappings = append(w.mappings, mapping)
		}
	}
	return nil
}

// Close implements [Writer].
func (w *sssomWriter) Close() error { return sssom.Write(w.w, w.mappings) }
