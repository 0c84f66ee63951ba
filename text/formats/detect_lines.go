package formats

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// knownLines are the first lines of a text.
type knownLines struct {
	lines []string
	all   bool // there are no others
}

// scan returns the first result of tell that is not empty, for a line and those after it. Behind the last line of all
// is an empty one.
func (k knownLines) scan(from int, tell func(i int, line string) (Format, string)) (format Format, got string) {
	for i := from; format == "" && got == ""; i++ {
		line := ""
		if i < len(k.lines) {
			line = k.lines[i]
		} else if !k.all {
			break
		}
		format, got = tell(i, line)
	}
	return format, got
}

// detectLines returns the format that several lines speak for where the first alone speaks for none. Both results are
// empty if more is needed.
func detectLines(head []byte, all bool) (format Format, got string) {
	lines := strings.Split(strings.ReplaceAll(string(head), "\r\n", "\n"), "\n")
	if !all {
		lines = lines[:len(lines)-1] // which may go on
	}
	known := knownLines{lines, all}
	switch first := lines[0]; {
	case pubMedSummary.MatchString(first):
		return known.scan(0, func(i int, line string) (Format, string) {
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
		return known.scan(0, func(_ int, line string) (Format, string) {
			switch {
			case mailOnlyHeader.MatchString(line):
				return "", "an e-mail"
			case !headerLine.MatchString(line):
				return Text, ""
			}
			return "", ""
		})
	case subtitleNumber.MatchString(first):
		return known.scan(1, func(_ int, line string) (Format, string) {
			if strings.Contains(line, " --> ") {
				return "", "subtitles"
			}
			return Text, ""
		})
	case isSpacedTag(first):
		return known.scan(1, func(i int, line string) (Format, string) {
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
