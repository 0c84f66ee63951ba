// Package sssom writes and reads mappings of wordings to concepts as SSSOM/TSV, the Simple Standard for
// Sharing Ontological Mappings (https://mapping-commons.github.io/sssom/, version 1.0): a header of YAML in comment
// lines, and a table.
//
// The subject of a mapping is a literal ("rdfs literal"), the wording itself in subject_label. What a wording names
// everywhere is a skos:exactMatch, what it names in one text a skos:closeMatch, and no concept sssom:NoTermFound. Where
// it stands is in extension slots: ext_document, and ext_text with ext_start and ext_end in code points.
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

// Mapping is a row: a wording and the concept that it names.
type Mapping struct {
	Line          int    // of its row in the file that was read
	Label         string // the wording
	Everywhere    bool   // and not in Text alone
	Object        kb.ConceptID
	NoTerm        bool // no concept fits; Object is empty
	ObjectLabel   string
	Justification string // [ManualCuration] or another identifier of the Semantic Mapping Vocabulary
	Author        string
	Date          time.Time // its day in UTC is written; zero if it is not known
	Tool          string
	Confidence    float64 // 0 to 1; 0 if it is not known
	Comment       string  // is not read

	Document   string // that the wording is in; may be empty
	Text       string // around the wording; may be empty
	Start, End int    // of the wording in Text, in code points
	Only       bool   // of this place alone, and not of its wording elsewhere in the text
}

// Values of [Mapping].Justification (https://mapping-commons.github.io/semantic-mapping-vocabulary/).
const (
	ManualCuration = "semapv:ManualMappingCuration"
	Composite      = "semapv:CompositeMatching"   // by several techniques
	Unspecified    = "semapv:UnspecifiedMatching" // by a technique that is not named
)

// Values of columns.
const (
	literal    = "rdfs literal"
	noTerm     = "sssom:NoTermFound"
	exactMatch = "skos:exactMatch"
	closeMatch = "skos:closeMatch"
)

// columns are those that are written, in their order in the specification; extensions follow.
var columns = []string{
	"subject_label", "subject_type", "predicate_id", "object_id", "object_label", "mapping_justification",
	"author_label",
	"mapping_tool", "mapping_date", "confidence", "comment", "ext_document", "ext_text", "ext_start", "ext_end", "ext_only",
}

// header is what stands before the table, given the digest of the table and the prefixes. The license is that of
// SSSOM for mappings whose license is not known.
//
//go:embed header.yaml
var header string

// Write writes mappings to w. The same mappings are the same file.
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

// row returns the cells of the columns, in their order.
func (m *Mapping) row(known prefixes) []string {
	cells := map[string]string{
		"subject_label": m.Label, "subject_type": literal, "predicate_id": closeMatch, "object_id": noTerm,
		"object_label": m.ObjectLabel, "mapping_justification": m.Justification, "author_label": m.Author,
		"mapping_tool": m.Tool, "comment": m.Comment, "ext_document": m.Document,
		// of the same length: readers of CSV make one character of the two
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
