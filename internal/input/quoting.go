package input

import (
	"bufio"
	"bytes"
	"io"
)

// NewPlainQuotes returns a reader of a CSV file that has its quotes as RFC 4180, also where r has them otherwise:
//
//	"the \"river\" fever"   a backslash before a quote and before a backslash, as Spark and MySQL write
//	="00123"                a text as a formula of Excel, which keeps its zeros
//
// RFC 4180 knows no escapes: a cell "C:\" ends with its backslash. So they are read only from the place on, give or take
// what r reads at a time, where a backslash stands before a quote that does not end a cell.
func NewPlainQuotes(r io.Reader, delimiter byte) io.Reader {
	return &plainQuotes{r: bufio.NewReaderSize(r, bufferSize), delimiter: delimiter, cellStarts: true}
}

// plainQuotes converts as many bytes as fit. No conversion makes the text longer.
type plainQuotes struct {
	r          *bufio.Reader
	delimiter  byte
	read       int64 // bytes of r that were converted
	seen       int64 // bytes of r that were looked at; those from read on are buffered
	plain      bool  // nothing between read and seen is to be converted
	inQuotes   bool  // the next byte is
	cellStarts bool  // with the next byte
	literal    bool  // the next byte is, whatever it is: a backslash stood before it
	escapes    bool  // the file has escapes
}

func (p *plainQuotes) Read(dst []byte) (int, error) {
	if len(dst) == 0 {
		return 0, nil
	}
	for want := 1; ; {
		_, err := p.r.Peek(want)
		buffered, _ := p.r.Peek(p.r.Buffered())
		if len(buffered) == 0 {
			return 0, err
		}
		p.look(buffered)
		var read, written int
		if p.plain {
			read = copy(dst, buffered)
			written = read
			p.pass(buffered[:read])
		} else {
			read, written = p.convert(dst, buffered, err != nil)
		}
		p.r.Discard(read) // which is buffered
		p.read += int64(read)
		if written > 0 {
			return written, nil
		}
		if want = 1; read == 0 { // the first byte needs what follows
			want = len(buffered) + 1
		}
	}
}

// look looks at what was buffered since the last call.
func (p *plainQuotes) look(buffered []byte) {
	if p.read+int64(len(buffered)) == p.seen {
		return
	}
	p.seen = p.read + int64(len(buffered))
	backslash := bytes.IndexByte(buffered, '\\') >= 0
	p.plain = !backslash && (p.delimiter == '=' ||
		buffered[len(buffered)-1] != '=' && !bytes.Contains(buffered, []byte(`="`)))
	p.escapes = p.escapes || backslash && p.hasEscapes(buffered)
}

// pass notes where plain text ends.
func (p *plainQuotes) pass(plain []byte) {
	p.inQuotes = p.inQuotes != (bytes.Count(plain, []byte(`"`))%2 == 1)
	last := plain[len(plain)-1]
	p.cellStarts = !p.inQuotes && (last == p.delimiter || last == '\n')
}

// convert converts the start of what is buffered, as much as fits into dst and can be understood without what follows.
// It returns the numbers of bytes that it read and wrote. last says that nothing follows.
func (p *plainQuotes) convert(dst, buffered []byte, last bool) (read, written int) {
	for read < len(buffered) && written < len(dst) {
		c, rest := buffered[read], buffered[read+1:]
		escape := c == '\\' && p.inQuotes && p.escapes && !p.literal
		formula := c == '=' && p.cellStarts && p.delimiter != '='
		isText := false
		if formula {
			var sure bool
			if isText, sure = p.isText(rest); !sure && !last {
				break
			}
		} else if !last && c == '\\' && p.inQuotes && !p.literal && (len(rest) == 0 || !p.escapes && string(rest) == `"`) {
			break // what follows may show that the file has escapes
		}
		p.literal = false
		p.cellStarts = !p.inQuotes && (c == p.delimiter || c == '\n')
		read++
		switch {
		case isText:
			continue // without the sign of the formula
		case escape && len(rest) > 0 && rest[0] == '"':
			c = '"' // the first of two
		case escape && len(rest) > 0 && rest[0] == '\\':
			p.literal = true
			continue
		}
		if c == '"' {
			p.inQuotes = !p.inQuotes
		}
		dst[written] = c
		written++
	}
	return read, written
}

// hasEscapes reports whether a quote within a cell of what comes next has a backslash before it and does not end the
// cell.
func (p *plainQuotes) hasEscapes(next []byte) bool {
	inQuotes := p.inQuotes
	for i := 0; i+1 < len(next); i++ {
		if next[i] != '"' {
			continue
		}
		switch behind := next[i+1]; {
		case !inQuotes:
			inQuotes = true
		case behind == '"':
			i++
		case p.endsCell(behind):
			inQuotes = false
		case i > 0 && next[i-1] == '\\':
			return true
		}
	}
	return false
}

// isText reports whether s, which stands behind the = of a formula, is a text in quotes that its cell ends with. It is
// not sure if s may go on.
func (p *plainQuotes) isText(s []byte) (is, sure bool) {
	if len(s) == 0 || s[0] != '"' {
		return false, len(s) > 0
	}
	end := bytes.IndexByte(s[1:], '"') + 1
	switch {
	case end == 0:
		return false, false
	case end+1 == len(s):
		return true, false
	}
	return p.endsCell(s[end+1]), true
}

func (p *plainQuotes) endsCell(next byte) bool {
	return next == p.delimiter || next == '\n' || next == '\r'
}
