package formats

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

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
