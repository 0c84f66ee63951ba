package pubmed

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Reader reads one file from beginning to end. It is not safe for concurrent
// use; to use all cores, read several files, each perhaps [Reader.Ahead].
type Reader struct {
	file    io.Closer // nil if not ours to close
	name    string
	limit   int // bytes of a record, and of a piece of markup between records
	source  source
	window  window
	token   token
	open    elements
	draft   draft
	start   int      // of the innermost kept element in the draft's text
	deleted []string // PMIDs

	rooted    bool  // an element has begun
	citations bool  // each MedlineCitation is a record, without PubmedArticle around it
	recovered bool  // there was a syntax error, so that elements around records may be amiss
	skip      bool  // look for the next record first
	final     error // what Next gives from now on
}

// maxRecord is the length of the longest record that is read, in bytes of XML:
// room for some 100,000 authors, each with an affiliation.
const maxRecord = 64 << 20

// NewReader reads XML, or gzip of one or several members, from r, whichever the
// first bytes show. Errors call it name. Nothing is read before the first Next.
func NewReader(r io.Reader, name string) *Reader {
	z := &Reader{name: name, limit: maxRecord}
	z.source.packed.r = r
	z.window.src = &z.source
	return z
}

// Open reads the file at path.
func Open(path string) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r := NewReader(f, path)
	r.file = f
	return r, nil
}

// Ahead lets a goroutine of its own unpack the file while records are read, for
// whoever has a core to spare. It is to be called before the first Next, and
// then Close has to be, whatever the reader was made by.
func (r *Reader) Ahead() { r.source.ahead = true }

// Close closes the file if the reader was made by [Open].
func (r *Reader) Close() error {
	err := r.source.close()
	if r.file == nil {
		return err
	}
	return errors.Join(err, r.file.Close())
}

// Deleted lists the PMIDs under DeleteCitation that were read so far.
func (r *Reader) Deleted() []string { return r.deleted }

// InputOffset is the number of bytes of XML that were read so far.
func (r *Reader) InputOffset() int64 { return r.window.offset() }

// PackedOffset is the number of bytes that were taken from the underlying
// reader so far: of the file's size, how much is done.
func (r *Reader) PackedOffset() int64 { return r.source.packed.n.Load() }

// Next reads one record. It gives io.EOF at the end of the file, and a
// [*SyntaxError] where the file is broken; the call after that goes on at the
// next record that can be found. Any other error is the underlying reader's,
// and final. The record is the caller's to keep.
func (r *Reader) Next() (*Record, error) {
	if r.final != nil {
		return nil, r.final
	}
	if r.skip {
		r.skip = false
		if err := r.window.skip(r.citations); err != nil {
			return nil, r.end(err)
		}
	}
	for {
		n, err := r.scan()
		if err != nil {
			return nil, err
		}
		rec, f := r.take()
		if f.reason != "" {
			return nil, r.broken(r.window.offset()+int64(f.at), f.reason)
		}
		r.window.pos += n
		if rec != nil {
			return rec, nil
		}
	}
}

// scan reads the next token, which begins at the window's position, and tells
// its length.
func (r *Reader) scan() (int, error) {
	w := &r.window
	for {
		if b := w.rest(); len(b) > 0 {
			n, f := r.token.scan(b)
			if n > 0 {
				return n, nil
			}
			if f.reason != "" {
				return 0, r.broken(w.offset()+int64(f.at), f.reason)
			}
		}
		err := w.more(r.limit)
		if err == nil {
			continue
		}
		if b := w.rest(); err == io.EOF && len(b) > 0 && r.token.kind == charData {
			r.token.text = b
			return len(b), nil
		}
		return 0, r.stuck(err)
	}
}

// stuck explains why the token at the window's position has no end.
func (r *Reader) stuck(err error) error {
	w := &r.window
	end := w.base + int64(w.good)
	if illegal, ok := err.(illegalError); ok {
		return r.broken(end, string(illegal))
	}
	switch {
	case err == errTooLong:
		return r.broken(w.offset(), fmt.Sprintf("%s longer than %d bytes", r.token.kind, r.limit))
	case err != io.EOF:
		return r.end(err)
	case len(w.rest()) > 0:
		return r.broken(w.offset(), fmt.Sprintf("%s has no end", r.token.kind))
	case len(r.open.open) > 0:
		return r.broken(end, fmt.Sprintf("file ends within <%s>", r.open.name()))
	case !r.rooted:
		return r.broken(end, "file ends before any element: not XML")
	}
	return r.end(io.EOF)
}

// broken reports a syntax error, and makes the next call of Next go on behind
// it. Elements around the record stay open.
func (r *Reader) broken(offset int64, reason string) error {
	r.skip = true
	r.recovered = true
	if r.open.role() == outside && len(r.window.rest()) > 0 {
		r.window.pos++ // else a record may begin right here, within another
	}
	for r.open.role() != outside {
		r.open.pop()
	}
	return &SyntaxError{r.name, offset, reason}
}

// end reports that there is nothing more to read.
func (r *Reader) end(err error) error {
	r.final = io.EOF
	if damage, ok := err.(*gzipError); ok {
		return &SyntaxError{r.name, r.window.base + int64(len(r.window.buf)), damage.Error()}
	}
	if err != io.EOF {
		r.final = fmt.Errorf("%s: %w", r.name, err)
	}
	return r.final
}
