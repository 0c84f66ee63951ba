package dictionary

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Format names the layout of a dictionary file.
type Format string

// The formats that are read. The package comment shows a line of each.
const (
	TSV     Format = "tsv"
	CSV     Format = "csv"
	CTD     Format = "ctd"
	OBO     Format = "obo"
	MRCONSO Format = "mrconso"
	BioSyn  Format = "biosyn"
	JSONL   Format = "jsonl"
	JSON    Format = "json"
)

// Formats lists the formats that can be asked for by name.
func Formats() []Format {
	return []Format{TSV, CSV, CTD, OBO, MRCONSO, BioSyn, JSONL, JSON}
}

// ParseFormat is the format called name, in any case. The empty name is the
// empty format: by content.
func ParseFormat(name string) (Format, error) {
	format := Format(strings.ToLower(name))
	if format != "" && !slices.Contains(Formats(), format) {
		return "", fmt.Errorf("dictionary format %q: want one of %v", name, Formats())
	}
	return format, nil
}

var (
	// A concept identifier of UMLS, and at least the 17 bars of the releases
	// that had no CVF field; 18 since 2004.
	mrconsoLine = regexp.MustCompile(`^C\d{7}\|(?:[^|]*\|){16}`)
	// Identifiers hold neither blanks nor the other separators.
	biosynLine = regexp.MustCompile(`^[^|\s,]+(?:\|[^|\s,]+)*\|\|`)
	oboLine    = regexp.MustCompile(`(?m)^(?:format-version:|\[Term\]\s*$)`)
	ctdFields  = regexp.MustCompile(`(?m)^# *Fields:|^#? *(?:Disease|Chemical|Gene)(?:Name|Symbol)[\t,]`)
)

// detect recognises a format by the first bytes of a file. Empty means none.
func detect(head []byte) Format {
	head = bytes.TrimLeft(head, " \t\r\n")
	switch {
	case len(head) == 0:
		return ""
	case head[0] == '{':
		return detectJSON(head)
	case oboLine.Match(head):
		return OBO
	case head[0] == '[':
		return JSONL
	}
	first := firstRow(head)
	switch {
	case mrconsoLine.MatchString(first):
		return MRCONSO
	case ctdFields.Match(head[:len(head)-len(first)]), ctdFields.MatchString(first):
		return CTD
	case strings.Contains(first, "\t"):
		return TSV
	case biosynLine.MatchString(first):
		return BioSyn
	case strings.Contains(first, ","):
		return CSV
	}
	return ""
}

// detectJSON tells one object a line, each with an "id" that is no list, from
// one object in all.
func detectJSON(head []byte) Format {
	decoder := json.NewDecoder(bytes.NewReader(head))
	if _, err := decoder.Token(); err != nil {
		return JSON
	}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			break
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			break
		}
		if key == "id" && value[0] != '[' {
			return JSONL
		}
	}
	return JSON
}

// firstRow is the first line that is neither empty nor a comment.
func firstRow(head []byte) string {
	for line := range bytes.Lines(head) {
		line = bytes.TrimRight(line, "\r\n")
		if len(line) > 0 && line[0] != '#' {
			return string(line)
		}
	}
	return ""
}
