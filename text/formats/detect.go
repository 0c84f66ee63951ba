package formats

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
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
	case input.SeparatorLine(strings.TrimSuffix(string(line), "\r")) != "":
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

// detectLines returns the format that several lines speak for where the first alone speaks for none. Both results are
// empty if more is needed.
func detectLines(head []byte, all bool) (format Format, got string) {
	lines := strings.Split(strings.ReplaceAll(string(head), "\r\n", "\n"), "\n")
	if !all {
		lines = lines[:len(lines)-1] // which may go on
	}
	// scan returns the first result of tell that is not empty, for a line and those after it. Behind the last line of
	// all is an empty one.
	scan := func(from int, tell func(i int, line string) (Format, string)) (format Format, got string) {
		for i := from; format == "" && got == ""; i++ {
			line := ""
			if i < len(lines) {
				line = lines[i]
			} else if !all {
				break
			}
			format, got = tell(i, line)
		}
		return format, got
	}
	switch first := lines[0]; {
	case pubMedSummary.MatchString(first):
		return scan(0, func(i int, line string) (Format, string) {
			switch {
			case pubMedIdentifier.MatchString(line):
				return "", "citations that PubMed saved as text: save them in the format PubMed (.nbib) instead"
			case i == len(lines), i == maxCitationLines:
				return Text, ""
			}
			return "", ""
		})
	case mboxLine.MatchString(first):
		return "", "e-mails"
	case mailHeader.MatchString(first):
		return scan(0, func(_ int, line string) (Format, string) {
			switch {
			case mailOnlyHeader.MatchString(line):
				return "", "an e-mail"
			case !headerLine.MatchString(line):
				return Text, ""
			}
			return "", ""
		})
	case subtitleNumber.MatchString(first):
		return scan(1, func(_ int, line string) (Format, string) {
			if strings.Contains(line, " --> ") {
				return "", "subtitles"
			}
			return Text, ""
		})
	case isSpacedTag(first):
		return scan(1, func(i int, line string) (Format, string) {
			switch {
			case i > 1 && strings.TrimSpace(line) == "":
				return CoNLL, ""
			case !isSpacedTag(line):
				return Text, ""
			}
			return "", ""
		})
	}
	return Text, ""
}

var (
	// mboxLine separates the e-mails of a mailbox.
	mboxLine = regexp.MustCompile(`^From \S+@\S+ +(Mon|Tue|Wed|Thu|Fri|Sat|Sun) `)
	// mailHeader is the first line of an e-mail, and mailOnlyHeader a line that nothing else has.
	mailHeader     = regexp.MustCompile(`^(From|To|Subject|Return-Path|Received|Delivered-To|MIME-Version|Message-I[Dd]): `)
	mailOnlyHeader = regexp.MustCompile(`^(Return-Path: <|Received: (from|by) |MIME-Version: 1|Message-I[Dd]: <|Content-Transfer-Encoding: )`)
	headerLine     = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9-]*:|[ \t]+\S)`)
	subtitleNumber = regexp.MustCompile(`^[0-9]+$`)
	// The first line of a citation that PubMed saved as "Abstract (text)", and a line at its end.
	pubMedSummary    = regexp.MustCompile(`^1[.:] \S.*\. (?:19|20)\d\d\b`)
	pubMedIdentifier = regexp.MustCompile(`^(?:PMID|PMCID|DOI): \S`)
)

// maxCitationLines is more than a citation with its authors and its abstract has.
const maxCitationLines = 400

// isSpacedTag reports whether a line is that of a token and a tag with a type, or O, between spaces.
func isSpacedTag(line string) bool {
	cells := strings.Fields(line)
	if len(cells) < 2 {
		return false
	}
	last := cells[len(cells)-1]
	return last == outside || len(last) > 2 && isCoNLLTag(last)
}

// isJSONList reports whether head starts like a JSON list of strings or lists, and not like a text in brackets.
func isJSONList(head []byte) bool {
	if head[0] != '[' || !strings.ContainsRune(`["`, rune(append(bytes.TrimLeft(head[1:], " \t\r\n"), ' ')[0])) {
		return false
	}
	decoder := json.NewDecoder(bytes.NewReader(head[1:]))
	var first json.RawMessage
	if decoder.Decode(&first) != nil {
		return false
	}
	rest := bytes.TrimLeft(head[1+decoder.InputOffset():], " \t\r\n")
	return len(rest) > 0 && (rest[0] == ',' || rest[0] == ']' && len(bytes.TrimSpace(rest)) == 1)
}

// startsMarkup reports whether head starts like XML or HTML, and not like "<0.05" or "< 3".
func startsMarkup(head []byte) bool {
	return len(head) > 1 && head[0] == '<' && (head[1] == '?' || head[1] == '!' || isWord(string(head[1:2])))
}

// detectXML returns the format that the root element belongs to. A root element of any other
// name is one of PubMed XML if PubMed's records are its first element: programs that download
// records wrap them so.
func detectXML(head []byte, all bool) (Format, string) {
	decoder := xml.NewDecoder(bytes.NewReader(head))
	decoder.Strict = false
	// names of elements are ASCII
	decoder.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	root := ""
	for {
		token, err := decoder.RawToken()
		switch {
		case err != nil && !all:
			return "", ""
		case err != nil && root == "":
			return "", "markup without a root element"
		case err != nil:
			return "", rootKind(root) + serverMessage(head)
		}
		switch token := token.(type) {
		case xml.Directive:
			if strings.HasPrefix(strings.ToLower(string(token)), "doctype html") {
				return "", "HTML"
			}
		case xml.StartElement:
			format, ok := rootFormats[token.Name.Local]
			switch {
			case root == "" && ok, format == PubMed:
				return format, ""
			case root != "":
				return "", rootKind(root) + serverMessage(head)
			}
			root = token.Name.Local
		}
	}
}

// rootKind returns what XML with a root element is that is no document.
func rootKind(root string) string {
	if kind := foreignRoots[root]; kind != "" {
		return kind
	}
	return "XML with the root element <" + root + ">"
}

// foreignRoots are the root elements of markup that is often given in place of a text, and what it is called.
var foreignRoots = map[string]string{
	"html":             "HTML",
	"ClinicalDocument": "a document of HL7 CDA: take the texts out of its sections",
	"TEI":              "TEI, as GROBID writes: want JATS, or its text",
	"XMI":              "XMI of UIMA: export BioC or BRAT",
	"GateDocument":     "XML of GATE: export BioC or BRAT",
	"xml":              "XML of EndNote: export RIS instead",
}

// rootFormats maps the root elements of XML to formats.
var rootFormats = map[string]Format{
	"collection":           BioC,
	"PubmedArticleSet":     PubMed,
	"PubmedArticle":        PubMed,
	"PubmedBookArticleSet": PubMed,
	"PubmedBookArticle":    PubMed,
	"DeleteCitation":       PubMed,
	"MedlineCitationSet":   PubMed,
	"MedlineCitation":      PubMed,
	"pmc-articleset":       JATS,
	"article":              JATS,
}

// serverMessage returns what an answer of NCBI's E-utilities says is wrong, ": " before it.
func serverMessage(head []byte) string {
	for _, name := range []string{"ERROR", "error"} {
		_, rest, ok := bytes.Cut(head, []byte("<"+name+">"))
		if message, _, closed := bytes.Cut(rest, []byte("<")); ok && closed {
			return ": " + input.Quote(strings.TrimSpace(string(message)))
		}
	}
	return ""
}

// startsJSONArray reports whether head, which begins with a bracket, may be a JSON array of
// objects and not a text in brackets.
func startsJSONArray(head []byte) bool {
	rest := bytes.TrimLeft(head[1:], " \t\r\n")
	return len(rest) > 0 && rest[0] == '{'
}

// detectJSON tells JSON lines from other JSON. A line that is longer than what can be seen of it is one
// object, of BioC if one of its first members is BioC's.
func detectJSON(head, line []byte, complete, all bool) (Format, string) {
	if !complete {
		return "", ""
	}
	for _, f := range foreignMembers {
		if hasMember(head, f.member) && !hasStringMember(head, "text") {
			return "", f.name
		}
	}
	if wrappedDocuments(head) != nil {
		return jsonValues, ""
	}
	isBioC := namesBioC(head)
	if head[0] == '{' && !isBioC {
		next := bytes.TrimLeft(head[len(line):], " \t\r\n")
		isWhole := json.Valid(line)
		oneLine := len(line) == len(head) && len(bytes.TrimSpace(line)) > 1
		if isWhole || oneLine || isLineOfJSON(line) || bytes.HasPrefix(next, []byte("{")) {
			return JSONL, "" // perhaps malformed, which the parser reports
		}
	}
	if isBioC {
		return BioCJSON, ""
	}
	if hasMember(head, "text") || isBigBIO(head) || hasMember(head, slices.Concat(titleMembers, otherTextMembers)...) ||
		hasMember(head, "data") && hasMember(head, "annotations", "predictions") {
		return jsonValues, ""
	}
	if !all {
		return "", ""
	}
	return "", "JSON that is no list of objects with a \"text\""
}

// wrappedDocuments returns the path to the first list of objects with texts within an object without one, nil if there
// is none.
func wrappedDocuments(head []byte) []string {
	if hasMember(head, "text") || hasMember(head, otherTextMembers...) || isBigBIO(head) {
		return nil
	}
	return input.WrappedList(head, func(name string, list []byte) bool {
		isBioC := name == "passages" || hasMember(list, "passages")
		return !isBioC && (hasMember(list, "text") || hasMember(list, otherTextMembers...))
	})
}

// foreignMembers are members of objects that are no documents, and what these are called.
var foreignMembers = []struct{ member, name string }{
	{"resourceType", "FHIR: take the texts out of its resources"},
	{"protocolSection", "a study of ClinicalTrials.gov: take the texts out of its sections"},
	{"projects", "an export of MedCATtrainer: take the documents out of its projects (jq -c '.projects[].documents[]')"},
	{"ner_tags", "lists of tokens and tags: want CoNLL"},
}

// namesBioC reports whether the first object of JSON, which may be cut off, has a member of BioC.
func namesBioC(head []byte) bool {
	return hasMember(head, "passages", "documents", "PubTator3") && !isBigBIO(head)
}

// hasMember reports whether the first object of JSON, which may be cut off, has a member with one of these names.
func hasMember(head []byte, names ...string) bool { return findMember(head, names) != 0 }

// hasStringMember is like [hasMember] for members that are strings.
func hasStringMember(head []byte, names ...string) bool { return findMember(head, names) == '"' }

// findMember returns the first byte of the value of the first member with one of these names, 0 if there is none, and a
// space if the value is cut off before it.
func findMember(head []byte, names []string) byte {
	text := bytes.TrimLeft(head, "[ \t\r\n")
	decoder := json.NewDecoder(bytes.NewReader(text))
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return 0
	}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return 0
		}
		if name, ok := key.(string); ok && slices.Contains(names, name) {
			return append(bytes.TrimLeft(text[decoder.InputOffset():], ": \t\r\n"), ' ')[0]
		}
		var value json.RawMessage
		if decoder.Decode(&value) != nil {
			return 0
		}
	}
	return 0
}

// isLineOfJSON reports whether a malformed line was meant as one object, and is not the first
// of an object on several lines.
func isLineOfJSON(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) > 1 && !bytes.ContainsAny(line[len(line)-1:], "{[,:")
}

// detectCommented returns the format of a text whose first line begins with #: that of CoNLL or CoNLL-U if a line of
// it follows the comments. It is empty if more is needed.
func detectCommented(head []byte, all bool) Format {
	first, rest, _ := bytes.Cut(head, []byte("\n"))
	for line := first; ; {
		switch {
		case len(line) > 0 && line[0] != '#' && isCoNLLU(strings.TrimSuffix(string(line), "\r")):
			return CoNLLU
		case len(line) > 0 && line[0] != '#' && isTagged(strings.Split(strings.TrimSuffix(string(line), "\r"), "\t")):
			return CoNLL
		case len(bytes.TrimSpace(line)) > 0 && line[0] != '#':
			return detectLine(string(first))
		}
		next, after, complete := bytes.Cut(rest, []byte("\n"))
		switch {
		case !complete && !all:
			return ""
		case !complete && len(next) == 0:
			return detectLine(string(first))
		}
		line, rest = next, after
	}
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

// detectLine returns the format that the first line of a text speaks for.
func detectLine(line string) Format {
	_, _, _, pubtator := cutSection(line)
	cells := strings.Split(strings.TrimSuffix(line, "\r"), "\t")
	switch {
	case pubtator:
		return PubTator
	case citationFormatOf(line) != nil:
		return citationFormatOf(line).name
	case isCoNLLU(strings.TrimSuffix(line, "\r")):
		return CoNLLU
	case strings.HasPrefix(line, docStart), isTagged(cells):
		return CoNLL
	case isTableHeader(strings.TrimSuffix(line, "\r")) && !strings.Contains(line, markStart):
		if delimiter, _ := sniffDelimiter(line); delimiter == '\t' {
			return TSV
		}
		return CSV
	}
	return Text
}

// isTagged reports whether cells are those of a line of CoNLL: a token, and somewhere a tag. Only the last cell
// may be a bare letter other than O.
func isTagged(cells []string) bool {
	if len(cells) < 2 || strings.Contains(cells[0], " ") {
		return false
	}
	return isCoNLLTag(cells[len(cells)-1]) || slices.ContainsFunc(cells[1:], func(cell string) bool {
		return isCoNLLTag(cell) && (cell == outside || len(cell) > 1)
	})
}

// joinFormats lists formats for a message.
func joinFormats(formats []Format) string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = string(f)
	}
	return strings.Join(names, ", ")
}
