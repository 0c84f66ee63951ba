package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/google/renameio/v2"

	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/link"
	"github.com/ctxnorm/ctxnorm/text"
)

// recordWriter links documents and writes their records.
type recordWriter struct {
	out     *bufio.Writer
	reading *link.MentionResolver
	dict    *kb.Dictionary
	top     int

	documents, mentions int // written so far
}

// write links the mentions of documents together and flushes their records, so
// that a reader at the end of a pipe sees them at once.
func (w *recordWriter) write(ctx context.Context, docs []*text.Document) error {
	var queries []text.Query
	for _, doc := range docs {
		queries = append(queries, link.Queries(doc)...)
	}
	w.documents += len(docs)
	w.mentions += len(queries)
	answers, err := w.reading.LinkMentions(ctx, queries, w.top)
	if err != nil {
		return err
	}
	for _, doc := range docs {
		n := len(doc.Mentions)
		if err := link.NewRecord(doc, answers[:n], w.dict).Write(w.out); err != nil {
			return err
		}
		answers = answers[n:]
	}
	return w.out.Flush()
}

// eachBatch reads documents and gives them to do, first one, then two, and so on
// to limit: the first answer comes soon, and later ones fill the encoder's
// batches. The batches depend on the input alone, so the output does too.
func (p *program) eachBatch(ctx context.Context, input string, limit int, strict bool, do func([]*text.Document) error) error {
	size := 1
	var docs []*text.Document
	flush := func() error {
		err := do(docs)
		docs = nil
		size = min(2*size, limit)
		return err
	}
	err := p.eachDocument(input, strict, func(doc *text.Document) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if docs = append(docs, doc); len(docs) < size {
			return nil
		}
		return flush()
	})
	var some *someError
	if (err == nil || errors.As(err, &some)) && len(docs) > 0 {
		if failed := flush(); failed != nil {
			return failed
		}
	}
	return err
}

// openOutput opens a file that takes its place when finish is called without an
// error, or with one that says some records were bad; "-" is standard output. What
// is no regular file, a device or a named pipe, is written as it comes.
func (p *program) openOutput(path string) (w io.Writer, finish func(error) error, err error) {
	if path == "-" {
		return p.stdout, func(err error) error { return err }, nil
	}
	switch info, err := os.Stat(path); {
	case err == nil && info.IsDir():
		return nil, nil, fmt.Errorf("--output %s: is a folder, want a file", path)
	case err == nil && !info.Mode().IsRegular():
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, nil, err
		}
		return f, func(err error) error { return errors.Join(err, f.Close()) }, nil
	}
	f, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o666))
	if err != nil {
		return nil, nil, notWritable(path, err)
	}
	return f, func(err error) error {
		defer f.Cleanup()
		var some *someError
		if err != nil && !errors.As(err, &some) {
			return err
		}
		return errors.Join(err, f.CloseAtomicallyReplace())
	}, nil
}

// notWritable says an error of the file that is written beside its place as one of
// the file itself.
func notWritable(path string, err error) error {
	var on *fs.PathError
	if errors.As(err, &on) {
		err = on.Err
	}
	return fmt.Errorf("--output %s: %w", path, err)
}
