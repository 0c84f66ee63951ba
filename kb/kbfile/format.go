package kbfile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/table"
)

// Format is the name of a dictionary format.
type Format string

// These formats are used by name elsewhere. formats lists all of them, and docs/formats.md describes them.
const (
	TSV            Format = "tsv"
	CSV            Format = "csv"
	formatCTD      Format = "ctd"
	MRCONSO        Format = "mrconso"
	JSONL          Format = "jsonl"
	formatJSON     Format = "json"
	RDF            Format = "rdf"
	formatScispaCy Format = "scispacy"
	FHIR           Format = "fhir"
	XLSX           Format = "xlsx"
	formatMRSTY    Format = "mrsty"
	formatNames    Format = "names"
	formatMedDRA   Format = "meddra"
	Orphanet       Format = "orphanet"
)

// knownFormat is a format with the test that recognizes it and the function that reads it.
type knownFormat struct {
	name Format
	is   func(*beginning) bool
	read func(*collector, *bufio.Reader) error
}

// formats lists the formats in the order in which they are tested on a file.
var formats = []knownFormat{
	{XLSX, func(b *beginning) bool { return bytes.HasPrefix(b.head, []byte(input.ZipMark)) }, (*collector).readXLSX},
	{"mesh", roots("DescriptorRecordSet", "SupplementalRecordSet"), (*collector).readMeSH},
	{RDF, roots("RDF"), (*collector).readRDF},
	{Orphanet, roots("JDBOR"), (*collector).readOrphanet},
	{"claml", roots("ClaML"), (*collector).readClaML},
	{"obograph", object(`"graphs"\s*:\s*\[\s*\{`), (*collector).readOBOGraph},
	{FHIR, object(`^\{[^{]*"resourceType"\s*:\s*"`), (*collector).readFHIR},
	{formatScispaCy, func(b *beginning) bool { return b.json == formatScispaCy }, byLines((*collector).readScispaCy)},
	{formatJSON, func(b *beginning) bool { return b.json == formatJSON }, (*collector).readJSONFile},
	{JSONL, func(b *beginning) bool { return b.json == JSONL }, (*collector).readJSONFile},
	{"obo", func(b *beginning) bool { return b.isText && oboLine.Match(b.head) }, byLines((*collector).readOBO)},
	{"uniprot", func(b *beginning) bool { return b.isText && flatFile.Match(b.head) }, byLines((*collector).readFlatFile)},
	// Each field ends with a bar: there are 17 in releases of UMLS without the field CVF, 18 since 2004.
	{MRCONSO, first(`^(?:C\d{7}\|[^|]*|\d+\|[A-Z]{3})\|(?:[^|]*\|){15}|^C\d{7}\|[^|]*\|(?:CUI|AUI|SCUI|SDUI|CODE)\|[A-Z]{2,3}\|`),
		(*collector).readTable},
	{formatMRSTY, first(`^(?:C\d{7}|\d+)\|T\d{3}\|[AB][\d.]*\|`), (*collector).readTable},
	{formatMedDRA, first(`^\d{8}\$[^$]+\$(?:\d{8})?\$`), (*collector).readTable},
	{"icd", func(b *beginning) bool { return b.isText && isICD(b.head) }, byLines((*collector).readICD)},
	{formatCTD, func(b *beginning) bool {
		return b.isText && (ctdFields.Match(b.head[:len(b.head)-len(b.first)]) || ctdFields.MatchString(b.first))
	}, (*collector).readTable},
	{CSV, func(b *beginning) bool { return b.isText && table.SeparatorLine(b.first) != "" }, (*collector).readTable},
	{TSV, first("\t"), (*collector).readTable},
	{"biosyn", func(b *beginning) bool {
		return b.isText && biosynLine.MatchString(b.first) && !rrfLine.MatchString(b.first)
	}, byLines((*collector).readBioSyn)},
	{TSV, func(b *beginning) bool { return b.isText && tableFormat(b.head) == TSV }, (*collector).readTable},
	{CSV, func(b *beginning) bool { return b.isText && tableFormat(b.head) == CSV }, (*collector).readTable},
	{formatNames, func(b *beginning) bool { return b.isText && isNameList(b.head) }, (*collector).readNames},
	{CSV, first("[,;]"), (*collector).readTable},
}

// beginning is the beginning of a file.
type beginning struct {
	head   []byte
	first  string // the first line that is neither empty nor a comment
	root   string // element of XML
	json   Format // of JSON: formatJSON, JSONL or formatScispaCy
	isText bool   // neither XML nor JSON
}

func beginningOf(head []byte) *beginning {
	b := &beginning{head: bytes.TrimLeft(head, " \t\r\n")}
	b.first = firstRow(b.head)
	switch {
	case bytes.HasPrefix(b.head, []byte("<")):
		b.root = rootElement(b.head)
	case bytes.HasPrefix(b.head, []byte("{")):
		b.json = detectJSON(b.head)
	case bytes.HasPrefix(b.head, []byte("[")) && !bytes.HasPrefix(b.head, []byte("[Term]")):
		if b.json = JSONL; isObjectTable(b.head) {
			b.json = formatJSON
		}
	default:
		b.isText = len(b.head) > 0
	}
	return b
}

// roots returns a test for the name of the XML root element.
func roots(names ...string) func(*beginning) bool {
	return func(b *beginning) bool { return slices.Contains(names, b.root) }
}

// object returns a test that matches a pattern with JSON objects; first matches it with the first line of other texts.
func object(pattern string) func(*beginning) bool {
	compiled := regexp.MustCompile(pattern)
	return func(b *beginning) bool { return b.json != "" && b.head[0] == '{' && compiled.Match(b.head) }
}

func first(pattern string) func(*beginning) bool {
	compiled := regexp.MustCompile(pattern)
	return func(b *beginning) bool { return b.isText && compiled.MatchString(b.first) }
}

// byLines returns the read function of a line-based format.
func byLines(read func(*collector, *input.Lines) error) func(*collector, *bufio.Reader) error {
	return func(c *collector, r *bufio.Reader) error { return read(c, input.NewLines(r, c.opts.Limits)) }
}

// Formats returns all supported formats.
func Formats() (names []Format) {
	for _, format := range formats {
		if !slices.Contains(names, format.name) {
			names = append(names, format.name)
		}
	}
	return names
}

var (
	// rrfLine matches a row of other files of UMLS or RxNorm, in which each field ends with a bar.
	rrfLine = regexp.MustCompile(`^(?:[^|]*\|){5,}$`)
	// In biosynLine, identifiers contain no white space, commas or bars.
	biosynLine = regexp.MustCompile(`^[^|\s,]+(?:\|[^|\s,]+)*\|\|[^|]`)
	oboLine    = regexp.MustCompile(`(?m)^(?:format-version:|\[Term\]\s*$)`)
	ctdFields  = regexp.MustCompile(`(?m)^# *Fields:|^#? *(?:Disease|Chemical|Gene)(?:Name|Symbol)[\t,]`)
)

// formatOf returns the format with this name, in any case. If the name is empty, it returns the format of a file that
// begins with head. It returns nil if there is none.
func formatOf(name Format, head []byte) *knownFormat {
	b := beginningOf(head)
	i := slices.IndexFunc(formats, func(f knownFormat) bool {
		return strings.EqualFold(string(f.name), string(name)) || name == "" && f.is(b)
	})
	if i < 0 {
		return nil
	}
	return &formats[i]
}

// noDeclaration matches an XML declaration without the closing ?>.
var noDeclaration = regexp.MustCompile(`^\x{FEFF}?\s*<\?xml\s[^?>]*(?:>|<)`)

// errNotRead returns an error if the file begins like a kind of file that is known but not supported, or nil.
func errNotRead(head []byte) error {
	if kind := input.ForeignKind(head); kind != "" {
		return fmt.Errorf("want a dictionary, got %s", kind)
	}
	texts := []string{firstRow(head), string(head)}
	if trimmed := bytes.TrimLeft(head, " \t\r\n"); bytes.HasPrefix(trimmed, []byte("<")) {
		texts[1] = "<" + rootElement(trimmed) + ">"
	}
	for _, v := range vocabularies {
		if v.format == noTable && slices.ContainsFunc(texts, v.begins.MatchString) {
			return errors.New(v.refused)
		}
	}
	return nil
}

// errUnknown returns the error for a file in an unknown format.
func errUnknown(head []byte) error {
	first := firstRow(head)
	if root := rootElement(head); root != "" {
		return fmt.Errorf("the XML has the root element <%s>, want <DescriptorRecordSet> or <SupplementalRecordSet> of MeSH, "+
			"<JDBOR> of Orphanet, <ClaML>, or <rdf:RDF> of OWL or SKOS", root)
	}
	if rrfLine.MatchString(first) {
		return errors.New("an RRF file of UMLS or RxNorm other than MRCONSO, RXNCONSO, MRSTY and RXNSTY: it has no names")
	}
	return fmt.Errorf("format not recognized by its first line %s: want one of %v", input.Quote(first), Formats())
}

// read detects the format and reads all rows.
func (c *collector) read(r *bufio.Reader) error {
	head, err := r.Peek(r.Size())
	if err != nil && err != io.EOF {
		return err
	}
	if noDeclaration.Match(head) {
		return errors.New("line 1: want a declaration of XML that ends in ?>, got one without")
	}
	isGiven := c.opts.Format != ""
	if len(head) == 0 && !isGiven {
		return errors.New("the file is empty")
	}
	if err := errNotRead(head); err != nil && !isGiven {
		return err
	}
	format := formatOf(c.opts.Format, head)
	switch {
	case format != nil:
		c.report.Format = format.name
		return format.read(c, r)
	case isGiven:
		return fmt.Errorf("dictionary format %q: want one of %v", c.opts.Format, Formats())
	}
	return errUnknown(head)
}

// tableFormat returns the format of a table whose header is a comment or stands below a title, or "".
func tableFormat(head []byte) Format {
	rows := 0
	for line := range bytes.Lines(head) {
		text := strings.TrimSpace(string(line))
		comment, isComment := strings.CutPrefix(text, "#")
		switch table.Sniff([]byte(strings.TrimSpace(comment)), isHeaderRow) {
		case "\t":
			return TSV
		case "":
		default:
			return CSV
		}
		if !isComment && text != "" {
			if rows++; rows > table.MaxTitle || strings.ContainsAny(text, "\t,;|") {
				return ""
			}
		}
	}
	return ""
}

// detectJSON returns JSONL if the first object has an "id" that is not a list, ScispaCy if it has a "concept_id" that
// is a string, and otherwise JSON, a single object in the whole file. A truncated object counts as JSONL if its visible
// members are all members of a concept.
func detectJSON(head []byte) Format {
	if len(wrappedConcepts(head)) > 0 {
		return formatJSON
	}
	format, others := Format(""), false // others: a member is unknown in JSONL
	input.HeadMembers(head, func(name string, value []byte) bool {
		switch {
		case name == "id" && !bytes.HasPrefix(value, []byte("[")):
			format = JSONL
		case name == "concept_id" && bytes.HasPrefix(value, []byte(`"`)):
			format = formatScispaCy
		}
		others = others || !slices.Contains(conceptMembers, name)
		return format == ""
	})
	_, err := input.NewJSONDecoder(bytes.NewReader(head)).ReadValue()
	switch isCut := errors.Is(err, io.ErrUnexpectedEOF); {
	case format != "":
		return format
	case !others && isCut, isObjectTable(head):
		return JSONL
	}
	return formatJSON
}

// conceptMembers are the members of a [kb.Concept] besides its "id".
var conceptMembers = []string{"name", "synonyms", "alt_ids", "xrefs", "parents", "types", "name_held_out", "shown_name"}

// firstRow returns the first line that is neither empty nor a comment, or "".
func firstRow(head []byte) string {
	for line := range bytes.Lines(head) {
		line = bytes.TrimRight(line, "\r\n")
		if len(line) > 0 && line[0] != '#' {
			return string(line)
		}
	}
	return ""
}
