package formats

import (
	"strconv"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/text"
)

// mentionsParser reads a list of mentions without texts, one a line. Its identifier is the line number, and the line is
// the one column of its table.
type mentionsParser struct {
	*file
	lines *input.Lines
}

func (p *mentionsParser) next() ([]result, error) {
	line, reason, err := nextLine(p.lines)
	if err != nil {
		return nil, err
	}
	if reason != "" {
		return p.fail(p.lines.Number(), reason), nil
	}
	mention := strings.TrimSpace(line)
	var b builder
	b.add(text.Mention{Span: text.Span{End: len(mention)}}, Annotation{End: p.unit.count(mention)})
	r := b.record(&text.Document{ID: strconv.Itoa(p.lines.Number()), Text: mention}, nil)
	r.Unnamed, r.Columns = true, []Column{{ColumnMention, mention}}
	return p.one(r), nil
}
