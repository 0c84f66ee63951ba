package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/link"
	"github.com/ctxnorm/ctxnorm/model"
)

// makeModel is the hint for a folder that is not a model.
const makeModel = "make a model with ctxnorm train, or name one with --model FOLDER"

// hintModel adds to an error of the model in dir what to do about it.
func hintModel(err error, dir string) error {
	if err == nil || errors.Is(err, ctxnorm.ErrNoEncoder) {
		return err
	}
	if _, unread := model.ReadManifest(dir); unread != nil {
		return withHint(err, makeModel)
	}
	var damaged *ctxnorm.DamagedError
	if errors.As(err, &damaged) {
		return withHint(err, "ctxnorm verify --model "+dir+" lists every file that is not as it was written")
	}
	return err
}

func (p *program) linkCommand() *cobra.Command {
	var (
		input, output string
		dir           string
		batch         int
		tag, strict   bool
		open          ctxnorm.OpenOptions
		linker        linkerFlags
	)
	cmd := &cobra.Command{
		Use:   "link",
		Short: "Link the mentions of texts to concepts",
		Long: `Links the mentions of documents and writes one line of JSON a document: every
mention with its candidates, best first, or with none if it is NIL.

The input is JSON, one {"id","text","mentions":[{"start","end"}]} a line with offsets
in code points; text with [ENT] … [/ENT] around its mentions; PubTator or BioC XML;
or, with --tag, bare text in which the dictionary's names are found first.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if linker.options.TopK < 1 {
				return fmt.Errorf("--top is %d, want at least 1", linker.options.TopK)
			}
			if batch < 1 {
				return fmt.Errorf("--batch is %d, want at least 1", batch)
			}
			options, err := linker.linkOptions(cmd)
			if err != nil {
				return err
			}
			m, err := ctxnorm.Open(cmd.Context(), dir, open)
			if err != nil {
				return hintModel(withFlag(err, encoderOptionFlags), dir)
			}
			defer m.Close()
			if _, err := m.Linker(options); err != nil {
				return hintModel(linkHint(err, options.Method), dir)
			}
			p.logLeftOut(m.EncoderLeftOut())
			out, finish, err := p.openOutput(output)
			if err != nil {
				return err
			}
			p.logThreshold(m.Calibration(), &options)
			w := &recordWriter{out: bufio.NewWriter(out), model: m, options: options, tag: tag}
			err = p.eachBatch(cmd.Context(), input, batch, strict, func(docs []*ctxnorm.Document) error {
				return hintModel(w.write(cmd.Context(), docs), dir)
			})
			if w.documents > 0 && w.mentions == 0 {
				p.logf("no mention in %d documents", w.documents)
				p.logf("hint: mark mentions with [ENT] … [/ENT] or list their offsets, or find the dictionary's names with --tag")
			}
			return finish(err)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&input, "input", "-", "`file` of documents, - for standard input")
	flags.StringVar(&output, "output", "-", "`file` to write, - for standard output")
	flags.StringVar(&dir, "model", "model", "model `folder`")
	flags.IntVar(&linker.options.TopK, "top", 5, "largest number of candidates to write for a mention")
	flags.IntVar(&batch, "batch", 64, "largest number of documents to link together; 1 writes each as soon as it is read")
	flags.BoolVar(&linker.options.Evidence, "explain", false, "write the exemplars that support each candidate (methods ranked, weighted and count)")
	flags.BoolVar(&tag, "tag", false, "find the dictionary's names in the texts first, and link these")
	flags.BoolVar(&strict, "strict", false, "stop at the first malformed record")
	linker.register(flags, "auto")
	registerEncoder(flags, &open.Encoder)
	return cmd
}

// recordWriter links documents and writes their records.
type recordWriter struct {
	out     *bufio.Writer
	model   *ctxnorm.Model
	options ctxnorm.LinkOptions
	tag     bool // find mentions first

	documents, mentions int // written so far
}

// write links documents together and flushes their records, so that a reader at the end
// of a pipe sees them at once.
func (w *recordWriter) write(ctx context.Context, docs []*ctxnorm.Document) error {
	if w.tag {
		tagger, err := w.model.Tagger()
		if err != nil {
			return err
		}
		for i, doc := range docs {
			docs[i] = link.TagDocument(doc, tagger)
		}
	}
	linked, err := w.model.Link(ctx, docs, w.options)
	if err != nil {
		return err
	}
	for _, doc := range linked {
		w.documents++
		w.mentions += len(doc.Mentions)
		if err := link.NewRecord(doc.Document, doc.Results, w.model.Dictionary()).Write(w.out); err != nil {
			return err
		}
	}
	return w.out.Flush()
}

// eachBatch reads documents and passes them to do: one, then two, and so on up to limit, so
// that the first answer comes soon and later ones fill the encoder's batches. The batches
// depend on the input alone, so the output does too.
func (p *program) eachBatch(ctx context.Context, input string, limit int, strict bool, do func([]*ctxnorm.Document) error) error {
	size := 1
	var docs []*ctxnorm.Document
	flush := func() error {
		err := do(docs)
		docs = nil
		size = min(2*size, limit)
		return err
	}
	err := p.eachDocument(input, strict, func(doc *ctxnorm.Document) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if docs = append(docs, doc); len(docs) < size {
			return nil
		}
		return flush()
	})
	var partial *partialError
	if (err == nil || errors.As(err, &partial)) && len(docs) > 0 {
		if failed := flush(); failed != nil {
			return failed
		}
	}
	return err
}

// openOutput opens a file that is written atomically: it takes its place when finish is
// called without an error, or with a partial one. "-" is standard output. A device or a
// named pipe is written as the data comes.
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
	f, err := artifact.Create(path)
	if err != nil {
		return nil, nil, pathError("output", path, err)
	}
	return f, func(err error) error {
		defer f.Discard()
		var partial *partialError
		if err != nil && !errors.As(err, &partial) {
			return err
		}
		return errors.Join(err, f.Commit())
	}, nil
}
