package formats

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
)

// conlluReader reads CoNLL-U (https://universaldependencies.org/format.html): the texts, without the annotations. A
// document begins with the comment "# newdoc", and has a line for each sentence; in a file without this comment each
// sentence is one. The identifiers are those of the comments newdoc and sent_id. The text of a sentence is that of its
// comment, "# text = …", or else its tokens, with spaces between them but where SpaceAfter=No says that there is none.
type conlluReader struct {
	*file
	started  bool            // a "# newdoc" was read
	number   int             // of documents read
	id       string          // of the document that is read
	lines    []string        // its sentences
	sentence *conlluSentence // that is read
}

// conlluSentence is a sentence, whose first malformed line is an error.
type conlluSentence struct {
	id, text    string
	document    string // its identifier, if the sentence begins one
	begins      bool   // a document
	malformed   bool
	tokens      strings.Builder
	noSpace     bool // after the last token
	surfaceEnds int  // the last word of the token with several words that was read last
}

// conlluWord is the first cells of a word: its number, a range of numbers, or that of an empty node, and the form.
var conlluWord = regexp.MustCompile(`^[0-9]+([-.][0-9]+)?\t[^\t]`)

// isCoNLLU reports whether a line is a word of CoNLL-U, which has ten cells, or more in CoNLL-U Plus. With a tag as
// its last cell it is CoNLL.
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

// document emits the document of the sentences.
func (p *conlluReader) document() {
	p.file.endDocument()
	if len(p.lines) > 0 {
		p.number++
		p.emitText(p.id, p.number, strings.Join(p.lines, "\n"))
		p.lines = nil
	}
}

// add adds a line. A non-empty reason says what is wrong with it.
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
	case strings.Contains(cells[0], "."): // an empty node, which the text has not
		return ""
	case err != nil:
		return fmt.Sprintf("want the number of a word, got %s", input.Quote(cells[0]))
	case several:
		if s.surfaceEnds, err = strconv.Atoi(last); err != nil {
			return fmt.Sprintf("want a range of words, got %s", input.Quote(cells[0]))
		}
	case word <= s.surfaceEnds: // within a token that was read
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
