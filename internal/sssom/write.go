package sssom

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// header is what stands before the table, given the digest of the table and the prefixes. The license is that of
// SSSOM for mappings whose license is not known.
const header = `# mapping_set_id: https://w3id.org/sssom/mappings/%x
# license: https://w3id.org/sssom/license/unspecified
# curie_map:
%s# extension_definitions:
#   - slot_name: ext_document
#     property: http://purl.org/dc/terms/isPartOf
#   - slot_name: ext_text
#     property: http://www.w3.org/ns/oa#exact
#   - slot_name: ext_start
#     property: http://www.w3.org/ns/oa#start
#     type_hint: xsd:integer
#   - slot_name: ext_end
#     property: http://www.w3.org/ns/oa#end
#     type_hint: xsd:integer
#   - slot_name: ext_only
#     property: urn:dictionary:only
#     type_hint: xsd:boolean
`

// Write writes mappings to w. The same mappings are the same file.
func Write(w io.Writer, mappings []Mapping) error {
	known := make(prefixes)
	var table bytes.Buffer
	rows := csv.NewWriter(&table)
	rows.Comma = '\t'
	if err := rows.Write(columns); err != nil {
		return err
	}
	for i := range mappings {
		if err := rows.Write(mappings[i].row(known)); err != nil {
			return err
		}
	}
	if rows.Flush(); rows.Error() != nil {
		return rows.Error()
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
	cells := m.cells(known)
	row := make([]string, len(columns))
	for i, column := range columns {
		row[i] = cells[column]
	}
	return row
}

// cells returns the cells that are not empty, by their columns.
func (m *Mapping) cells(known prefixes) map[string]string {
	cells := map[string]string{
		"subject_label": m.Label, "subject_type": literal, "predicate_id": closeMatch, "object_id": noTerm,
		"object_label": m.ObjectLabel, "mapping_justification": m.Justification, "author_label": m.Author,
		"mapping_tool": m.Tool, "ext_document": m.Document,
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
	return cells
}
