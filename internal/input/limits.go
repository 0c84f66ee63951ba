package input

import (
	"bytes"
	"io"

	"github.com/ctxnorm/ctxnorm/files"
)

// readAhead is the number of bytes that a decoder may read beyond the end of a record.
const readAhead = 64 << 10

// RecordReader passes the bytes of a file to a decoder, such as the XML, JSON and CSV decoders of the standard library,
// which read records of any length into memory. Read returns a [files.LimitError] if the decoder has read more than the
// limit since the record began.
type RecordReader struct {
	Newlines int // number of newlines passed on
	r        io.Reader
	what     string
	limits   files.Limits
	read     int64 // number of bytes passed on
	begun    int64 // offset where the record began
	end      int64 // offset at which reading fails
	entity   int64 // maximum length of an XML entity's text
}

// NewRecordReader returns a reader of the records in r. what is the kind of record, with its article. The first record
// begins at the first byte.
func NewRecordReader(r io.Reader, what string, limits files.Limits) *RecordReader {
	records := &RecordReader{r: r, what: what, limits: limits}
	records.Begin(0)
	return records
}

// Begin starts the next record at an offset in the bytes passed on so far. It returns the size of the previous one.
func (r *RecordReader) Begin(offset int64) (size int64) {
	size, r.begun = offset-r.begun, offset
	r.end = offset + min(r.limits.Record, 1<<61) + readAhead
	return size
}

// SetEntities sets the maximum length of an XML entity's text. From then on, each ampersand counts as so many bytes,
// because the decoder holds the texts of entities in memory.
func (r *RecordReader) SetEntities(longest int64) { r.entity = longest }

// Read implements [io.Reader].
func (r *RecordReader) Read(p []byte) (int, error) {
	if r.read >= r.end {
		return 0, r.limits.CheckRecord(r.what, r.limits.Record+1)
	}
	n, err := r.r.Read(p[:min(int64(len(p)), r.end-r.read)])
	r.read += int64(n)
	r.Newlines += bytes.Count(p[:n], []byte("\n"))
	if r.entity > 0 {
		r.end -= r.entity * int64(bytes.Count(p[:n], []byte("&")))
	}
	return n, err
}
