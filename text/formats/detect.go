package formats

import (
	"bufio"
	"bytes"
	"cmp"
	_ "embed" // the signatures
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

// detectReader returns the format of the documents in r, whose file is called name. It looks at the available bytes and
// waits for more only while they are inconclusive, so a program that writes a line to a pipe gets its answer.
func detectReader(r *bufio.Reader, name string) (Format, error) {
	for want := 1; ; {
		_, err := r.Peek(want)
		if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		head, _ := r.Peek(r.Buffered()) // all available bytes
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

// detect returns the format of a file from its first bytes; all means that there are no more. The format is empty if
// the bytes are inconclusive, or if they are not documents: then got describes them.
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
	case len(head) > 1 && head[0] == '<' && (head[1] == '?' || head[1] == '!' || isWord(string(head[1:2]))): // not "<0.05"
		return detectXML(head, all)
	case head[0] == '{', head[0] == '[' && !bytes.HasPrefix(head, []byte(markStart)):
		if format, got, isJSON := detectJSON(head, line, complete, all); isJSON {
			return format, got
		}
	}
	if !complete {
		return "", ""
	}
	tells := head
	if all {
		tells = append(slices.Clip(head), "\n\n"...)
	}
	first := strings.TrimSuffix(string(line), "\r")
	if header, rest, found := strings.Cut(first, "\r"); found && rest != "" && headerDelimiter(header) != "" {
		return "", "a table whose lines end with CR alone, want LF or CR LF"
	}
	if s := compare("first", tells, all); s != nil {
		return s.format, s.got
	}
	if line[0] == '#' {
		return detectCommented(head, all), ""
	}
	if format = detectLine(first); format != Text {
		return format, ""
	}
	s := cmp.Or(compare("more", tells, all), &signature{format: Text})
	return s.format, s.got
}

//go:embed signatures.txt
var signatureList string

// signature describes how to recognize a format, or a kind of file that is not documents: see signatures.txt.
type signature struct {
	format   Format // empty for files that are not documents
	got      string // description of those files
	words    map[string][]string
	patterns map[string]*regexp.Regexp
}

var signatures = parseSignatures(signatureList)

func parseSignatures(list string) (parsed []*signature) {
	for block := range strings.SplitSeq(list, "\n\n") {
		s := &signature{words: make(map[string][]string), patterns: make(map[string]*regexp.Regexp)}
		for line := range strings.Lines(block) {
			line = strings.TrimSuffix(line, "\n")
			key, value, _ := strings.Cut(line, ": ")
			format, isFormat := strings.CutPrefix(line, "format ")
			switch {
			case line[0] == '#':
			case isFormat:
				s.format = Format(format)
			case s.format == "" && s.got == "":
				s.got = line
			case key == "first", key == "more", key == "maybe", key == "tagged":
				s.patterns[key] = regexp.MustCompile(value)
			case slices.Contains([]string{"extensions", "roots", "members", "begins", "ends", "ids", "titles", "abstracts"}, key):
				s.words[key] = strings.Fields(value)
			default:
				panic("signatures.txt: no key begins " + input.Quote(line))
			}
		}
		parsed = append(parsed, s)
	}
	return parsed
}

// signatureOf returns the first signature for which is returns true, or nil.
func signatureOf(is func(*signature) bool) *signature {
	if i := slices.IndexFunc(signatures, is); i >= 0 {
		return signatures[i]
	}
	return nil
}

func (s *signature) has(kind, word string) bool { return slices.Contains(s.words[kind], word) }

// compare returns the first signature whose pattern of this kind matches the text, an empty signature if more of the
// text is needed, or nil.
func compare(kind string, text []byte, all bool) *signature {
	for _, s := range signatures {
		pattern, maybe := s.patterns[kind], s.patterns["maybe"]
		switch {
		case pattern == nil:
		case pattern.Match(text):
			return s
		case maybe != nil && !all && maybe.Match(text):
			return &signature{}
		}
	}
	return nil
}

// binaryKind describes a file that is not text: a zip archive or a file with a NUL byte; "" for text. UTF-16 with a
// byte-order mark has been decoded before.
func binaryKind(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte(input.ZipMark)):
		return "a zip archive (.xlsx, .docx, .odt, .epub and .zip are)"
	case bytes.IndexByte(head, 0) >= 0:
		return "a binary file, or UTF-16 without a byte-order mark: name the encoding utf-16le or utf-16be"
	}
	return ""
}

// detectCommented returns the format of a text whose first line begins with #: CoNLL or CoNLL-U if such a line follows
// the comments, otherwise the format of the first line. It returns "" if more of the text is needed.
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

// detectLine returns the format that the first line of a text suggests.
func detectLine(line string) Format {
	_, _, _, pubtator := cutSection(line)
	switch delimiter := headerDelimiter(line); {
	case pubtator:
		return PubTator
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

// detectXML returns the format to which the root element belongs. A file with an unknown root is PubMed XML if its
// first element is a record of PubMed: download programs wrap records like this.
func detectXML(head []byte, all bool) (Format, string) {
	decoder := input.NewXMLDecoder(bytes.NewReader(head), true) // element names are ASCII
	decoder.Strict = false
	got := "" // description of the root
	for {
		token, err := decoder.RawToken()
		switch {
		case err != nil && !all:
			return "", ""
		case err != nil && got == "":
			return "", "markup without a root element"
		case err != nil:
			return "", got
		}
		switch token := token.(type) {
		case xml.Directive:
			if strings.HasPrefix(strings.ToLower(string(token)), "doctype html") {
				return "", "HTML"
			}
		case xml.StartElement:
			other := &signature{got: "XML with the root element <" + token.Name.Local + ">"}
			root := cmp.Or(signatureOf(func(s *signature) bool { return s.has("roots", token.Name.Local) }), other)
			switch {
			case root.format != "" && got == "", root.format == PubMed:
				return root.format, ""
			case got != "":
				return "", got
			}
			got = root.got
		}
	}
}
