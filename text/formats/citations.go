package formats

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// citationFormat is a format of lines with tags, in which reference managers and bibliographic databases export
// citations.
type citationFormat struct {
	// tagged matches a line, with its tag and its value; other lines continue the value before them.
	tagged *regexp.Regexp
	// begins and ends are the tags of the first and the last line of a citation; ends may be empty.
	begins, ends string
	// ids, titles and abstracts are tags, of which the first that a citation has counts; of abstracts, all its lines.
	ids, titles, abstracts []string
}

var citationFormats = map[Format]*citationFormat{
	medline: { // https://pubmed.ncbi.nlm.nih.gov/help/#pubmed-format
		tagged: regexp.MustCompile(`^([A-Z][A-Z0-9](?:  |[A-Z0-9] |[A-Z0-9]{2}))-(.*)`), begins: "PMID",
		ids: []string{"PMID"}, titles: []string{"TI", "BTI", "TT"}, abstracts: []string{"AB", "OAB"},
	},
	ris: { // https://refman.com/support/faq/import/
		tagged: regexp.MustCompile(`^([A-Z][A-Z0-9])  ?-((?: .*)?)$`), begins: "TY", ends: "ER",
		ids: []string{"ID", "AN", "DO", "M1"}, titles: []string{"TI", "T1", "CT", "BT"},
		abstracts: []string{"AB", "N2"},
	},
	endNote: { // "EndNote Tagged Import Format", from the manual of EndNote
		tagged: regexp.MustCompile(`^(%.)((?: .*)?)$`), begins: "%0",
		ids: []string{"%M", "%F", "%R"}, titles: []string{"%T", "%Q"}, abstracts: []string{"%X"},
	},
	wos: { // https://images.webofknowledge.com/images/help/WOS/hs_wos_fieldtags.html
		tagged: regexp.MustCompile(`^([A-Z][A-Z0-9])((?: .*)?)$`), begins: "PT", ends: "ER",
		ids: []string{"UT", "PM", "DI"}, titles: []string{"TI"}, abstracts: []string{"AB"},
	},
}

// citationReader reads citations: a document is a title, a space and an abstract, as of PubMed XML.
type citationReader struct {
	*file
	*citationFormat
	number  int       // of citations read
	current *citation // nil before the first, and between the end of one and the next
}

// citation is a citation under construction.
type citation struct {
	values map[string][]string // of the tags that are read
	last   string              // tag of the last line
	line   int
}

func (p *citationReader) line(line string) error {
	tag, value, tagged := "", "", false
	if parts := p.tagged.FindStringSubmatch(line); parts != nil {
		tag, value, tagged = strings.TrimRight(parts[1], " "), parts[2], true
	}
	switch {
	case tagged && tag == p.begins:
		p.endDocument()
		p.current = &citation{values: make(map[string][]string), line: p.at}
	case p.current == nil: // the head of the file
		return nil
	case tagged && tag == p.ends:
		p.endDocument()
		return nil
	}
	p.current.add(p.citationFormat, tag, value, line, tagged)
	return p.grow(strconv.Itoa(p.number+1), line, 0)
}

// add adds a line to a citation, if it is of a tag that is read.
func (c *citation) add(f *citationFormat, tag, value, line string, tagged bool) {
	if !tagged {
		value = line
	} else if c.last = tag; !slices.Contains(f.ids, tag) && !slices.Contains(f.titles, tag) &&
		!slices.Contains(f.abstracts, tag) {
		c.last = ""
	}
	value = strings.TrimSpace(value)
	values := c.values[c.last]
	switch {
	case c.last == "" || value == "":
	case tagged || len(values) == 0:
		c.values[c.last] = append(values, value)
	default:
		values[len(values)-1] += " " + value
	}
}

// endDocument emits the document of a citation.
func (p *citationReader) endDocument() {
	p.file.endDocument()
	c := p.current
	if p.current = nil; c == nil {
		return
	}
	p.number++
	first := func(tags []string) []string {
		for _, tag := range tags {
			if len(c.values[tag]) > 0 {
				return c.values[tag]
			}
		}
		return nil
	}
	var parts []string
	if titles := first(p.titles); titles != nil {
		parts = append(parts, titles[0])
	}
	parts = append(parts, first(p.abstracts)...)
	id := ""
	if ids := first(p.ids); ids != nil {
		id = ids[0]
	}
	if len(parts) == 0 {
		p.fail(c.line, "want a citation with a title or an abstract, got neither in "+
			input.Quote(cmp.Or(id, strconv.Itoa(p.number))))
		return
	}
	p.emitText(id, p.number, strings.Join(parts, " "))
}
