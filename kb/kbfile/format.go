package kbfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/table"
)

// Format is the name of a dictionary format.
type Format string

// The supported formats. The package comment has an example line of each.
const (
	TSV      Format = "tsv"
	CSV      Format = "csv"
	CTD      Format = "ctd"
	OBO      Format = "obo"
	MRCONSO  Format = "mrconso"
	BioSyn   Format = "biosyn"
	JSONL    Format = "jsonl"
	JSON     Format = "json"
	MeSH     Format = "mesh"
	RDF      Format = "rdf"
	OBOGraph Format = "obograph"
	ScispaCy Format = "scispacy"
	FHIR     Format = "fhir"
	XLSX     Format = "xlsx"
	MRSTY    Format = "mrsty"
	ICD      Format = "icd"
	MedDRA   Format = "meddra"
	Orphanet Format = "orphanet"
	ClaML    Format = "claml"
	UniProt  Format = "uniprot"
	Names    Format = "names"
)

// ParseFormat returns the format called name, ignoring case. The empty name stands for
// the empty format, which is detected from the content.
func ParseFormat(name string) (Format, error) {
	format := Format(strings.ToLower(name))
	if format != "" && !slices.Contains(Formats(), format) {
		return "", fmt.Errorf("dictionary format %q: want one of %v", name, Formats())
	}
	return format, nil
}

var (
	// A concept identifier of UMLS or RxNorm, followed by the language and the other fields.
	// Each field ends with a bar: there are 17 in releases without the field CVF, 18 since 2004.
	mrconsoLine = regexp.MustCompile(`^(?:C\d{7}\|[^|]*|\d+\|[A-Z]{3})\|(?:[^|]*\|){15}`)
	// A concept identifier, a type and its number in the hierarchy of types.
	mrstyLine = regexp.MustCompile(`^(?:C\d{7}|\d+)\|T\d{3}\|[AB][\d.]*\|`)
	// The code and the name of a term, and the code of a preferred term or an empty field.
	meddraLine = regexp.MustCompile(`^\d{8}\$[^$]+\$(?:\d{8})?\$`)
	// A row of another file of UMLS or RxNorm, each field of which ends with a bar.
	rrfLine = regexp.MustCompile(`^(?:[^|]*\|){5,}$`)
	// Identifiers contain no white space, commas or bars.
	biosynLine = regexp.MustCompile(`^[^|\s,]+(?:\|[^|\s,]+)*\|\|[^|]`)
	oboLine    = regexp.MustCompile(`(?m)^(?:format-version:|\[Term\]\s*$)`)
	oboGraphs  = regexp.MustCompile(`"graphs"\s*:\s*\[\s*\{`)
	fhirType   = regexp.MustCompile(`^\s*\{[^{]*"resourceType"\s*:\s*"`)
	ctdFields  = regexp.MustCompile(`(?m)^# *Fields:|^#? *(?:Disease|Chemical|Gene)(?:Name|Symbol)[\t,]`)
)

// detect returns the format of a file from its first bytes, or "" if it matches none.
func detect(head []byte) Format {
	if bytes.HasPrefix(head, zipMark) {
		return XLSX
	}
	head = bytes.TrimLeft(head, " \t\r\n")
	switch {
	case len(head) == 0:
		return ""
	case head[0] == '<':
		return xmlFormats[rootElement(head)]
	case head[0] == '{' && oboGraphs.Match(head):
		return OBOGraph
	case head[0] == '{' && fhirType.Match(head):
		return FHIR
	case head[0] == '{':
		return detectJSON(head)
	case oboLine.Match(head):
		return OBO
	case flatFile.Match(head):
		return UniProt
	case head[0] == '[' && isObjectTable(head):
		return JSON
	case head[0] == '[':
		return JSONL
	}
	first := firstRow(head)
	switch {
	case mrconsoLine.MatchString(first):
		return MRCONSO
	case mrstyLine.MatchString(first):
		return MRSTY
	case meddraLine.MatchString(first):
		return MedDRA
	case isICD(head):
		return ICD
	case ctdFields.Match(head[:len(head)-len(first)]), ctdFields.MatchString(first):
		return CTD
	case table.SeparatorLine(first) != "":
		return CSV
	case strings.Contains(first, "\t"):
		return TSV
	case biosynLine.MatchString(first) && !rrfLine.MatchString(first):
		return BioSyn
	case tableFormat(head) != "":
		return tableFormat(head)
	case isNameList(head):
		return Names
	case strings.ContainsAny(first, ",;"):
		return CSV
	}
	return ""
}

// tableFormat returns the format of a table whose header is a comment, or stands below a title, or "" if there is none.
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
// is a string, and otherwise JSON, one object in the whole file. An object that is cut off is one of JSONL if what is
// seen of it has no other members.
func detectJSON(head []byte) Format {
	if isWrapped(head) {
		return JSON
	}
	decoder := json.NewDecoder(bytes.NewReader(head))
	if _, err := decoder.Token(); err != nil {
		return JSON
	}
	others := false // a member is none of JSONL
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			break
		}
		name, _ := key.(string)
		others = others || !slices.Contains(conceptMembers, name)
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			if !others && errors.Is(err, io.ErrUnexpectedEOF) {
				return JSONL
			}
			break
		}
		switch {
		case key == "id" && value[0] != '[':
			return JSONL
		case key == "concept_id" && value[0] == '"':
			return ScispaCy
		}
	}
	if isObjectTable(head) {
		return JSONL
	}
	return JSON
}

// conceptMembers are the members of a [conceptJSON] besides its "id".
var conceptMembers = func() (names []string) {
	for field := range reflect.TypeFor[conceptJSON]().Fields() {
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "id" {
			names = append(names, name)
		}
	}
	return names
}()

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
