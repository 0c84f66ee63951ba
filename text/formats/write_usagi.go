package formats

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// usagiOutput is the file in which Usagi keeps mappings of source codes for review, as its version 1.4 reads it
// (https://github.com/OHDSI/Usagi, SourceCode and ReadCodeMappingsFromFile).
var usagiOutput = OutputFormat{
	Name: Usagi, Extensions: []string{".usagi.csv"}, MIME: "text/csv; charset=utf-8",
	New: func(w io.Writer, _ WriterOptions) Writer {
		return &usagiWriter{output: newOutput(w), places: make(map[[2]string]int)}
	},
}

var usagiColumns = []string{
	"sourceCode", "sourceName", "sourceFrequency", "sourceAutoAssignedConceptIds", "matchScore", "mappingStatus",
	"equivalence", "statusSetBy", "statusSetOn", "conceptId", "conceptName", "domainId", "mappingType", "comment",
	"createdBy", "createdOn", "assignedReviewer",
}

// usagiWriter writes a row for each concept of a source code, which is that of [OMOP] with its wording. It keeps the
// codes until it is closed: Usagi wants the rows of one together, with the number of its mentions.
type usagiWriter struct {
	*output
	codes  []*usagiCode
	places map[[2]string]int // in codes, by code and wording
}

// usagiCode is a source code with its concepts.
type usagiCode struct {
	code, name string
	frequency  int // number of mentions
	targets    []usagiTarget
	comment    string // on NIL
	score      float64
	decided    int              // number of mentions that a curator decided
	corrected  *text.Correction // the last of these decisions
}

// usagiTarget is a concept that a source code is mapped to. Several mentions of a wording may have several.
type usagiTarget struct{ concept, name string }

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
	for _, best := range m.Best() {
		concept, err := omopConcept(best)
		if err != nil {
			return err
		}
		if best == nil {
			c.comment = cmp.Or(c.comment, broaderOf(m))
			continue
		}
		c.score = max(c.score, cmp.Or(best.Probability, best.Score))
		if !slices.ContainsFunc(c.targets, func(t usagiTarget) bool { return t.concept == concept }) {
			c.targets = append(c.targets, usagiTarget{concept, oneLine(printable(best.Name))})
		}
	}
	return nil
}

// rows returns the rows of the code: one for each concept, or one without any. It is approved if a curator decided all
// its mentions, else it is to be checked.
func (c *usagiCode) rows() [][]string {
	isApproved := c.decided == c.frequency
	status, equivalence, by, on := "UNCHECKED", "UNREVIEWED", "", "0"
	if isApproved {
		status, by, on = "APPROVED", c.corrected.By, strconv.FormatInt(c.corrected.At.UnixMilli(), 10)
	}
	targets, comment := c.targets, ""
	if len(targets) == 0 {
		targets = []usagiTarget{{concept: "0"}}
		if isApproved {
			equivalence = "UNMATCHED"
		}
		if c.comment != "" {
			comment = "a kind of " + c.comment
		}
	}
	var rows [][]string
	for _, t := range targets {
		rows = append(rows, []string{
			c.code, c.name, strconv.Itoa(c.frequency), "", strconv.FormatFloat(c.score, 'f', 2, 64), status,
			equivalence, by, on, t.concept, t.name, "", "MAPS_TO", oneLine(printable(comment)), "ctxnorm", "0", "",
		})
	}
	return rows
}

// Close implements [Writer].
func (w *usagiWriter) Close() error {
	out := csv.NewWriter(w.output)
	if err := out.Write(usagiColumns); err != nil {
		return err
	}
	for _, c := range w.codes {
		if err := out.WriteAll(c.rows()); err != nil {
			return err
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return err
	}
	return w.Flush()
}
