package main

import (
	"context"
	"fmt"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// maxBatchText is the number of bytes of text at which a batch of documents ends, about 2,000 abstracts. The memory
// that linking takes grows with the mentions in a batch.
const maxBatchText = 4 << 20

// eachBatch reads documents and passes them to do in the batches of [linkRun.link]. The limit on the mentions of a
// document also holds for mentions that m will find with these options.
func (p *program) eachBatch(ctx context.Context, d *documentFlags, m *ctxnorm.Model, o ctxnorm.LinkOptions, limit int,
	do func([]*formats.Record) error) error {
	size, bytes := 1, 0
	var records []*formats.Record
	flush := func() error {
		err := do(records)
		records, bytes = nil, 0
		size = min(2*size, limit)
		return err
	}
	err := p.eachRecord(d, func(record *formats.Record) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		// a mention has at least two letters and a space
		if mayExceed := int64(len(record.Text)) > 3*p.limits.Mentions; mayExceed && (o.Tag || o.Recognize) {
			found, err := m.Find(record.Document, o)
			if err == nil {
				err = p.checkFound(d, found)
			}
			if err != nil {
				return err
			}
		}
		records, bytes = append(records, record), bytes+len(record.Text)
		if len(records) < size && bytes < maxBatchText {
			return nil
		}
		return flush()
	})
	if err == nil && len(records) > 0 {
		return flush()
	}
	return err
}

// checkFound returns a [*formats.RecordError] if more mentions were found in a document than the limit allows.
func (p *program) checkFound(d *documentFlags, found *ctxnorm.Document) error {
	if err := p.limits.CheckMentions(len(found.Mentions)); err != nil {
		return &formats.RecordError{File: input.Name(d.reading), Reason: fmt.Sprintf("document %q: %v", found.ID, err)}
	}
	return nil
}
