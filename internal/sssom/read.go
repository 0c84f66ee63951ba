package sssom

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/table"
	"github.com/ctxnorm/ctxnorm/text"
)

// metadata holds the slots that the header may set for all rows.
type metadata struct {
	Prefixes    prefixes `yaml:"curie_map"`
	SubjectType string   `yaml:"subject_type"`
	Tool        string   `yaml:"mapping_tool"`
	Date        string   `yaml:"mapping_date"`
}

// Read reads the mappings of literals in a file. Columns may be in any order and separated by tabs or commas; those
// without a field in [Mapping] are ignored. An error includes the line number.
func Read(r *bufio.Reader, limits files.Limits) ([]Mapping, error) {
	limits = limits.WithDefaults()
	head, lines, err := readMetadata(r, limits)
	if err != nil {
		return nil, err
	}
	first, _ := r.Peek(4096)
	first, _, _ = bytes.Cut(first, []byte("\n"))
	dialect := table.Dialect{Delimiter: ","}
	if bytes.Contains(first, []byte("\t")) {
		dialect.Delimiter = "\t"
	}
	rows := table.NewReader(r, dialect, limits, lines)
	header, err := rows.Next()
	if err == io.EOF {
		return nil, errors.New("want SSSOM with a header, got none")
	}
	at := make(map[string]int)
	if err == nil {
		at, err = columnsOf(header.Cells)
	}
	if err != nil {
		return nil, fmt.Errorf("line %d: %w", header.Line, err)
	}
	const mappingSize = 256 // memory in bytes besides the text of the row, including the growth of the slice
	var mappings []Mapping
	kept := int64(0)
	for {
		row, err := rows.Next()
		if err == io.EOF {
			return mappings, nil
		}
		if err == nil && len(row.Cells) != len(header.Cells) {
			err = fmt.Errorf("want %d cells, got %d", len(header.Cells), len(row.Cells))
		}
		var m Mapping
		if err == nil {
			m, err = head.mapping(func(column string) string {
				if i, ok := at[column]; ok {
					return strings.TrimSpace(row.Cells[i])
				}
				return ""
			})
		}
		if err == nil && m.Text != "" {
			m.Text = row.Cells[at["ext_text"]]
			err = m.checkPlace()
		}
		m.Line = row.Line
		mappings = append(mappings, m)
		kept += mappingSize + row.Bytes()
		if err = cmp.Or(err, limits.CheckInMemory("a list of mappings", kept)); err != nil {
			return nil, fmt.Errorf("line %d: %w", row.Line, err)
		}
	}
}

// columnsOf returns the indexes of the columns of a header.
func columnsOf(names []string) (map[string]int, error) {
	at := make(map[string]int, len(names))
	for i, name := range names {
		if _, twice := at[name]; twice {
			return nil, fmt.Errorf("want each column once, got another %s", input.Quote(name))
		}
		at[name] = i
	}
	for _, name := range []string{"subject_label", "predicate_id", "object_id"} {
		if _, ok := at[name]; !ok {
			return nil, fmt.Errorf("want SSSOM with a column %s, got none", name)
		}
	}
	return at, nil
}

// readMetadata reads the comments before the table, and returns the number of their lines.
func readMetadata(r *bufio.Reader, limits files.Limits) (*metadata, int, error) {
	head, lines := new(metadata), input.NewLines(r, limits)
	var text strings.Builder
	for {
		if next, err := r.Peek(1); err != nil || next[0] != '#' {
			break
		}
		line, err := lines.Next()
		if err != nil {
			return nil, 0, fmt.Errorf("line %d: %w", lines.Number(), err)
		}
		text.WriteString(strings.TrimPrefix(line, "#") + "\n")
		if err := limits.CheckRecord("the header", int64(text.Len())); err != nil {
			return nil, 0, err
		}
	}
	if err := yaml.Unmarshal([]byte(text.String()), head); err != nil {
		return nil, 0, fmt.Errorf("the header: %w", err)
	}
	return head, lines.Number(), nil
}

// mapping returns the mapping of a row, given a function that returns its cells.
func (h *metadata) mapping(cell func(column string) string) (Mapping, error) {
	m := Mapping{
		Label: cell("subject_label"), ObjectLabel: cell("object_label"), Author: cell("author_label"),
		Tool: cmp.Or(cell("mapping_tool"), h.Tool), Justification: cell("mapping_justification"),
		Document: cell("ext_document"), Text: cell("ext_text"),
	}
	fail := func(column, value, want string) (Mapping, error) { return m, cellError(column, value, want) }
	if kind := cmp.Or(cell("subject_type"), h.SubjectType); kind != literal {
		return fail("subject_type", kind, literal)
	}
	if m.Label == "" {
		return fail("subject_label", "", "a wording")
	}
	switch predicate := cell("predicate_id"); predicate {
	case exactMatch:
		m.Everywhere = true
	case closeMatch:
	default:
		return fail("predicate_id", predicate, exactMatch+" or "+closeMatch)
	}
	if modifier := cell("predicate_modifier"); modifier != "" {
		return fail("predicate_modifier", modifier, "none")
	}
	var err error
	switch object := cell("object_id"); object {
	case "":
		return fail("object_id", "", "an identifier or "+noTerm)
	case noTerm:
		m.NoTerm = true
	default:
		if m.Object, err = h.Prefixes.concept(object); err != nil {
			return fail("object_id", object, "a CURIE")
		}
	}
	if date := cmp.Or(cell("mapping_date"), h.Date); date != "" {
		if m.Date, err = time.Parse(time.DateOnly, date); err != nil {
			return fail("mapping_date", date, "a date such as 2026-01-31")
		}
	}
	if x := cell("confidence"); x != "" {
		if m.Confidence, err = strconv.ParseFloat(x, 64); err != nil || !(m.Confidence >= 0 && m.Confidence <= 1) {
			return fail("confidence", x, "0 to 1")
		}
	}
	err = m.readExtensions(cell)
	return m, err
}

// readExtensions sets the position of the surface form in its text, and whether the mapping is only for this position.
func (m *Mapping) readExtensions(cell func(column string) string) (err error) {
	var errStart, errEnd error
	m.Start, errStart = wholeNumber(cell, "ext_start")
	m.End, errEnd = wholeNumber(cell, "ext_end")
	only := strings.ToLower(cell("ext_only"))
	if m.Only = only == "true"; !m.Only && only != "" && only != "false" {
		err = cellError("ext_only", only, "true or false")
	}
	return cmp.Or(errStart, errEnd, err)
}

// cellError returns the error for a cell.
func cellError(column, value, want string) error {
	return fmt.Errorf("%s is %s, want %s", column, input.Quote(value), want)
}

// wholeNumber returns the number in a cell, or 0 if it is empty. Decimals such as 4.0 are allowed, because programs
// write them for columns of numbers with empty cells.
func wholeNumber(cell func(column string) string, column string) (int, error) {
	x, err := strconv.ParseFloat(cmp.Or(cell(column), "0"), 64)
	if err != nil || x != math.Trunc(x) || math.Abs(x) > math.MaxInt32 {
		return 0, cellError(column, cell(column), "a whole number")
	}
	return int(x), nil
}

// checkPlace returns an error unless the surface form is at its position in the text.
func (m *Mapping) checkPlace() error {
	offsets := text.NewOffsets(m.Text)
	at, ok := offsets.Bytes(text.Span{Start: m.Start, End: m.End})
	if !ok || at.Len() == 0 {
		return fmt.Errorf("ext_start and ext_end are %d and %d, want a range within the %d characters of ext_text",
			m.Start, m.End, offsets.Len())
	}
	if found := at.Of(m.Text); strings.TrimSpace(found) != m.Label {
		return fmt.Errorf("ext_text has %s from %d to %d, want the subject_label, %s",
			input.Quote(found), m.Start, m.End, input.Quote(m.Label))
	}
	return nil
}
