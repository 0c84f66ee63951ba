package pubmed

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/ctxnorm/ctxnorm/files"
)

// Reader reads the records of one file. It is not safe for concurrent use. To use all cores, read several files at
// once; to use one more core for a single file, call [Reader.ReadAhead].
type Reader struct {
	file         io.Closer // nil if Close should not close it
	name         string
	limits       files.Limits
	source       source
	window       window
	token        token
	stack        elementStack
	builder      recordBuilder
	superscript  int      // in builder.text: start of the outermost superscript
	superscripts int      // number of open superscripts
	deleted      []string // PMIDs under DeleteCitation
	deletedBytes int64    // memory of deleted

	root          string // name of the first element, "" before it
	rootOffset    int64
	sawRecord     bool  // the file has at least one record
	bareCitations bool  // a MedlineCitation without a PubmedArticle around it is a record
	recovered     bool  // after a syntax error: the elements around records may be unbalanced
	resync        bool  // Next has to find the start of a record first
	final         error // non-nil once Next can return nothing else
}

// NewReader returns a reader of the XML in r, which may be compressed with gzip, bzip2, xz or zstd, as its first bytes
// tell. Errors refer to the file as name. Nothing is read before the first call of Next.
func NewReader(r io.Reader, name string) *Reader {
	reader := &Reader{name: name, limits: files.DefaultLimits}
	reader.source.compressed.r = r
	reader.window.src = &reader.source
	return reader
}

// Open returns a reader of the file at path, which may be compressed. The caller must call [Reader.Close].
func Open(path string) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, fmt.Errorf("%s: is a folder, want a file", path)
	}
	r := NewReader(f, path)
	r.file = f
	return r, nil
}

// SetLimits bounds the memory. limits.Record is the maximum length of a record, and of markup between records, in bytes
// of XML; limits.InMemory is for the PMIDs under DeleteCitation. Call it before the first Next.
func (r *Reader) SetLimits(limits files.Limits) { r.limits = limits.WithDefaults() }

// ReadAhead decompresses the file in a goroutine while records are read. Call it before the first Next. After it, Close
// must be called, even on a reader from [NewReader].
func (r *Reader) ReadAhead() { r.source.ahead = true }

// Close stops the goroutine of [Reader.ReadAhead] and closes the file if [Open] opened it.
func (r *Reader) Close() error {
	err := r.source.close()
	if r.file == nil {
		return err
	}
	return errors.Join(err, r.file.Close())
}

// Deleted returns the PMIDs under DeleteCitation read so far.
func (r *Reader) Deleted() []string { return r.deleted }

// InputOffset returns the number of bytes of XML read so far.
func (r *Reader) InputOffset() int64 { return r.window.offset() }

// Position returns the number of bytes read from the underlying reader so far,
// which may be compressed. Compared with the file's size it shows progress.
func (r *Reader) Position() int64 { return r.source.compressed.n.Load() }

// Next returns the next record, which the caller may keep. It returns io.EOF at the end of the file and a
// [*SyntaxError] if the file is malformed; the call after a SyntaxError continues at the next record that can be found.
// Any other error comes from the underlying reader and is final.
func (r *Reader) Next() (*Record, error) {
	if r.final != nil {
		return nil, r.final
	}
	if r.resync {
		r.resync = false
		if err := r.window.skipToRecord(r.bareCitations); err != nil {
			return nil, r.finish(err)
		}
	}
	for {
		n, err := r.scan()
		if err != nil {
			return nil, err
		}
		rec, p := r.handleToken()
		if p.reason != "" {
			return nil, r.syntaxError(r.window.offset()+int64(p.offset), p.reason)
		}
		r.window.pos += n
		if rec != nil {
			return rec, nil
		}
		if r.final != nil {
			return nil, r.final
		}
	}
}

// scan reads the token at the window's position into r.token and returns its length in bytes.
func (r *Reader) scan() (int, error) {
	w := &r.window
	for {
		if b := w.unread(); len(b) > 0 {
			n, p := r.token.scan(b)
			if n > 0 {
				return n, nil
			}
			if p.reason != "" {
				return 0, r.syntaxError(w.offset()+int64(p.offset), p.reason)
			}
		}
		err := w.fill(int(r.limits.Record))
		if err == nil {
			continue
		}
		if b := w.unread(); err == io.EOF && len(b) > 0 && r.token.kind == charData {
			r.token.text = b
			return len(b), nil
		}
		return 0, r.incompleteToken(err)
	}
}

// incompleteToken returns the error for an incomplete token at the window's position. err is the error of trying to
// read more.
func (r *Reader) incompleteToken(err error) error {
	w := &r.window
	end := w.bufOffset + int64(w.valid)
	if illegal, ok := err.(illegalError); ok {
		return r.syntaxError(end, string(illegal))
	}
	switch {
	case err == errTooLong:
		return r.syntaxError(w.offset(), fmt.Sprintf("%s longer than %d bytes (Limits.Record)", r.token.kind,
			r.limits.Record))
	case err != io.EOF:
		return r.finish(err)
	case len(w.unread()) > 0:
		return r.syntaxError(w.offset(), fmt.Sprintf("%s has no end", r.token.kind))
	case len(r.stack.open) > 0:
		return r.syntaxError(end, fmt.Sprintf("file ends within <%s>", r.stack.name()))
	case r.root == "":
		return r.syntaxError(end, "file ends before any element: not XML")
	case !r.sawRecord && !r.recovered && len(r.deleted) == 0 && !isRecordSet(r.root):
		return r.syntaxError(r.rootOffset, fmt.Sprintf("<%s> has no PubMed records, want <PubmedArticleSet>", r.root))
	}
	return r.finish(io.EOF)
}

// syntaxError returns a [*SyntaxError] and makes the next call of Next continue after
// it. The elements around the record stay open.
func (r *Reader) syntaxError(offset int64, reason string) error {
	r.resync = true
	r.recovered = true
	if r.stack.role() == roleOutside && len(r.window.unread()) > 0 {
		r.window.pos++ // Inside a record, another may begin right here.
	}
	for r.stack.role() != roleOutside {
		r.stack.pop()
	}
	return &SyntaxError{r.name, offset, reason}
}

// finish returns the error for the end of the input, which all later calls of Next also return. Damage to compressed
// data is returned once, then io.EOF.
func (r *Reader) finish(err error) error {
	r.final = io.EOF
	if damage, ok := err.(*damageError); ok {
		return &SyntaxError{r.name, r.window.bufOffset + int64(len(r.window.buf)), damage.Error()}
	}
	if err != io.EOF {
		r.final = fmt.Errorf("%s: %w", r.name, err)
	}
	return r.final
}

// SyntaxError is the error for malformed XML or damaged compressed data. It is not final:
// [Reader.Next] continues at the next record that can be found.
type SyntaxError struct {
	File   string
	Offset int64 // in bytes of decompressed XML
	Reason string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s: byte %d: %s", e.File, e.Offset, e.Reason)
}

// problem is a syntax error in a token. The zero value, with an empty reason, means that the token is well-formed.
type problem struct {
	offset int // bytes from the start of the text that was checked
	reason string
}

func problemf(at int, format string, args ...any) problem {
	return problem{at, fmt.Sprintf(format, args...)}
}

// shift returns the problem with its offset counted from n bytes earlier.
func (p problem) shift(n int) problem {
	p.offset += n
	return p
}
