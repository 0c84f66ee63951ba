package formats

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/table"
)

// UnknownError is the error for a file whose content is in no supported format.
type UnknownError struct {
	File string
	Got  string // what the file seems to be
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("%s: want documents (%s), got %s", e.File, joinFormats(Formats()), e.Got)
}

// zipMark is how a zip archive begins, and so a workbook.
const zipMark = "PK\x03\x04"

// archiveKind returns what a zip archive or an old Office file is, or "".
func archiveKind(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte(zipMark)):
		return "a zip archive (.xlsx, .docx, .odt, .epub and .zip are)"
	case bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0")):
		return "an old Office file (.doc, .xls)"
	}
	return ""
}

// foreignExtensions are the extensions of files that look like text and are no documents, and what they are.
var foreignExtensions = map[string]string{
	".yaml": "YAML: want an object of JSON a line", ".yml": "YAML: want an object of JSON a line",
	".toml": "TOML: want an object of JSON a line", ".eml": "an e-mail",
}

// CheckContent returns an [*UnknownError] if the content of the file at path is in no format of documents. It
// returns nil for a file that cannot be read, whose error is that of [Open].
func CheckContent(path string) error {
	if isBRAT(path, "") {
		return nil
	}
	f, err := input.Open(path)
	if cut, ok := errors.AsType[*input.HeaderError](err); ok {
		return &UnknownError{input.Name(path), cut.Compression + " data that ends in its header"}
	}
	if err != nil {
		return nil
	}
	defer f.Close()
	r := Reader{name: input.Name(path)}
	var unknown *UnknownError
	if _, err = r.detect(f.Reader); errors.As(err, &unknown) {
		return unknown
	}
	return nil
}

// detectReader returns the format of the documents in r, whose file is called name. It
// looks at the bytes that are there and waits for more only while they do not tell, so
// that a program which writes a line to a pipe gets its answer.
func detectReader(r *bufio.Reader, name string) (Format, error) {
	for want := 1; ; {
		_, err := r.Peek(want)
		if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		head, _ := r.Peek(r.Buffered()) // all that is there
		all := err != nil || len(head) == r.Size()
		format, got := detect(head, all)
		switch {
		case got != "":
			return "", &UnknownError{name, got}
		case format != "":
			return format, nil
		}
		want = len(head) + 1
	}
}

// detect returns the format of a file from its first bytes; all says that no more of it can
// be had. The format is empty if the bytes do not tell yet, or if they are in no format
// of documents: then got says what they seem to be.
func detect(head []byte, all bool) (format Format, got string) {
	if kind := cmp.Or(input.ForeignKind(head), archiveKind(head)); kind != "" {
		return "", kind
	}
	head = bytes.TrimLeft(head, " \t\r\n")
	line, _, complete := bytes.Cut(head, []byte("\n"))
	complete = complete || all
	switch {
	case len(head) == 0:
		if all {
			return Text, ""
		}
		return "", ""
	case bytes.IndexByte(head, 0) >= 0:
		return "", binaryKind(head)
	case startsMarkup(head):
		return detectXML(head, all)
	case head[0] == '{', head[0] == '[' && !bytes.HasPrefix(head, []byte(markStart)) && startsJSONArray(head):
		return detectJSON(head, line, complete, all)
	case !all && head[0] == '[' && len(bytes.TrimSpace(head[1:])) == 0:
		return "", ""
	case isJSONList(head):
		return "", "a JSON list without objects: want objects with a \"text\""
	case !complete:
		return "", ""
	case line[0] == '#':
		return detectCommented(head, all), ""
	case !all && line[0] == '%' && percentComments.Match(head):
		return "", ""
	case latexCommand.Match(head):
		return "", "LaTeX"
	case i2b2Concept.Match(line):
		return "", "annotations of i2b2, which count lines and words: convert them to BRAT"
	case shareAnnotation.Match(line):
		return "", "annotations of n2c2 or ShARe, whose texts are in other files: convert them to BRAT"
	case dollarTable.Match(line):
		return "", "a table with $ between its cells, want tabs, commas, semicolons or bars"
	case cochraneRecord.Match(line):
		return "", "citations of the Cochrane Library: export RIS instead"
	case ovidRecord.Match(head):
		return "", "citations of Ovid: export RIS instead"
	case isMacTable(line):
		return "", "a table whose lines end with CR alone, want LF or CR LF"
	case table.SeparatorLine(strings.TrimSuffix(string(line), "\r")) != "":
		return CSV, ""
	case bibTeXEntry.Match(head):
		return "", "BibTeX: export RIS instead"
	case bratMention.Match(line):
		return "", "annotations of BRAT, whose text is in a file beside them (note.txt and note.ann)"
	}
	if format := detectLine(string(line)); format != Text {
		return format, ""
	}
	return detectLines(head, all)
}

// binaryKind returns what a file with a byte of 0 is. Text in UTF-16 with a byte-order mark has been decoded before.
func binaryKind(head []byte) string {
	const width, least = 2, 4
	var zeros [width]int // at even and odd places
	for i, c := range head[:min(len(head), 64)] {
		if c == 0 {
			zeros[i%width]++
		}
	}
	switch {
	case zeros[0] == 0 && zeros[1] >= least:
		return "UTF-16 without a byte-order mark: read it with formats.Options.Encoding utf-16le"
	case zeros[1] == 0 && zeros[0] >= least:
		return "UTF-16 without a byte-order mark: read it with formats.Options.Encoding utf-16be"
	}
	return "a binary file"
}

var (
	// latexCommand is the first line of a text of LaTeX that is no comment.
	latexCommand = regexp.MustCompile(`^(?:%[^\n]*\n|[ \t\r]*\n)*\\(?:documentclass|begin|section|chapter|title|usepackage|input|include)\b`)
	// percentComments is a text of which nothing but comments of LaTeX or BibTeX is there.
	percentComments = regexp.MustCompile(`^(?:%[^\n]*\n|[ \t\r]*\n)*(?:%[^\n]*)?$`)
	// i2b2Concept is a line of a file of concepts, assertions or relations of the challenges of i2b2 of 2010 to 2012.
	i2b2Concept = regexp.MustCompile(`^(?:c|EVENT|TIMEX3)="[^\n]*" \d+:\d+ \d+:\d+\|\|`)
	// shareAnnotation is a line of annotations of n2c2 of 2019, or of ShARe: the offsets are those of another file.
	shareAnnotation = regexp.MustCompile(`^(?:N\d+|\S+\.(?:txt|text))\|\|[^\n]*\|\|\d+\|\|\d+`)
	// dollarTable is a header of the files of FAERS.
	dollarTable    = regexp.MustCompile(`^[A-Za-z_]\w*(?:\$[A-Za-z_]\w*){2,}\r?$`)
	cochraneRecord = regexp.MustCompile(`^Record #\d+ of \d+`)
	ovidRecord     = regexp.MustCompile(`^(?:VN  - Ovid|<1>\r?\nUnique Identifier\r?\n)`)
)

// isMacTable reports whether a line is the header of a table and more, since its lines end with CR alone.
func isMacTable(line []byte) bool {
	header, rest, found := strings.Cut(string(line), "\r")
	return found && rest != "" && isTableHeader(header)
}

// bibTeXEntry is the first line of an entry of BibTeX, behind comments such as the one that JabRef writes.
var bibTeXEntry = regexp.MustCompile(`(?i)^(?:%[^\n]*\n|[ \t\r]*\n)*` +
	`@(article|book|inproceedings|incollection|misc|comment|string|preamble)\s*[{(]`)

// joinFormats lists formats for a message.
func joinFormats(formats []Format) string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = string(f)
	}
	return strings.Join(names, ", ")
}
