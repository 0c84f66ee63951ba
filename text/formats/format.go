package formats

import (
	"bufio"
	"fmt"
)

// Format is the name of a format of annotated documents.
type Format string

// These are the formats described in docs/formats.md.
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
	conllu   Format = "conllu"
	medline  Format = "medline"
	ris      Format = "ris"
	endNote  Format = "endnote"
	wos      Format = "wos"
	CSV      Format = "csv"
	TSV      Format = "tsv"
	XLSX     Format = "xlsx"
	PubMed   Format = "pubmed"
	JATS     Format = "jats"
	HTML     Format = "html"
	SSSOM    Format = "sssom"
	FHIR     Format = "fhir"
	OMOP     Format = "omop"
	Usagi    Format = "usagi"
	Parquet  Format = "parquet"

	jsonValues Format = "json" // [JSONL] whose objects are not on a line each; never the format of a reader
)

// inputFormat is a format that can be read.
type inputFormat struct {
	name Format
	read func(*file, *bufio.Reader) (parser, error)
}

// inputFormats lists all formats that can be read, in the order in which messages list them.
var inputFormats = []inputFormat{
	{name: Text, read: byLines(func(f *file) lineReader { return lineDocuments{f, f.textLine} })},
	{name: Plain, read: readPlain},
	{name: Mentions, read: byLines(func(f *file) lineReader { return lineDocuments{f, f.mentionLine} })},
	{name: JSONL, read: readJSONL},
	{name: PubTator, read: byLines(func(f *file) lineReader { return &pubtatorReader{file: f} })},
	{name: BioC, read: readBioCXML},
	{name: BioCJSON, read: readBioCJSON},
	{name: BRAT, read: func(f *file, _ *bufio.Reader) (parser, error) {
		return nil, fmt.Errorf("%s: BRAT has its annotations in a file of their own, want a file of text (note.txt) with "+
			"one beside it (note.ann)", f.name)
	}},
	{name: CoNLL, read: byLines(func(f *file) lineReader { return &conllReader{file: f} })},
	{name: conllu, read: byLines(func(f *file) lineReader { return &conlluReader{file: f, sentence: &conlluSentence{}} })},
	{name: CSV, read: readTable},
	{name: TSV, read: readTable},
	{name: XLSX, read: readSheet},
	{name: PubMed, read: readPubMed},
	{name: JATS, read: readJATS},
	{name: medline, read: byLines(newCitationReader)},
	{name: ris, read: byLines(newCitationReader)},
	{name: endNote, read: byLines(newCitationReader)},
	{name: wos, read: byLines(newCitationReader)},
	{name: jsonValues, read: readJSONValues},
}

// Formats returns the formats that a [Reader] reads.
func Formats() (names []Format) {
	for _, f := range inputFormats {
		if f.name != jsonValues {
			names = append(names, f.name)
		}
	}
	return names
}
