package harness

import (
	"errors"
	"io"

	"github.com/ctxnorm/ctxnorm/pubmed"
)

// EachRecord calls do for every record of a file of PubMed XML. It returns the closed reader, which knows what the file
// deletes and how long it is.
func EachRecord(path string, do func(record *pubmed.Record)) *pubmed.Reader {
	reader := Get(pubmed.Open(path))
	defer reader.Close()
	for {
		record, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return reader
		}
		Check(err)
		do(record)
	}
}
