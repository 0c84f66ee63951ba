package formats

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// conlluReader reads the texts of CoNLL-U (https://universaldependencies.org/format.html) without the annotations. The
// comment "# newdoc" begins a document, which has one line per sentence; in a file without this comment each sentence
// is a document. Identifiers come from the comments newdoc and sent_id. The text of a sentence comes from its comment
// "# text = …", or else from its tokens, separated by spaces except after SpaceAfter=No.
type conlluReader struct {
	*file
	started  bool            // a "# newdoc" was read
	number   int             // of documents so far
	id       string          // of the current document
	lines    []string        // its sentences
	sentence *conlluSentence // the one being read
}

// conlluSentence is a sentence. Only the first of its malformed lines is an error.
type conlluSentence struct {
	id, text    string
	document    string // identifier of the document that begins with the sentence, if any
	begins      bool   // whether the sentence begins a document
	malformed   bool
	tokens      strings.Builder
	noSpace     bool // after the last token
	surfaceEnds int  // number of the last word in the most recent multiword token
}

// conlluWord matches the start of a word's line: its number, or that of a range or an empty node, and the form.
var conlluWord = regexp.MustCompile(`^[0-9]+([-.][0-9]+)?\t[^\t]`)

// isCoNLLU reports whether a line is a word of CoNLL-U, with ten cells, or more in CoNLL-U Plus. If the last cell is a
// tag, the format is CoNLL.
func isCoNLLU(line string) bool {
	return strings.Count(line, "\t") >= 9 && conlluWord.MatchString(line) &&
		!isCoNLLTag(line[strings.LastIndexByte(line, '\t')+1:])
}

func (p *conlluReader) line(line string) error {
	if strings.TrimSpace(line) == "" {
		p.endSentence()
		return nil
	}
	begun := p.sentence.begins
	if reason := p.sentence.add(line); reason != "" {
		p.failLine(reason)
	}
	if p.sentence.begins && !begun {
		p.document()
		p.started = true
	}
	return p.grow(strconv.Itoa(p.number+1), line, 0)
}

func (p *conlluReader) failLine(reason string) {
	if !p.sentence.malformed {
		p.sentence.malformed = true
		p.file.failLine(reason)
	}
}

// endSentence adds the sentence to the document. Comments alone belong to the next sentence.
func (p *conlluReader) endSentence() {
	s := p.sentence
	if !s.malformed && s.tokens.Len() == 0 {
		return
	}
	p.sentence = &conlluSentence{}
	if !s.malformed {
		if len(p.lines) == 0 && p.started {
			p.id = s.document
		} else if len(p.lines) == 0 {
			p.id = s.id
		}
		p.lines = append(p.lines, cmp.Or(s.text, s.tokens.String()))
	}
	if !p.started {
		p.document()
	}
}

func (p *conlluReader) endDocument() {
	p.endSentence()
	p.document()
}

// document emits the document that the sentences form.
func (p *conlluReader) document() {
	p.file.endDocument()
	if len(p.lines) > 0 {
		p.number++
		p.emitText(p.id, p.number, strings.Join(p.lines, "\n"))
		p.lines = nil
	}
}

// add adds a line. If the line is wrong, it returns the reason.
func (s *conlluSentence) add(line string) (reason string) {
	if comment, ok := strings.CutPrefix(line, "#"); ok {
		key, value, _ := strings.Cut(strings.TrimSpace(comment), "=")
		value = strings.TrimSpace(value)
		switch strings.TrimSpace(key) {
		case "sent_id":
			s.id = value
		case "text":
			s.text = value
		case "newdoc", "newdoc id":
			s.begins, s.document = true, value
		}
		return ""
	}
	if !isCoNLLU(line) {
		return fmt.Sprintf("want a word of CoNLL-U, ten cells separated by tabs, got %s", input.Quote(line))
	}
	cells := strings.Split(line, "\t")
	number, last, several := strings.Cut(cells[0], "-")
	word, err := strconv.Atoi(number)
	switch {
	case strings.Contains(cells[0], "."): // an empty node, which is not in the text
		return ""
	case err != nil:
		return fmt.Sprintf("want the number of a word, got %s", input.Quote(cells[0]))
	case several:
		if s.surfaceEnds, err = strconv.Atoi(last); err != nil {
			return fmt.Sprintf("want a range of words, got %s", input.Quote(cells[0]))
		}
	case word <= s.surfaceEnds: // part of a multiword token
		return ""
	}
	if s.tokens.Len() > 0 && !s.noSpace {
		s.tokens.WriteByte(' ')
	}
	s.tokens.WriteString(cells[1])
	s.noSpace = false
	for feature := range strings.SplitSeq(cells[9], "|") {
		s.noSpace = s.noSpace || feature == "SpaceAfter=No"
	}
	return ""
}
