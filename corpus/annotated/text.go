package annotated

import (
	"strconv"
	"strings"

	"ctxnorm"
	"ctxnorm/corpus/internal/input"
)

// textParser reads plain lines. Each that is not blank is a document, whose
// identifier is the number of the line, with the mentions marked in it.
type textParser struct {
	file  string
	lines *input.Lines
}

func (p *textParser) next() ([]result, error) {
	for {
		line, err := p.lines.Next()
		if bad, ok := err.(*input.LineError); ok {
			return p.fail(bad.Error()), nil
		}
		if err != nil {
			return nil, err
		}
		if strings.TrimSpace(line) == "" {
			continue
		}
		text, mentions, reason := parseMarks(line)
		if reason != "" {
			return p.fail(reason), nil
		}
		return []result{{doc: &ctxnorm.Document{ID: strconv.Itoa(p.lines.Number()), Text: text, Mentions: mentions}}}, nil
	}
}

func (p *textParser) fail(reason string) []result {
	return []result{{err: &RecordError{p.file, p.lines.Number(), reason}}}
}
