package pubmed

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/sentence"
)

// oracle is a simple implementation of the reader: the raw tokens of encoding/xml, the path of each element as a
// string, the whole file in memory. It stops at the first error. The tests compare the Reader with it.
type oracle struct {
	path     []string // of the open elements
	text     strings.Builder
	sups     []int // places in text where superscripts begin
	keep     int   // depth of the element with text that is kept, 0 if none is
	record   *Record
	bookName string
	root     string // name of the first element
	english  bool   // whether the current OtherAbstract is the one to read

	records []*Record
	deleted []string
}

// oracleKinds maps the path of an element to its kind. The path starts at the element that starts a record or the list
// of deleted citations, but for a PubmedArticle at its MedlineCitation.
var oracleKinds = map[string]string{
	"PubmedArticle": "record", "PubmedBookArticle": "record", "MedlineCitation": "record",

	"MedlineCitation/PMID": "pmid", "PubmedBookArticle/BookDocument/PMID": "pmid", "DeleteCitation/PMID": "deleted",

	"MedlineCitation/Article/ArticleTitle":          "title",
	"PubmedBookArticle/BookDocument/ArticleTitle":   "title",
	"PubmedBookArticle/BookDocument/Book/BookTitle": "book title",

	"MedlineCitation/Article/Journal/JournalIssue/PubDate/Year":        "year",
	"MedlineCitation/Article/Journal/JournalIssue/PubDate/MedlineDate": "year",
	"PubmedBookArticle/BookDocument/Book/PubDate/Year":                 "year",
	"PubmedBookArticle/BookDocument/Book/PubDate/MedlineDate":          "year",

	"MedlineCitation/Article/Abstract/AbstractText":        "section",
	"PubmedBookArticle/BookDocument/Abstract/AbstractText": "section",
	"MedlineCitation/OtherAbstract/AbstractText":           "other section",
}

var oracleStarts = map[string]bool{
	"PubmedArticle": true, "PubmedBookArticle": true, "MedlineCitation": true, "DeleteCitation": true,
}

// inside returns the depth of the element that starts the record, or -1 outside records.
func (o *oracle) inside() int {
	for i, name := range o.path {
		if name == "ERROR" {
			return -1
		}
		if oracleStarts[name] {
			return i
		}
	}
	return -1
}

func (o *oracle) kind() string {
	start := o.inside()
	if start < 0 {
		return ""
	}
	path := strings.Join(o.path[start:], "/")
	within, _ := strings.CutPrefix(path, "PubmedArticle/MedlineCitation/")
	if within != path {
		path = "MedlineCitation/" + within
	}
	return oracleKinds[path]
}

func (o *oracle) read(input []byte) error {
	body := bytes.TrimPrefix(input, byteOrderMark)
	mark := int64(len(input) - len(body))
	d := xml.NewDecoder(bytes.NewReader(body))
	for {
		before := d.InputOffset()
		token, err := d.RawToken()
		if err == io.EOF && (len(o.path) > 0 || o.root == "") {
			return io.ErrUnexpectedEOF
		}
		if err == io.EOF && len(o.records) == 0 && len(o.deleted) == 0 && !isRecordSet(o.root) {
			return errors.New("not PubMed")
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			err = o.start(token, mark+before)
		case xml.EndElement:
			err = o.end(oracleName(token.Name))
		case xml.CharData:
			if o.keep > 0 {
				o.text.Write(token)
			}
			if len(o.path) == 0 && oracleSpace(string(body[before:d.InputOffset()])) != "" {
				err = errors.New("text outside all elements")
			}
		}
		if err != nil {
			return err
		}
	}
}

func (o *oracle) start(e xml.StartElement, offset int64) error {
	name := oracleName(e.Name)
	if o.root == "" {
		o.root = name
	}
	if (o.inside() >= 0 || slices.Contains(o.path, "ERROR")) && (name == "PubmedArticle" || name == "PubmedBookArticle") {
		return fmt.Errorf("%s within a record", name)
	}
	if len(o.path) == maxDepth {
		return errors.New("too deep")
	}
	o.path = append(o.path, name)
	o.sups = append(o.sups, o.text.Len())
	kind := o.kind()
	if name == "OtherAbstract" && o.record != nil && !strings.HasSuffix(strings.Join(o.path, "/"), "OtherAbstract/OtherAbstract") {
		language, ok := oracleAttr(e, "Language")
		o.english = (!ok || language == "eng") && len(o.record.OtherSections) == 0
	}
	if kind != "" && kind != "record" {
		o.keep = len(o.path)
		o.text.Reset()
	}
	switch kind {
	case "record":
		o.record = &Record{Version: 1, Offset: offset}
		o.bookName = ""
	case "pmid":
		if value, ok := oracleAttr(e, "Version"); ok && o.record.PMID == "" {
			version, err := strconv.Atoi(value)
			if err != nil || version < 0 {
				return fmt.Errorf("version %q", value)
			}
			o.record.Version = version
		}
	case "section", "other section":
		label, _ := oracleAttr(e, "Label")
		if sections := o.sections(kind); sections != nil {
			*sections = append(*sections, Section{Label: oracleSpace(label)})
		}
	}
	return nil
}

func (o *oracle) end(name string) error {
	if len(o.path) == 0 || o.path[len(o.path)-1] != name {
		return fmt.Errorf("mismatched </%s>", name)
	}
	if name == "ERROR" && o.inside() < 0 {
		return errors.New("error of the server")
	}
	kind := o.kind()
	sup := o.sups[len(o.sups)-1]
	o.sups = o.sups[:len(o.sups)-1]
	isOuter := name == "sup" && !slices.Contains(o.path[o.keep:max(o.keep, len(o.path)-1)], "sup")
	if isOuter && o.keep > 0 && kind == "" && sentence.IsCitation(o.text.String()[:sup], o.text.String()[sup:]) {
		kept := o.text.String()[:sup]
		o.text.Reset()
		o.text.WriteString(kept)
	}
	if len(o.path) == o.keep {
		o.keep = 0
	}
	o.path = o.path[:len(o.path)-1]
	if kind == "" {
		return nil
	}
	text, rec := oracleSpace(o.text.String()), o.record
	switch kind {
	case "pmid", "deleted":
		if kind == "pmid" && rec.PMID != "" {
			return nil
		}
		if !oracleDigits.MatchString(text) {
			return fmt.Errorf("PMID %q", text)
		}
		if kind == "deleted" {
			o.deleted = append(o.deleted, text)
		} else {
			rec.PMID = text
		}
	case "title":
		if rec.Title == "" {
			rec.Title = text
		}
	case "book title":
		o.bookName = text
	case "year":
		if digits := oracleYear.FindString(o.text.String()); rec.Year == 0 && digits != "" {
			rec.Year, _ = strconv.Atoi(digits)
		}
	case "section", "other section":
		sections := o.sections(kind)
		if sections == nil {
			break
		}
		last := len(*sections) - 1
		(*sections)[last].Text = text
		if text == "" {
			*sections = (*sections)[:last]
		}
	case "record":
		if rec.PMID == "" {
			return errors.New("record without PMID")
		}
		if rec.Title == "" {
			rec.Title = o.bookName
		}
		o.records = append(o.records, rec)
	}
	return nil
}

// sections returns the sections of a kind, or nil if the kind is not read.
func (o *oracle) sections(kind string) *[]Section {
	switch {
	case kind == "section":
		return &o.record.Sections
	case o.english:
		return &o.record.OtherSections
	}
	return nil
}

func oracleName(n xml.Name) string {
	if n.Space != "" {
		return n.Space + ":" + n.Local
	}
	return n.Local
}

func oracleAttr(e xml.StartElement, name string) (string, bool) {
	for _, a := range e.Attr {
		if oracleName(a.Name) == name {
			return a.Value, true
		}
	}
	return "", false
}

var oracleYear = regexp.MustCompile(`[1-9][0-9]{3}`)

var oracleDigits = regexp.MustCompile(`^[0-9]+$`)

func oracleSpace(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t\r\n", r) }), " ")
}
