package formats

import (
	"bufio"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/sentence"
	"github.com/ctxnorm/ctxnorm/pubmed"
)

// readPubMed reads the records of PubMed XML. A document is the title and the sections of the abstract, joined by
// single spaces. Without an abstract, the sections of another abstract in English are used.
func readPubMed(f *file, r *bufio.Reader) (parser, error) {
	records := pubmed.NewReader(r, f.name)
	records.SetLimits(f.Limits)
	return func() error {
		record, err := records.Next()
		if syntax, ok := errors.AsType[*pubmed.SyntaxError](err); ok {
			f.fail(0, fmt.Sprintf("byte %d: %s", syntax.Offset, syntax.Reason))
			return nil
		}
		if err != nil {
			return err
		}
		sections := record.Sections
		if len(sections) == 0 {
			sections = record.OtherSections
		}
		var parts []string
		if record.Title != "" {
			parts = append(parts, record.Title)
		}
		for _, section := range sections {
			parts = append(parts, section.Text)
		}
		if len(parts) > 0 {
			f.emitText(record.PMID, 0, strings.Join(parts, " "))
		}
		return nil
	}, nil
}

// readJATS reads full texts in JATS, as published by PubMed Central: the title, keywords, abstracts, body, floating
// figures and tables, and back matter of each article. Each title, paragraph, caption, footnote and table cell becomes
// a paragraph. Formulas, graphics, reference lists and citations are left out.
func readJATS(f *file, r *bufio.Reader) (parser, error) {
	m, number := newMarkup(f, r, "an article"), 0
	return func() error {
		token, err := m.Token()
		if err != nil {
			return m.end(err)
		}
		start, ok := token.(xml.StartElement)
		if !ok || start.Name.Local != "article" {
			return nil
		}
		e, err := m.record(start)
		if err != nil {
			return m.end(err)
		}
		number++
		id, content := article(e)
		if content == "" {
			f.fail(e.line, fmt.Sprintf("article %s has no text", cmp.Or(id, strconv.Itoa(number))))
			return nil
		}
		f.emitText(id, number, content)
		return nil
	}, nil
}

// article returns the text of an article and its identifier: from PubMed Central, PubMed, a DOI or the publisher, in
// this order, or "".
func article(e *element) (id, content string) {
	meta := &element{}
	if front := e.child("front"); front != nil && front.child("article-meta") != nil {
		meta = front.child("article-meta")
	}
	ids := make(map[string]string)
	for _, id := range meta.elements("article-id") {
		ids[id.attr("pub-id-type")] = strings.TrimSpace(id.text())
	}
	for _, kind := range []string{"pmcid", "pmc", "pmid", "doi", "publisher-id"} {
		if id = ids[kind]; id != "" {
			if kind == "pmc" && !strings.HasPrefix(id, "PMC") {
				id = "PMC" + id
			}
			break
		}
	}
	var lines []string
	if group := meta.child("title-group"); group != nil {
		lines = group.child("article-title").paragraphs(lines)
		lines = group.child("subtitle").paragraphs(lines)
	}
	for _, abstract := range meta.elements("abstract") {
		lines = abstract.paragraphs(lines)
	}
	for _, keywords := range meta.elements("kwd-group") {
		lines = keywords.paragraphs(lines)
	}
	for _, name := range []string{"body", "floats-group", "back"} {
		lines = e.child(name).paragraphs(lines)
	}
	return id, strings.Join(lines, "\n\n")
}

// jatsSkipped are the elements of JATS that are not text, and jatsBlocks those whose text is a paragraph of its own.
var (
	jatsSkipped = set("tex-math", "math", "graphic", "inline-graphic", "media", "ref-list", "label", "object-id",
		"disp-formula", "xref-group", "permissions")
	jatsBlocks = set("td", "th", "entry", "kwd", "supplementary-material", "abstract", "ack", "app", "article-title",
		"body", "boxed-text", "caption", "def", "def-item", "def-list", "disp-quote", "fig", "fig-group", "list",
		"list-item", "p", "sec", "statement", "table-wrap", "table-wrap-foot", "term", "title", "trans-abstract",
		"verse-group")
)

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, name := range names {
		m[name] = true
	}
	return m
}

// paragraphs appends the text of an element, one paragraph per block. Footnotes follow the block they occur in.
func (e *element) paragraphs(lines []string) []string {
	if e == nil {
		return lines
	}
	var open strings.Builder
	flush := func() {
		if line := strings.Join(strings.Fields(open.String()), " "); line != "" {
			lines = append(lines, line)
		}
		open.Reset()
	}
	var walk func(e *element)
	var footnotes []*element
	block := func(e *element) {
		flush()
		outer := footnotes
		footnotes = nil
		walk(e)
		flush()
		for len(footnotes) > 0 {
			first := footnotes[0]
			footnotes = footnotes[1:]
			walk(first)
			flush()
		}
		footnotes = outer
	}
	walk = func(e *element) {
		for _, child := range e.children {
			switch child := child.(type) {
			case string:
				open.WriteString(child)
			case *element:
				name := child.name.Local
				switch {
				case jatsSkipped[name] || name == "xref" && child.attr("ref-type") == "bibr":
				case name == "sup" && sentence.IsCitation(open.String(), child.text()):
				case name == "fn":
					footnotes = append(footnotes, child)
				case jatsBlocks[name]:
					block(child)
				case name == "break":
					open.WriteByte(' ')
				default:
					walk(child)
				}
			}
		}
	}
	block(e)
	return lines
}

// citationReader reads tagged citations as exported by reference managers and bibliographic databases: see
// signatures.txt. A document is a title and an abstract, joined by a space as in PubMed XML.
type citationReader struct {
	*file
	*signature
	number  int       // of citations read
	current *citation // nil before the first citation and between two
}

// citation is a citation being read.
type citation struct {
	values map[string][][]string // of the tags that are read, each a value by its lines
	last   string                // tag of the last line
	line   int
}

func newCitationReader(f *file) lineReader {
	return &citationReader{file: f, signature: signatureOf(func(s *signature) bool { return s.format == f.Format })}
}

func (p *citationReader) line(line string) error {
	tag, value, tagged := "", "", false
	if parts := p.patterns["tagged"].FindStringSubmatch(line); parts != nil {
		tag, value, tagged = strings.TrimRight(parts[1], " "), parts[2], true
	}
	switch {
	case tagged && p.has("begins", tag):
		p.endDocument()
		p.current = &citation{values: make(map[string][][]string), line: p.at}
	case p.current == nil: // the head of the file
		return nil
	case tagged && p.has("ends", tag):
		p.endDocument()
		return nil
	}
	c := p.current
	if !tagged {
		value = line
	} else if c.last = tag; !p.has("ids", tag) && !p.has("titles", tag) && !p.has("abstracts", tag) {
		c.last = "" // it is not read
	}
	value = strings.TrimSpace(value)
	switch values := c.values[c.last]; {
	case c.last == "" || value == "":
	case tagged || len(values) == 0:
		c.values[c.last] = append(values, []string{value})
	default:
		values[len(values)-1] = append(values[len(values)-1], value)
	}
	return p.grow(strconv.Itoa(p.number+1), line, 0)
}

// endDocument emits the document of a citation.
func (p *citationReader) endDocument() {
	p.file.endDocument()
	c := p.current
	if p.current = nil; c == nil {
		return
	}
	p.number++
	first := func(kind string) [][]string {
		for _, tag := range p.words[kind] {
			if len(c.values[tag]) > 0 {
				return c.values[tag]
			}
		}
		return nil
	}
	var parts []string
	if titles := first("titles"); titles != nil {
		parts = titles[0]
	}
	parts = append(parts, slices.Concat(first("abstracts")...)...)
	id := ""
	if ids := first("ids"); ids != nil {
		id = strings.Join(ids[0], " ")
	}
	if len(parts) == 0 {
		p.fail(c.line, "want a citation with a title or an abstract, got neither in "+
			input.Quote(cmp.Or(id, strconv.Itoa(p.number))))
		return
	}
	p.emitText(id, p.number, strings.Join(parts, " "))
}
