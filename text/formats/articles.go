package formats

import (
	"bufio"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"strconv"
	"strings"

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
