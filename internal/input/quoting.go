package input

import (
	"bytes"
	"io"
)

// NewPlainQuotes returns a reader of a CSV file that has its quotes as RFC 4180, also where r has them otherwise:
//
//	"the \"river\" fever"   a backslash before a quote and before a backslash, as Spark and MySQL write
//	="00123"                a text as a formula of Excel, which keeps its zeros
//
// RFC 4180 knows no escapes: a cell "C:\" ends with its backslash. So they are read only from the place on, give or take
// a chunk of the file, where a backslash stands before a quote that does not end a cell.
func NewPlainQuotes(r io.Reader, delimiter byte) io.Reader {
	return &plainQuotes{r: r, delimiter: delimiter, cellStarts: true}
}

type plainQuotes struct {
	r          io.Reader
	delimiter  byte
	chunk      [32 << 10]byte
	kept       int    // bytes at the start of chunk that were read and are still to be converted
	ready      []byte // converted, not yet returned
	err        error  // of r
	inQuotes   bool   // where the next chunk begins
	cellStarts bool   // the same
	escapes    bool   // the file has escapes
	converted  []byte // working memory
}

func (p *plainQuotes) Read(dst []byte) (int, error) {
	for len(p.ready) == 0 {
		if p.err != nil {
			return 0, p.err
		}
		n, err := p.r.Read(p.chunk[p.kept:])
		p.err = err
		p.convert(p.chunk[:p.kept+n], err != nil)
	}
	n := copy(dst, p.ready)
	p.ready = p.ready[n:]
	return n, nil
}

// convert converts a chunk, and keeps what needs the next one to be understood.
func (p *plainQuotes) convert(chunk []byte, last bool) {
	p.kept = 0
	formula := p.delimiter != '=' && bytes.Contains(chunk, []byte(`="`))
	if bytes.IndexByte(chunk, '\\') < 0 && !formula && !bytes.HasSuffix(chunk, []byte("=")) {
		p.ready = chunk
		if n := len(chunk); n > 0 {
			p.inQuotes = p.inQuotes != (bytes.Count(chunk, []byte(`"`))%2 == 1)
			p.cellStarts = !p.inQuotes && (chunk[n-1] == p.delimiter || chunk[n-1] == '\n')
		}
		return
	}
	p.escapes = p.escapes || p.hasEscapes(chunk)
	out := p.converted[:0]
	for i := 0; i < len(chunk); i++ {
		c := chunk[i]
		if !last && p.isCut(chunk[i:]) && len(chunk)-i < len(p.chunk) {
			p.kept = copy(chunk, chunk[i:])
			break
		}
		starts := p.cellStarts
		p.cellStarts = !p.inQuotes && (c == p.delimiter || c == '\n')
		switch {
		case p.inQuotes && p.escapes && c == '\\' && i+1 < len(chunk) && chunk[i+1] == '"':
			out = append(out, `""`...)
			i++
			continue
		case p.inQuotes && p.escapes && c == '\\' && i+1 < len(chunk) && chunk[i+1] == '\\':
			i++
		case starts && c == '=' && i+1 < len(chunk) && chunk[i+1] == '"' && p.isText(chunk[i+2:]):
			continue // without the sign of the formula
		case c == '"':
			p.inQuotes = !p.inQuotes
		}
		out = append(out, c)
	}
	p.converted, p.ready = out, out
}

// hasEscapes reports whether a quote within a cell of a chunk that begins as the next one has a backslash before it and
// does not end the cell.
func (p *plainQuotes) hasEscapes(chunk []byte) bool {
	inQuotes := p.inQuotes
	for i := 0; i+1 < len(chunk); i++ {
		if chunk[i] != '"' {
			continue
		}
		next := chunk[i+1]
		switch {
		case !inQuotes:
			inQuotes = true
		case next == '"':
			i++
		case p.endsCell(next):
			inQuotes = false
		case i > 0 && chunk[i-1] == '\\':
			return true
		}
	}
	return false
}

// isCut reports whether what s begins with, an escape or a text as a formula, may go on behind s.
func (p *plainQuotes) isCut(s []byte) bool {
	switch {
	case s[0] == '\\' || s[0] == '=' && p.cellStarts && len(s) == 1:
		return len(s) == 1
	case s[0] == '=' && p.cellStarts && s[1] == '"':
		end := bytes.IndexByte(s[2:], '"')
		return end < 0 || end+3 == len(s)
	}
	return false
}

// isText reports whether s, which begins within quotes, has the end of its cell behind them.
func (p *plainQuotes) isText(s []byte) bool {
	end := bytes.IndexByte(s, '"')
	return end >= 0 && (end+1 == len(s) || p.endsCell(s[end+1]))
}

func (p *plainQuotes) endsCell(next byte) bool {
	return next == p.delimiter || next == '\n' || next == '\r'
}
