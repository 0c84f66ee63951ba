package formats

import (
	"fmt"
	"slices"
	"strings"
)

// Format is the name of a format of annotated documents.
type Format string

// The formats. The package comment has an example of each.
const (
	PubTator Format = "pubtator"
	BioC     Format = "bioc-xml"
	BioCJSON Format = "bioc-json"
	JSONL    Format = "jsonl"
	Text     Format = "text"
	Plain    Format = "plain"
	Mentions Format = "mentions"
	BRAT     Format = "brat"
	CoNLL    Format = "conll"
	CoNLLU   Format = "conllu"
	Medline  Format = "medline"
	RIS      Format = "ris"
	EndNote  Format = "endnote"
	WoS      Format = "wos"
	CSV      Format = "csv"
	TSV      Format = "tsv"
	XLSX     Format = "xlsx" // of a reader with [Options.OpenWorkbook], by the content alone
	PubMed   Format = "pubmed"
	JATS     Format = "jats"
	HTML     Format = "html"
	SSSOM    Format = "sssom"
	FHIR     Format = "fhir"
	OMOP     Format = "omop"
	Usagi    Format = "usagi"

	jsonValues Format = "json" // [JSONL] whose objects are not one a line; never the format of a reader
)

// Formats returns the formats that a [Reader] reads.
func Formats() []Format {
	return []Format{Text, Plain, Mentions, JSONL, PubTator, BioC, BioCJSON, BRAT, CoNLL, CoNLLU, CSV, TSV, PubMed, JATS,
		Medline, RIS, EndNote, WoS}
}

// ParseFormat returns the format of input called name, ignoring case. The empty name stands
// for the empty format, which is detected from the content.
func ParseFormat(name string) (Format, error) {
	if strings.EqualFold(name, "bioc") { // its name before there was BioC JSON
		return BioC, nil
	}
	return parseFormat(name, Formats())
}

func parseFormat(name string, formats []Format) (Format, error) {
	format := Format(strings.ToLower(name))
	if format != "" && !slices.Contains(formats, format) {
		return "", fmt.Errorf("document format %q: want one of %s", name, joinFormats(formats))
	}
	return format, nil
}
