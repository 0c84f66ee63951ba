package formats

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/text"
)

// conlluParser reads CoNLL-U (https://universaldependencies.org/format.html): the texts, without the annotations. A
// document begins with the comment "# newdoc", and has a line for each sentence; in a file without this comment each
// sentence is one. The identifiers are those of the comments newdoc and sent_id. The text of a sentence is that of
// its comment, "# text = …", or else its tokens, with spaces between them but where SpaceAfter=No says that there
// is none.
type conlluParser struct {
	*file
	lines   *input.Lines
	ahead   *conlluSentence // read already; nil for none
	started bool            // a "# newdoc" was read
	number  int             // of documents read
}

// conlluSentence is a sentence, or what is wrong with it.
type conlluSentence struct {
	id, text    string
	document    string // its identifier, if the sentence begins one
	begins      bool   // a document
	line        int    // the first
	bytes       int64
	reason      string // of the first malformed line; empty for none
	reasonLine  int
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

func (p *conlluParser) next() ([]result, error) {
	var sentences []*conlluSentence
	var results []result
	bytes := int64(0)
	for {
		s, err := p.sentence()
		if err != nil && err != io.EOF {
			return nil, err
		}
		if s != nil && len(sentences) > 0 && (s.begins || !p.started) {
			p.ahead = s
			return append(results, p.document(sentences)...), nil
		}
		if s == nil {
			if len(sentences) > 0 {
				return append(results, p.document(sentences)...), nil
			}
			return results, io.EOF
		}
		p.started = p.started || s.begins
		bytes += s.bytes
		if err := p.checkDocument(strconv.Itoa(p.number+1), s.line, bytes, len(results)); err != nil {
			return nil, err
		}
		if s.reason != "" {
			results = append(results, p.fail(s.reasonLine, s.reason)...)
			continue
		}
		sentences = append(sentences, s)
	}
}

// document returns the document of some sentences.
func (p *conlluParser) document(sentences []*conlluSentence) []result {
	p.number++
	doc := &text.Document{ID: strconv.Itoa(p.number)}
	id := sentences[0].document
	if !p.started {
		id = sentences[0].id
	}
	if id != "" {
		doc.ID = id
	}
	lines := make([]string, len(sentences))
	for i, s := range sentences {
		lines[i] = s.text
	}
	doc.Text = strings.Join(lines, "\n")
	record := NewRecord(doc)
	record.Unnamed = id == ""
	return p.one(record)
}

// sentence returns the next sentence, and nil at the end of the file.
func (p *conlluParser) sentence() (*conlluSentence, error) {
	if s := p.ahead; s != nil {
		p.ahead = nil
		return s, nil
	}
	var s *conlluSentence
	for {
		line, err := p.lines.Next()
		var bad *input.LineError
		if err != nil && !errors.As(err, &bad) {
			return s.finish(), err
		}
		blank := err == nil && strings.TrimSpace(line) == ""
		if blank && s.finish() == nil { // or comments alone
			continue
		}
		if blank {
			return s.finish(), nil
		}
		if s == nil {
			s = &conlluSentence{line: p.lines.Number()}
		}
		if s.bytes += int64(len(line)) + 1; s.bytes > p.limits.Record {
			return nil, p.checkDocument(strconv.Itoa(p.number+1), p.lines.Number(), s.bytes, 0)
		}
		reason := ""
		if bad != nil {
			reason = bad.Error()
		} else {
			reason = s.add(line)
		}
		if reason != "" && s.reason == "" {
			s.reason, s.reasonLine = reason, p.lines.Number()
		}
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

// finish sets the text of a sentence. A sentence without a word is none.
func (s *conlluSentence) finish() *conlluSentence {
	if s == nil || s.reason == "" && s.tokens.Len() == 0 {
		return nil
	}
	if s.text == "" {
		s.text = s.tokens.String()
	}
	return s
}
