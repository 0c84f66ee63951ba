// Package sssom writes and reads mappings of surface forms to concepts as SSSOM/TSV, the Simple Standard for Sharing
// Ontological Mappings (https://mapping-commons.github.io/sssom/, version 1.0): a YAML header in comment lines, and a
// table.
//
// The subject of a mapping is a literal ("rdfs literal"), the surface form in subject_label. A skos:exactMatch holds
// everywhere, a skos:closeMatch in a single text; sssom:NoTermFound means that no concept fits. Extension slots hold
// the position: ext_document, and ext_text with ext_start and ext_end in code points.
package sssom

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the header
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ctxnorm/ctxnorm/kb"
)

// Mapping is a row: a surface form and its concept.
type Mapping struct {
	Line          int    // number of its line in the file that was read
	Label         string // the surface form
	Everywhere    bool   // in all texts, and not only in Text
	Object        kb.ConceptID
	NoTerm        bool // no concept fits; Object is empty
	ObjectLabel   string
	Justification string // [ManualCuration] or another identifier of the Semantic Mapping Vocabulary
	Author        string
	Date          time.Time // written as a day in UTC; zero if unknown
	Tool          string
	Confidence    float64 // 0 to 1; 0 if unknown
	Comment       string  // not read

	Document   string // which contains the surface form; may be empty
	Text       string // around the surface form; may be empty
	Start, End int    // of the surface form in Text, in code points
	Only       bool   // applies only to this position, not to the same surface form elsewhere in the text
}

// Values of [Mapping].Justification (https://mapping-commons.github.io/semantic-mapping-vocabulary/).
const (
	ManualCuration = "semapv:ManualMappingCuration"
	Composite      = "semapv:CompositeMatching"   // several techniques
	Unspecified    = "semapv:UnspecifiedMatching" // an unnamed technique
)

// These are values of columns.
const (
	literal    = "rdfs literal"
	noTerm     = "sssom:NoTermFound"
	exactMatch = "skos:exactMatch"
	closeMatch = "skos:closeMatch"
)

// columns are the columns to write, in the order of the specification, followed by extensions.
var columns = []string{
	"subject_label", "subject_type", "predicate_id", "object_id", "object_label", "mapping_justification",
	"author_label",
	"mapping_tool", "mapping_date", "confidence", "comment", "ext_document", "ext_text", "ext_start", "ext_end", "ext_only",
}

// header is the text before the table, with placeholders for the digest of the table and for the prefixes. The license
// is the one that SSSOM prescribes for mappings of unknown license.
//
//go:embed header.yaml
var header string

// Write writes mappings to w. The same mappings yield the same file.
func Write(w io.Writer, mappings []Mapping) error {
	known, rows := make(prefixes), [][]string{columns}
	for i := range mappings {
		rows = append(rows, mappings[i].row(known))
	}
	var table bytes.Buffer
	tabbed := csv.NewWriter(&table)
	tabbed.Comma = '\t'
	if err := tabbed.WriteAll(rows); err != nil {
		return err
	}
	var curies bytes.Buffer
	for _, prefix := range slices.Sorted(maps.Keys(known)) {
		fmt.Fprintf(&curies, "#   %s: %q\n", prefix, known[prefix])
	}
	if len(known) == 0 {
		curies.WriteString("#   {}\n")
	}
	if _, err := fmt.Fprintf(w, header, sha256.Sum256(table.Bytes()), curies.Bytes()); err != nil {
		return err
	}
	_, err := table.WriteTo(w)
	return err
}

// row returns the cells in the order of columns.
func (m *Mapping) row(known prefixes) []string {
	cells := map[string]string{
		"subject_label": m.Label, "subject_type": literal, "predicate_id": closeMatch, "object_id": noTerm,
		"object_label": m.ObjectLabel, "mapping_justification": m.Justification, "author_label": m.Author,
		"mapping_tool": m.Tool, "comment": m.Comment, "ext_document": m.Document,
		// keeps the length: CSV readers turn "\r\n" into one character
		"ext_text": strings.ReplaceAll(m.Text, "\r\n", " \n"),
	}
	if m.Everywhere {
		cells["predicate_id"] = exactMatch
	}
	if !m.NoTerm {
		cells["object_id"] = known.curie(m.Object)
	}
	if !m.Date.IsZero() {
		cells["mapping_date"] = m.Date.UTC().Format(time.DateOnly)
	}
	if m.Confidence > 0 {
		cells["confidence"] = strconv.FormatFloat(m.Confidence, 'f', -1, 64)
	}
	if m.Text != "" {
		cells["ext_start"], cells["ext_end"] = strconv.Itoa(m.Start), strconv.Itoa(m.End)
	}
	if m.Only {
		cells["ext_only"] = "true"
	}
	row := make([]string, len(columns))
	for i, column := range columns {
		row[i] = cells[column]
	}
	return row
}
