package formats

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/text"
)

// markStart and markEnd enclose a mention. They are spelled like the encoder's marker tokens.
const (
	markStart = "[ENT]"
	markEnd   = "[/ENT]"
)

var marks = regexp.MustCompile(`\[/?ENT\]`)

// ParseMarked returns the document of a text with marked mentions, such as "He had a [ENT] cardiac infarct [/ENT].":
// its text without the marks, and its mentions.
func ParseMarked(marked string) (*text.Document, error) {
	unmarked, mentions, reason := parseMarks(marked)
	if reason != "" {
		return nil, fmt.Errorf("marked text: %s", reason)
	}
	return &text.Document{Text: unmarked, Mentions: mentions}, nil
}

// parseMarks removes the marks from a text and returns a mention for each pair of marks. It also removes a space on the
// inner side of a mark, so "a [ENT] tumor [/ENT]." becomes "a tumor." Marks do not nest. If the marks are invalid,
// parseMarks returns the reason.
func parseMarks(marked string) (unmarked string, mentions []text.Mention, reason string) {
	fail := func(at int, what string) (string, []text.Mention, string) {
		mark, character := marks.FindString(marked[at:]), utf8.RuneCountInString(marked[:at])+1
		return "", nil, fmt.Sprintf("%s at character %d %s", mark, character, what)
	}
	var b strings.Builder
	at, open := 0, -1 // end of the last mark, and start of an open one
	for _, mark := range marks.FindAllStringIndex(marked, -1) {
		before := marked[at:mark[0]]
		switch ends := marked[mark[0]:mark[1]] == markEnd; {
		case ends && open < 0:
			return fail(mark[0], "closes nothing")
		case !ends && open >= 0:
			return fail(mark[0], "is inside another")
		case ends:
			before = strings.TrimSuffix(strings.TrimPrefix(before, " "), " ")
			words := strings.TrimSpace(before)
			if words == "" {
				return fail(open, "marks nothing")
			}
			from := b.Len() + strings.Index(before, words)
			mentions = append(mentions, text.Mention{Span: text.Span{Start: from, End: from + len(words)}})
			open = -1
		default:
			open = mark[0]
		}
		b.WriteString(before)
		at = mark[1]
	}
	if open >= 0 {
		return fail(open, "is not closed")
	}
	return b.String() + marked[at:], mentions, ""
}

// lineDocuments reads a format in which each non-blank line is a document.
type lineDocuments struct {
	*file
	read func(line string) (reason string) // emits the document, or returns why the line is wrong
}

func (p lineDocuments) line(line string) error {
	if strings.TrimSpace(line) != "" {
		if reason := p.read(line); reason != "" {
			p.failLine(reason)
		}
	}
	return nil
}

// textLine emits a line of plain text with marked mentions as a document; its identifier is the line number.
func (f *file) textLine(line string) (reason string) {
	record, reason := f.markedRecord(strconv.Itoa(f.at), line)
	if reason == "" {
		f.emit(record)
	}
	return reason
}

// mentionLine emits a line that is a mention without context as a document. Its identifier is the line number, and the
// line is the only column of its table.
func (f *file) mentionLine(line string) (reason string) {
	mention := strings.TrimSpace(line)
	var b builder
	b.add(text.Mention{Span: text.Span{End: len(mention)}}, Annotation{End: f.Unit.count(mention)})
	r := b.record(&text.Document{ID: strconv.Itoa(f.at), Text: mention}, nil)
	r.Unnamed, r.Columns = true, []Column{{Name: columnMention, Value: mention}}
	f.emit(r)
	return ""
}

// markedRecord returns the record of a text with marked mentions and no identifier from the file.
func (f *file) markedRecord(id, marked string) (r *Record, reason string) {
	unmarked, mentions, reason := parseMarks(marked)
	if err := f.Limits.CheckMentions(len(mentions)); err != nil {
		reason = err.Error()
	}
	if reason != "" {
		return nil, reason
	}
	return &Record{Document: &text.Document{ID: id, Text: unmarked, Mentions: mentions}, Unnamed: true}, ""
}

// isNote reports whether a text of several lines is one document, because many of its lines make no sense without their
// neighbors: a quarter of the non-blank lines, and at least two. Numbered items count as such lines only beside others;
// alone they are a list of documents.
func isNote(s string) bool {
	lines, parts, numbered, before := 0, 0, 0, ""
	all := strings.Split(s, "\n")
	for i, line := range all {
		line = strings.TrimSpace(line)
		if line != "" {
			lines++
		}
		after := ""
		if i+1 < len(all) {
			after = all[i+1]
		}
		switch {
		case isPartOfNote(before, line), isCapitalHeading(before, line, after):
			parts++
		case numberedItem.MatchString(line):
			numbered++
		}
		before = line
	}
	if parts > 0 {
		parts += numbered
	}
	return parts > 1 && 4*parts >= lines
}

// numberedItem matches the start of a numbered list item: "1. ", "(2) ".
var numberedItem = regexp.MustCompile(`^\(?[1-9][0-9]?[.)]\s`)

// isCapitalHeading reports whether a line in capitals, such as "CHIEF COMPLAINT", follows a blank line or the end of a
// sentence and precedes a line that is not in capitals. Names in capitals in a list do not.
func isCapitalHeading(before, line, after string) bool {
	isCapital := strings.ToUpper(line) == line && strings.ToLower(line) != line
	return isCapital && !endsSentence(line) && (before == "" || endsSentence(before)) && strings.ToUpper(after) != after
}

// endsSentence reports whether a line ends with the punctuation of a sentence.
func endsSentence(line string) bool {
	return line != "" && strings.ContainsAny(line[len(line)-1:], ".!?")
}

// isPartOfNote reports whether a line is a heading with a colon, a list item, or the continuation of a sentence from
// the line before.
func isPartOfNote(before, line string) bool {
	const minBroken = 40 // bytes of a line that an editor may have wrapped
	first, size := utf8.DecodeRuneInString(line)
	isItem := strings.ContainsRune("-*•–", first) && strings.HasPrefix(line[size:], " ")
	goesOn := len(before) >= minBroken && unicode.IsLower(first) && !endsSentence(before)
	return isItem || goesOn || strings.HasSuffix(line, ":")
}

// readPlain reads a whole file as one document with marked mentions. Its identifier is the file name without extension.
func readPlain(f *file, r *bufio.Reader) (parser, error) {
	return func() error {
		whole, err := f.readWhole(r)
		if err != nil {
			return err
		}
		if at := input.InvalidUTF8(whole); at >= 0 {
			f.fail(1+strings.Count(whole[:at], "\n"), input.NotUTF8(whole, at).Error())
			return io.EOF
		}
		name := input.TrimCompression(filepath.Base(f.name))
		record, reason := f.markedRecord(strings.TrimSuffix(name, filepath.Ext(name)), whole)
		if reason != "" {
			f.fail(1, reason)
			return io.EOF
		}
		record.isFile = true
		f.emit(record)
		return io.EOF
	}, nil
}

// readWhole returns the text of a file that is one document.
func (f *file) readWhole(r io.Reader) (string, error) {
	content, err := io.ReadAll(io.LimitReader(r, min(f.Limits.Record, 1<<61)+1))
	if err == nil {
		err = f.Limits.CheckRecord(aDocument, int64(len(content)))
	}
	return string(content), err
}
