package annotated

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

	"ctxnorm"
)

// biocParser reads BioC XML (Comeau et al., Database 2013). The text of a
// document is that of its passages, or of their sentences, with one blank
// between two: for a title and an abstract what PubTator has. Offsets count code
// points.
//
// By the definition they are those of the collection's source, so that a mention
// is found from the offset of its passage. The BC5CDR corpus breaks this: the
// offset of its abstracts counts "&apos;" in the title as six characters while
// those of mentions count it as one, and some mentions in the abstract are listed
// under the title. So where a mention's text is not at its place by the passage,
// it is looked for at its place in the document.
type biocParser struct {
	file    string
	decoder *xml.Decoder
	seen    seen
	opened  bool // the root has been seen
	done    bool
}

type biocDocument struct {
	ID       string      `xml:"id"`
	Passages []biocBlock `xml:"passage"`
}

// biocBlock is a passage, or a sentence of one.
type biocBlock struct {
	start       int              // byte of the document's text at which it begins
	Offset      string           `xml:"offset"`
	Text        string           `xml:"text"`
	Sentences   []biocBlock      `xml:"sentence"`
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

// UnmarshalXML notes the line on which the annotation begins.
func (a *biocAnnotation) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	type plain biocAnnotation // without this method
	line, _ := d.InputPos()
	err := d.DecodeElement((*plain)(a), &start)
	a.line = line
	return err
}

func newBioCParser(file string, r *bufio.Reader, seen seen) *biocParser {
	decoder := xml.NewDecoder(r)
	decoder.CharsetReader = func(label string, r io.Reader) (io.Reader, error) {
		encoding, err := htmlindex.Get(label)
		if err != nil {
			return nil, fmt.Errorf("encoding %q: %w", label, err)
		}
		return encoding.NewDecoder().Reader(r), nil
	}
	return &biocParser{file: file, decoder: decoder, seen: seen}
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
		if !p.opened && start.Name.Local != "collection" {
			p.done = true
			return p.fail(line, fmt.Sprintf("want BioC's <collection>, got <%s>", start.Name.Local)), nil
		}
		p.opened = true
		if start.Name.Local != "document" {
			continue
		}
		var read biocDocument
		if err := p.decoder.DecodeElement(&read, &start); err != nil {
			return p.end(err)
		}
		if results := p.document(&read, line); len(results) > 0 {
			return results, nil
		}
	}
}

// end tells broken XML, which is a record's error with nothing after it, from
// the end of the file and from errors of reading.
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

// document joins the passages and reads their annotations. Those that are wrong
// are left out of the document, and it comes after their errors.
func (p *biocParser) document(read *biocDocument, line int) []result {
	doc := &ctxnorm.Document{ID: strings.TrimSpace(read.ID)}
	var blocks []*biocBlock
	for i := range read.Passages {
		passage := &read.Passages[i]
		blocks = append(blocks, passage)
		for j := range passage.Sentences {
			blocks = append(blocks, &passage.Sentences[j])
		}
	}
	var text strings.Builder
	for _, block := range blocks {
		if block.Text != "" && text.Len() > 0 {
			text.WriteByte(' ')
		}
		block.start = text.Len()
		text.WriteString(block.Text)
	}
	doc.Text = text.String()
	reason, again := p.seen.repeated(doc, line)
	switch {
	case reason != "":
		return p.fail(line, reason)
	case again:
		return nil
	}
	var results []result
	offsets := NewOffsets(doc.Text)
	for _, block := range blocks {
		for i := range block.Annotations {
			a := &block.Annotations[i]
			if a.individual() {
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

// individual reports whether the annotation is one part of a composite mention,
// which is annotated as a whole beside it.
func (a *biocAnnotation) individual() bool {
	for _, infon := range a.Infons {
		if infon.Key == "CompositeRole" && infon.Value == "IndividualMention" {
			return true
		}
	}
	return false
}

// mention is the annotation as a mention of the document.
func (a *biocAnnotation) mention(o *Offsets, block *biocBlock) (m ctxnorm.Mention, reason string) {
	if len(a.Locations) != 1 {
		return m, fmt.Sprintf("mention %q: want one location, got %d", a.Text, len(a.Locations))
	}
	base, errBase := strconv.Atoi(strings.TrimSpace(block.Offset))
	start, errStart := strconv.Atoi(a.Locations[0].Offset)
	length, errLength := strconv.Atoi(a.Locations[0].Length)
	if err := cmp.Or(errBase, errStart, errLength); err != nil {
		return m, fmt.Sprintf("mention %q: want whole numbers as offsets and length, got %v", a.Text, err)
	}
	byPassage := o.CodePoint(block.start) + start - base
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
