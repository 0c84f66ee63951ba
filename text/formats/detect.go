package formats

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/xml"
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

// foreignExtensions are the extensions of files that look like text and are no documents, and what they are.
var foreignExtensions = map[string]string{
	".yaml": "YAML: want an object of JSON a line", ".yml": "YAML: want an object of JSON a line",
	".toml": "TOML: want an object of JSON a line", ".eml": "an e-mail",
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

// detect returns the format of a file from its first bytes; all says that no more of it can be had. The format is empty
// if the bytes do not tell yet, or if they are in no format of documents: then got says what they seem to be.
func detect(head []byte, all bool) (format Format, got string) {
	if kind := cmp.Or(input.ForeignKind(head), binaryKind(head)); kind != "" {
		return "", kind
	}
	head = bytes.TrimLeft(head, " \t\r\n")
	line, _, complete := bytes.Cut(head, []byte("\n"))
	complete = complete || all
	switch {
	case len(head) == 0 && all:
		return Text, ""
	case len(head) == 0:
		return "", ""
	case startsMarkup(head):
		return detectXML(head, all)
	case head[0] == '{', head[0] == '[' && !bytes.HasPrefix(head, []byte(markStart)):
		if format, got, isJSON := detectJSON(head, line, complete, all); isJSON {
			return format, got
		}
	}
	if !complete {
		return "", ""
	}
	if line[0] == '#' {
		return detectCommented(head, all), ""
	}
	tells := head
	if all {
		tells = append(slices.Clip(head), "\n\n"...)
	}
	first := strings.TrimSuffix(string(line), "\r")
	if header, rest, found := strings.Cut(first, "\r"); found && rest != "" && headerDelimiter(header) != "" {
		return "", "a table whose lines end with CR alone, want LF or CR LF"
	}
	format, got, sure := compare(firstLines, tells, all)
	if !sure {
		return format, got
	}
	if format = detectLine(first); format != Text {
		return format, ""
	}
	if format, got, sure = compare(moreLines, tells, all); !sure {
		return format, got
	}
	return Text, ""
}

// signature tells texts by their first lines.
type signature struct {
	format Format // empty of files that are no documents
	got    string // what these are
	is     *regexp.Regexp
	maybe  *regexp.Regexp // matches the start of a text that may yet turn out to be one; nil if the first line tells
}

// compare compares a text with signatures; none says that it has none. Without it, and without a result, more of
// the text is needed.
func compare(signatures []signature, text []byte, all bool) (format Format, got string, none bool) {
	for _, s := range signatures {
		switch {
		case s.is.Match(text):
			return s.format, s.got, false
		case s.maybe != nil && !all && s.maybe.Match(text):
			return "", "", false
		}
	}
	return "", "", true
}

// Parts of regular expressions: lines of comments of LaTeX, or of BibTeX as JabRef has it, or blank; a line of a token
// and a tag with a type, or O, between spaces; and lines in the head of an e-mail.
const (
	comments  = `^(?:%[^\n]*\n|[ \t\r]*\n)*`
	spacedTag = `(?:[^ \t\r\n]+[ \t]+)+(?:O|[BIMELSUW]-[^ \t\r\n]+)[ \t\r]*\n`
	mailField = `(?:[A-Za-z][A-Za-z0-9-]*:|[ \t]+[^ \t\r\n])[^\n]*\n`
	mailFirst = `^(?:From|To|Subject|Return-Path|Received|Delivered-To|MIME-Version|Message-I[Dd]): `
	mailOnly  = `(?:Return-Path: <|Received: (?:from|by) |MIME-Version: 1|Message-I[Dd]: <|Content-Transfer-Encoding: )`
)

// firstLines tell by the first line, but for comments, and stronger than the formats of documents.
var firstLines = []signature{
	{got: "LaTeX", maybe: regexp.MustCompile(`^%[^\n]*(?:\n(?:%[^\n]*|[ \t\r]*))*$`),
		is: regexp.MustCompile(comments + `\\(?:documentclass|begin|section|chapter|title|usepackage|input|include)\b`)},
	{got: "BibTeX: export RIS instead", is: regexp.MustCompile(`(?i)` + comments +
		`@(?:article|book|inproceedings|incollection|misc|comment|string|preamble)\s*[{(]`)},
	{got: "annotations of i2b2, which count lines and words: convert them to BRAT",
		is: regexp.MustCompile(`^(?:c|EVENT|TIMEX3)="[^\n]*" \d+:\d+ \d+:\d+\|\|`)},
	{got: "annotations of n2c2 or ShARe, whose texts are in other files: convert them to BRAT",
		is: regexp.MustCompile(`^(?:N\d+|\S+\.(?:txt|text))\|\|[^\n]*\|\|\d+\|\|\d+`)},
	{got: "a table with $ between its cells, want tabs, commas, semicolons or bars", // as the files of FAERS
		is: regexp.MustCompile(`^[A-Za-z_]\w*(?:\$[A-Za-z_]\w*){2,}\r?\n`)},
	{got: "citations of the Cochrane Library: export RIS instead", is: regexp.MustCompile(`^Record #\d+ of \d+`)},
	{got: "citations of Ovid: export RIS instead",
		is: regexp.MustCompile(`^(?:VN  - Ovid|<1>\r?\nUnique Identifier\r?\n)`)},
	{got: "annotations of BRAT, whose text is in a file beside them (note.txt and note.ann)",
		is: regexp.MustCompile(`^T[0-9]+\t\S+ [0-9]+ [0-9]+(?:;[0-9]+ [0-9]+)*(?:\t|\r?\n)`)},
	{format: CSV, is: regexp.MustCompile(`^"?sep=[\t,;|]"?\r?\n`)},
}

// moreLines tell texts whose first line is no format's.
var moreLines = []signature{
	{got: "citations that PubMed saved as text: save them in the format PubMed (.nbib) instead",
		is:    regexp.MustCompile(`^1[.:] \S[^\n]*\. (?:19|20)\d\d\b[^\n]*\n(?:[^\n]*\n)*?(?:PMID|PMCID|DOI): \S`),
		maybe: regexp.MustCompile(`^1[.:] \S[^\n]*\. (?:19|20)\d\d\b`)},
	{got: "e-mails", is: regexp.MustCompile(`^From \S+@\S+ +(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) `)},
	{got: "an e-mail", is: regexp.MustCompile(`^` + mailOnly + `|` + mailFirst + `[^\n]*\n(?:` + mailField + `)*?` + mailOnly),
		maybe: regexp.MustCompile(mailFirst + `[^\n]*\n(?:` + mailField + `)*[^\n]*$`)},
	{got: "subtitles", is: regexp.MustCompile(`^[0-9]+\r?\n[^\n]* --> `), maybe: regexp.MustCompile(`^[0-9]+\r?\n[^\n]*$`)},
	{format: CoNLL, is: regexp.MustCompile(`^(?:` + spacedTag + `){2,}[ \t\r]*\n`),
		maybe: regexp.MustCompile(`^(?:` + spacedTag + `)+[^\n]*$`)},
}

// binaryKind returns what a file is that is no text: a zip archive, an old Office file, or one with a NUL byte. Text in
// UTF-16 with a byte-order mark has been decoded before.
func binaryKind(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte(zipMark)):
		return "a zip archive (.xlsx, .docx, .odt, .epub and .zip are)"
	case bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0")):
		return "an old Office file (.doc, .xls)"
	case bytes.IndexByte(head, 0) < 0:
		return ""
	}
	const width, least = 2, 4
	var zeros [width]int // at even and odd places
	for i, c := range head[:min(len(head), 64)] {
		if c == 0 {
			zeros[i%width]++
		}
	}
	switch {
	case zeros[0] == 0 && zeros[1] >= least:
		return "UTF-16 without a byte-order mark: name the encoding utf-16le"
	case zeros[1] == 0 && zeros[0] >= least:
		return "UTF-16 without a byte-order mark: name the encoding utf-16be"
	}
	return "a binary file"
}

// detectCommented returns the format of a text whose first line begins with #: that of CoNLL or CoNLL-U if a line of
// it follows the comments. It is empty if more is needed.
func detectCommented(head []byte, all bool) Format {
	first, _, _ := strings.Cut(string(head), "\n")
	for line := range strings.Lines(string(head)) {
		text, complete := strings.CutSuffix(line, "\n")
		text = strings.TrimSuffix(text, "\r")
		switch {
		case !complete && !all:
			return ""
		case strings.TrimSpace(text) == "", text[0] == '#':
		case isCoNLLU(text):
			return conllu
		case isTagged(strings.Split(text, "\t")):
			return CoNLL
		default:
			return detectLine(first)
		}
	}
	if !all {
		return ""
	}
	return detectLine(first)
}

// detectLine returns the format that the first line of a text speaks for.
func detectLine(line string) Format {
	_, _, _, pubtator := cutSection(line)
	switch citations, delimiter := citationFormatOf(line), headerDelimiter(line); {
	case pubtator:
		return PubTator
	case citations != nil:
		return citations.name
	case isCoNLLU(line):
		return conllu
	case strings.HasPrefix(line, docStart), isTagged(strings.Split(line, "\t")):
		return CoNLL
	case delimiter == "\t" && !strings.Contains(line, markStart):
		return TSV
	case delimiter != "" && !strings.Contains(line, markStart):
		return CSV
	}
	return Text
}

// joinFormats lists formats for a message.
func joinFormats(formats []Format) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(formats), "[]"), " ", ", ")
}

// startsMarkup reports whether head starts like XML or HTML, and not like "<0.05" or "< 3".
func startsMarkup(head []byte) bool {
	return len(head) > 1 && head[0] == '<' && (head[1] == '?' || head[1] == '!' || isWord(string(head[1:2])))
}

// roots are the root elements of XML that is read, and of markup that is often given in place of a text.
var roots = map[string]signature{
	"collection":           {format: BioC},
	"PubmedArticleSet":     {format: PubMed},
	"PubmedArticle":        {format: PubMed},
	"PubmedBookArticleSet": {format: PubMed},
	"PubmedBookArticle":    {format: PubMed},
	"DeleteCitation":       {format: PubMed},
	"MedlineCitationSet":   {format: PubMed},
	"MedlineCitation":      {format: PubMed},
	"pmc-articleset":       {format: JATS},
	"article":              {format: JATS},
	"html":                 {got: "HTML"},
	"ClinicalDocument":     {got: "a document of HL7 CDA: take the texts out of its sections"},
	"TEI":                  {got: "TEI, as GROBID writes: want JATS, or its text"},
	"XMI":                  {got: "XMI of UIMA: export BioC or BRAT"},
	"GateDocument":         {got: "XML of GATE: export BioC or BRAT"},
	"xml":                  {got: "XML of EndNote: export RIS instead"},
}

// detectXML returns the format that the root element belongs to. A root element of any other name is one of PubMed XML
// if PubMed's records are its first element: programs that download records wrap them so.
func detectXML(head []byte, all bool) (Format, string) {
	decoder := xml.NewDecoder(bytes.NewReader(head))
	decoder.Strict = false
	// names of elements are ASCII
	decoder.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	got := "" // what the root is
	for {
		token, err := decoder.RawToken()
		switch {
		case err != nil && !all:
			return "", ""
		case err != nil && got == "":
			return "", "markup without a root element"
		case err != nil:
			return "", got + serverMessage(head)
		}
		switch token := token.(type) {
		case xml.Directive:
			if strings.HasPrefix(strings.ToLower(string(token)), "doctype html") {
				return "", "HTML"
			}
		case xml.StartElement:
			root := roots[token.Name.Local]
			switch {
			case root.format != "" && got == "", root.format == PubMed:
				return root.format, ""
			case got != "":
				return "", got + serverMessage(head)
			}
			if got = root.got; got == "" {
				got = "XML with the root element <" + token.Name.Local + ">"
			}
		}
	}
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
