package formats

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/text"
)

// citationFormat is a format of lines with tags, in which reference managers and bibliographic databases export
// citations.
type citationFormat struct {
	name Format
	// cut splits a line into tag and value; ok is false for a line that continues the value before it.
	cut func(line string) (tag, value string, ok bool)
	// begins and ends are the tags of the first and the last line of a citation; ends may be empty.
	begins, ends string
	// ids, titles and abstracts are tags, of which the first that a citation has counts; of abstracts, all its lines.
	ids, titles, abstracts []string
}

var citationFormats = []citationFormat{
	{ // https://pubmed.ncbi.nlm.nih.gov/help/#pubmed-format
		name: medline, cut: cutMedline, begins: "PMID",
		ids: []string{"PMID"}, titles: []string{"TI", "BTI", "TT"}, abstracts: []string{"AB", "OAB"},
	},
	{ // https://refman.com/support/faq/import/
		name: ris, cut: cutRIS, begins: "TY", ends: "ER",
		ids: []string{"ID", "AN", "DO", "M1"}, titles: []string{"TI", "T1", "CT", "BT"},
		abstracts: []string{"AB", "N2"},
	},
	{ // "EndNote Tagged Import Format", from the manual of EndNote
		name: endNote, cut: cutEndNote, begins: "%0",
		ids: []string{"%M", "%F", "%R"}, titles: []string{"%T", "%Q"}, abstracts: []string{"%X"},
	},
	{ // https://images.webofknowledge.com/images/help/WOS/hs_wos_fieldtags.html
		name: wos, cut: cutWoS, begins: "PT", ends: "ER",
		ids: []string{"UT", "PM", "DI"}, titles: []string{"TI"}, abstracts: []string{"AB"},
	},
}

// cutMedline splits "TI  - The title", whose value goes on in lines of six spaces.
func cutMedline(line string) (tag, value string, ok bool) {
	if len(line) < 5 || line[4] != '-' || !isTag(strings.TrimRight(line[:4], " ")) {
		return "", "", false
	}
	return strings.TrimRight(line[:4], " "), line[5:], true
}

// cutRIS splits "TI  - The title". Some programs write one space before the hyphen.
func cutRIS(line string) (tag, value string, ok bool) {
	if len(line) < 4 || !isTag(line[:2]) {
		return "", "", false
	}
	if value, ok = strings.CutPrefix(line[2:], "  -"); !ok {
		value, ok = strings.CutPrefix(line[2:], " -")
	}
	return line[:2], value, ok && (value == "" || value[0] == ' ')
}

// cutEndNote splits "%T The title".
func cutEndNote(line string) (tag, value string, ok bool) {
	if len(line) < 2 || line[0] != '%' || len(line) > 2 && line[2] != ' ' {
		return "", "", false
	}
	return line[:2], line[2:], true
}

// cutWoS splits "TI The title", whose value goes on in lines of three spaces.
func cutWoS(line string) (tag, value string, ok bool) {
	if len(line) < 2 || len(line) > 2 && line[2] != ' ' || !isTag(line[:2]) {
		return "", "", false
	}
	return line[:2], line[2:], true
}

// isTag reports whether s is a tag: two or more capitals and digits, the first a capital.
func isTag(s string) bool {
	return len(s) >= 2 && s[0] >= 'A' && s[0] <= 'Z' && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
}

// citationFormatOf returns the format of citations that the first line of a text speaks for, or nil.
func citationFormatOf(line string) *citationFormat {
	if strings.HasPrefix(line, "FN ") && strings.Contains(line, "Web of ") {
		return citationFormatNamed(wos)
	}
	for i := range citationFormats {
		c := &citationFormats[i]
		if tag, value, ok := c.cut(line); ok && c.name != wos && tag == c.begins && strings.HasPrefix(value, " ") &&
			strings.TrimSpace(value) != "" {
			return c
		}
	}
	return nil
}

func citationFormatNamed(name Format) *citationFormat {
	return &citationFormats[slices.IndexFunc(citationFormats, func(c citationFormat) bool { return c.name == name })]
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
	tag, value, tagged := p.cut(line)
	switch {
	case tagged && tag == p.begins:
		p.end()
		p.current = &citation{values: make(map[string][]string), line: p.at}
	case p.current == nil: // the head of the file
		return nil
	case tagged && tag == p.ends:
		p.end()
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

// end emits the document of a citation.
func (p *citationReader) end() {
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
	record := NewRecord(&text.Document{ID: cmp.Or(id, strconv.Itoa(p.number)), Text: strings.Join(parts, " ")})
	record.Unnamed = id == ""
	p.emit(record)
}
