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
		if err := rows.Write(mappings[i].cells(known)); err != nil {
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

// cells returns the cells of the columns.
func (m *Mapping) cells(known prefixes) []string {
	predicate, object := closeMatch, noTerm
	if m.Everywhere {
		predicate = exactMatch
	}
	if !m.NoTerm {
		object = known.curie(m.Object)
	}
	// of the same length: readers of CSV make one character of the two
	body := strings.ReplaceAll(m.Text, "\r\n", " \n")
	cells := []string{
		m.Label, literal, predicate, object, m.ObjectLabel, m.Justification, m.Author, m.Tool, "", "", m.Document, body, "", "", "",
	}
	if !m.Date.IsZero() {
		cells[8] = m.Date.UTC().Format(time.DateOnly)
	}
	if m.Confidence > 0 {
		cells[9] = strconv.FormatFloat(m.Confidence, 'f', -1, 64)
	}
	if m.Text != "" {
		cells[12], cells[13] = strconv.Itoa(m.Start), strconv.Itoa(m.End)
	}
	if m.Only {
		cells[14] = "true"
	}
	return cells
}
