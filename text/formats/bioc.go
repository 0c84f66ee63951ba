package formats

import (
	"bufio"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/htmlindex"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/text"
)

// biocParser reads BioC XML (Comeau et al., Database 2013). The text of a document is
// the texts of its passages, or of their sentences, joined by single spaces, as PubTator
// joins a title and an abstract. Offsets count code points.
//
// By definition the offsets of mentions and passages refer to the source of the
// collection, so the position of a mention is its distance from its passage. The BC5CDR
// corpus violates this: the offsets of its abstracts count "&apos;" in the title as six
// characters while the offsets of mentions count it as one, and some mentions of the
// abstract are listed under the title. So if the mention's text is not found at its
// distance from the passage, its offset is taken as an offset in the document.
type biocParser struct {
	file       string
	decoder    *xml.Decoder
	records    *input.RecordReader // the source of decoder
	limits     input.Limits
	duplicates duplicateFilter
	sawRoot    bool // <collection> has been read
	done       bool
}

type biocXML struct {
	ID       string     `xml:"id"`
	Passages []biocText `xml:"passage"`
}

// biocText is a passage or a sentence of a passage.
type biocText struct {
	start       int              // byte offset in the document's text
	Offset      string           `xml:"offset"`
	Text        string           `xml:"text"`
	Sentences   []biocText       `xml:"sentence"`
	Annotations []biocAnnotation `xml:"annotation"`
}

type biocAnnotation struct {
	line   int
	Infons []struct {
		Key   string `xml:"key,attr"`
		Value string `xml:",chardata"`
	} `xml:"infon"`
	Locations []struct {
		Offset string `xml:"offset,attr"`
		Length string `xml:"length,attr"`
	} `xml:"location"`
	Text string `xml:"text"`
}

// UnmarshalXML decodes the annotation and records the line on which it begins.
func (a *biocAnnotation) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	type plain biocAnnotation // without this method
	line, _ := d.InputPos()
	err := d.DecodeElement((*plain)(a), &start)
	a.line = line
	return err
}

func newBioCParser(file string, r *bufio.Reader, limits input.Limits, seen duplicateFilter) *biocParser {
	records := input.NewRecordReader(r, "a document", limits)
	decoder := xml.NewDecoder(records)
	decoder.CharsetReader = func(label string, r io.Reader) (io.Reader, error) {
		encoding, err := htmlindex.Get(label)
		if err != nil {
			return nil, fmt.Errorf("encoding %q: %w", label, err)
		}
		return encoding.NewDecoder().Reader(r), nil
	}
	return &biocParser{file: file, decoder: decoder, records: records, limits: limits, duplicates: seen}
}

func (p *biocParser) next() ([]result, error) {
	if p.done {
		return nil, io.EOF
	}
	for {
		token, err := p.decoder.Token()
		if err != nil {
			return p.end(err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		line, _ := p.decoder.InputPos()
		if !p.sawRoot && start.Name.Local != "collection" {
			p.done = true
			return p.fail(line, fmt.Sprintf("want BioC's <collection>, got <%s>", start.Name.Local)), nil
		}
		p.sawRoot = true
		if start.Name.Local != "document" {
			continue
		}
		var parsed biocXML
		p.records.Begin(p.decoder.InputOffset())
		if err := p.decoder.DecodeElement(&parsed, &start); err != nil {
			return p.end(err)
		}
		p.records.Begin(p.decoder.InputOffset())
		if results := p.document(&parsed, line); len(results) > 0 {
			return results, nil
		}
	}
}

// end handles an error of the decoder, after which nothing can be parsed. Malformed XML
// is the error of a record; io.EOF and read errors are returned.
func (p *biocParser) end(err error) ([]result, error) {
	p.done = true
	var syntax *xml.SyntaxError
	line, _ := p.decoder.InputPos()
	switch {
	case err == io.EOF:
		return nil, io.EOF
	case errors.As(err, &syntax):
		return p.fail(line, "want XML, got "+syntax.Msg), nil
	}
	return nil, fmt.Errorf("line %d: %w", line, err)
}

func (p *biocParser) fail(line int, reason string) []result {
	return []result{{err: &RecordError{p.file, line, reason}}}
}

// document returns the document of parsed, with the passages joined. Invalid annotations
// are left out; their errors precede the document.
func (p *biocParser) document(parsed *biocXML, line int) []result {
	doc := &text.Document{ID: strings.TrimSpace(parsed.ID)}
	var blocks []*biocText
	for i := range parsed.Passages {
		passage := &parsed.Passages[i]
		blocks = append(blocks, passage)
		for j := range passage.Sentences {
			blocks = append(blocks, &passage.Sentences[j])
		}
	}
	var joined strings.Builder
	for _, block := range blocks {
		if block.Text != "" && joined.Len() > 0 {
			joined.WriteByte(' ')
		}
		block.start = joined.Len()
		joined.WriteString(block.Text)
	}
	doc.Text = joined.String()
	reason, again := p.duplicates.check(doc, line)
	switch {
	case reason != "":
		return p.fail(line, reason)
	case again:
		return nil
	}
	annotations := 0
	for _, block := range blocks {
		annotations += len(block.Annotations)
	}
	if err := p.limits.CheckMentions(annotations); err != nil {
		return p.fail(line, err.Error())
	}
	var results []result
	offsets := text.NewOffsets(doc.Text)
	for _, block := range blocks {
		for i := range block.Annotations {
			a := &block.Annotations[i]
			if a.isSubMention() {
				continue
			}
			m, reason := a.mention(offsets, block)
			if reason != "" {
				results = append(results, p.fail(a.line, reason)...)
				continue
			}
			doc.Mentions = append(doc.Mentions, m)
		}
	}
	sortMentions(doc.Mentions)
	return append(results, result{doc: doc})
}

// isSubMention reports whether the annotation is a sub-mention of a composite mention,
// which has an annotation of its own.
func (a *biocAnnotation) isSubMention() bool {
	for _, infon := range a.Infons {
		if infon.Key == "CompositeRole" && infon.Value == "IndividualMention" {
			return true
		}
	}
	return false
}

// mention returns the annotation as a mention of the document. A non-empty reason says
// what is wrong.
func (a *biocAnnotation) mention(o *text.Offsets, block *biocText) (m text.Mention, reason string) {
	if len(a.Locations) != 1 {
		return m, fmt.Sprintf("mention %q: want one location, got %d", a.Text, len(a.Locations))
	}
	passage, errPassage := strconv.Atoi(strings.TrimSpace(block.Offset))
	start, errStart := strconv.Atoi(a.Locations[0].Offset)
	length, errLength := strconv.Atoi(a.Locations[0].Length)
	if err := cmp.Or(errPassage, errStart, errLength); err != nil {
		return m, fmt.Sprintf("mention %q: want integers as offsets and length, got %v", a.Text, err)
	}
	byPassage := o.CodePoint(block.start) + start - passage
	if m.Span, reason = spanOf(o, byPassage, byPassage+length, &a.Text); reason != "" {
		if m.Span, reason = spanOf(o, start, start+length, &a.Text); reason != "" {
			return m, reason
		}
	}
	for _, infon := range a.Infons {
		value := strings.TrimSpace(infon.Value)
		switch strings.ToLower(infon.Key) {
		case "type":
			m.Type = value
		case "mesh", "omim", "identifier", "ncbi gene":
			ids, composite := parseIDs(value)
			m.Concepts = append(m.Concepts, ids...)
			m.Composite = m.Composite || composite
		}
	}
	return m, ""
}
