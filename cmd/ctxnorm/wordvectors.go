package main

import (
	"context"
	"errors"
	"io"
	"iter"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/papers/bne/wordvec"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// wordVectorTraining is a run of word-vectors train.
type wordVectorTraining struct {
	p                          *program
	dir, corpusDir, annotation string
	documents                  documentFlags
	config                     wordvec.Config
}

func (p *program) wordVectorsTrainCommand() *cobra.Command {
	t := wordVectorTraining{p: p, config: wordvec.DefaultConfig()}
	c := &t.config
	return p.command(command{
		use:   "train [FILE or FOLDER]…",
		short: "Train word vectors by skip-gram with negative sampling",
		long: `Trains a vector for each word of the sentences of a corpus (--corpus), of documents
of any format that link reads, PubMed XML among them, or of both. The settings are those
of Phan et al., "Robust Representation Learning of Biomedical Names", ACL 2019. It runs on one core.

With --annotation names-and-concepts, tokens of the name and the concept of a mention stand beside its words.

The result is a folder with vocabulary.tsv, vectors.npy for NumPy, and manifest.json.`,
		args:     cobra.ArbitraryArgs,
		usual:    "corpus input word-vectors annotation dim epochs",
		examples: "ctxnorm word-vectors train --corpus corpus --annotation names-and-concepts",
		flags: [][]flag{t.documents.flags(), {
			{"word-vectors", &t.dir, "out=folder default=word-vectors", "`folder` of word vectors to write"},
			{"corpus", &t.corpusDir, "", "corpus `folder` whose sentences to train on"},
			{"annotation", &t.annotation, "is=none|names-and-concepts default=none", "what stands beside the words of the " +
				"mentions of the corpus: none or names-and-concepts"},
			{"dim", &c.Dim, "", "number of components of a vector"},
			{"window", &c.Window, "", "largest number of words on each side of a word that are its context"},
			{"negatives", &c.Negatives, "", "number of noise words for each pair of words"},
			{"min-count", &c.MinCount, "", "smallest number of times that a word must appear"},
			{"epochs", &c.Epochs, "", "number of passes over the text"},
			{name: "seed", value: &c.Seed},
		}},
		run: t.run,
	})
}

func (t *wordVectorTraining) run(cmd *cobra.Command, args []string) error {
	withFiles := len(args) > 0 || cmd.Flags().Changed("input")
	if t.corpusDir == "" && !withFiles {
		return withHint(errors.New("no text to train on"), "name a corpus with --corpus FOLDER, or files of documents")
	}
	if withFiles {
		if err := t.documents.check(t.p, cmd, args); err != nil {
			return err
		}
		if err := wantFiles(t.documents.found, "training reads its text several times"); err != nil {
			return err
		}
	}
	if err := wordvec.CheckTarget(t.dir); err != nil {
		return err
	}
	var texts []iter.Seq2[*text.Document, error]
	if t.corpusDir != "" {
		c, err := corpus.Open(t.corpusDir)
		if err != nil {
			return err
		}
		texts = append(texts, c.Documents(cmd.Context()))
	}
	if withFiles {
		texts = append(texts, t.p.documentsOnce(&t.documents))
	}
	all := func(yield func(*text.Document, error) bool) {
		for _, sequence := range texts {
			for doc, err := range sequence {
				if !yield(doc, err) {
					return
				}
			}
		}
	}
	return t.train(cmd.Context(), wordvec.Text(all, t.annotation == "names-and-concepts"))
}

// train trains on texts and writes the vectors.
func (t *wordVectorTraining) train(ctx context.Context, texts wordvec.Documents) error {
	bar := t.p.bar()
	t.config.OnProgress = func(done, total int64) {
		bar.set(ctxnorm.Progress{Task: "word vectors", Unit: "words", Done: done, Total: total})
	}
	v, err := wordvec.Train(ctx, texts, t.config)
	bar.finish()
	if err != nil {
		return err
	}
	if err := v.Save(t.dir); err != nil {
		return err
	}
	t.p.logf("%s: %d words, vectors of %d numbers, trained on %d words of text", t.dir, v.Len(), v.Dim(), v.Total())
	return nil
}

// documentsOnce returns the documents of files, which can be read several times. It reports malformed records only the
// first time, and skips them.
func (p *program) documentsOnce(d *documentFlags) iter.Seq2[*text.Document, error] {
	stop := errors.New("stop")
	reader := p
	return func(yield func(*text.Document, error) bool) {
		err := reader.eachRecord(d, func(record *formats.Record) error {
			if !yield(record.Document, nil) {
				return stop
			}
			return nil
		})
		reader = &program{stdin: p.stdin, stdout: p.stdout, stderr: io.Discard, limits: p.limits}
		if err != nil && !errors.Is(err, stop) {
			yield(nil, err)
		}
	}
}
