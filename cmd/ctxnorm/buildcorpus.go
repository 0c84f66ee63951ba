package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// buildCorpusFlags are the flags of build-corpus.
type buildCorpusFlags struct {
	dict      dictionaryFlags
	exclude   string
	documents documentFlags
	shard     shardFlag
	options   ctxnorm.BuildCorpusOptions
}

func (p *program) buildCorpusCommand() *cobra.Command {
	f := buildCorpusFlags{
		options: ctxnorm.BuildCorpusOptions{SentencesPerName: corpus.DefaultSentencesPerName, Seed: 1},
	}
	cmd := &cobra.Command{
		Use:   "build-corpus FILE…",
		Short: "Label sentences of texts with the dictionary's names",
		Long: `Reads files and folders of PubMed XML or other texts, compressed or not, labels every sentence with the
dictionary's names by longest match, and keeps a sample of up to
--sentences-per-name sentences for each name. It also collects what texts define:
abbreviations with their long forms, and names "also known as" others.

Other texts are full texts of PubMed Central (JATS), a document a line as text or JSON,
whole files (--input-format plain), PubTator, BioC, BRAT, CoNLL and tables; their annotations
are not looked at. A document without an identifier gets that of its file and a number,
such as notes.txt:12.

The result is a folder with sentences.parquet, pairs.parquet and manifest.json. A
run that was stopped resumes after the files it had finished.

With --shard 3/8 the run reads every eighth of the files, from the third, and leaves what
it made of them in the folder. Any number of such runs may work at once, on any machines that
share the folder; the same command without --shard then joins their work.`,
		Args:        atLeast(1, "files of texts"),
		Annotations: map[string]string{resumes: "true"},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(args); err != nil {
				return err
			}
			return f.run(cmd.Context(), p)
		},
	}
	f.register(cmd.Flags())
	return cmd
}

func (f *buildCorpusFlags) register(flags *pflag.FlagSet) {
	o := &f.options
	f.dict.register(flags)
	flags.StringVar(&o.Dir, "corpus", "corpus", "corpus `folder` to write")
	flags.IntVar(&o.SentencesPerName, "sentences-per-name", o.SentencesPerName,
		"largest number of sentences to keep for a name")
	flags.Uint64Var(&o.Seed, "seed", o.Seed, "seed of the sample of sentences")
	flags.StringVar(&f.exclude, "exclude-pmids", "",
		"`file` of identifiers of documents, such as PMIDs, to leave out, one a line")
	f.shard.register(flags,
		"`part` of the input files to read, such as 3/8 for the third of eight; without --shard all "+
			"parts are joined")
	flags.StringVar(&f.documents.format, "input-format", "",
		"`format` of the texts (default: recognized by the content): "+joined(formats.Formats()))
	flags.StringToStringVar(&f.documents.columns, "columns", nil,
		"`columns` of a table, by name or number: id=Number,text=Note")
	registerWait(flags, &o.Wait, "corpus")
	flags.IntVar(&o.Workers, "workers", 0, "number of files and batches to process at once (default: one per core)")
}

// check sets the options that no flag points into, and refuses flags and files that are wrong.
func (f *buildCorpusFlags) check(args []string) error {
	o := &f.options
	if o.SentencesPerName < 1 {
		return fmt.Errorf("--sentences-per-name is %d, want at least 1", o.SentencesPerName)
	}
	if o.Workers < 0 {
		return fmt.Errorf("--workers is %d, want 0 (all cores) or more", o.Workers)
	}
	if err := corpus.CheckTarget(o.Dir); err != nil {
		return targetHint(err, "corpus")
	}
	if err := wantFiles(args, "build-corpus also compares its files with those of earlier runs"); err != nil {
		return err
	}
	for _, path := range args {
		var on *fs.PathError
		if _, err := os.Stat(path); errors.As(err, &on) {
			return fmt.Errorf("%s: %w", path, on.Err)
		}
	}
	f.documents.input, o.Columns = args, f.documents.columns
	var err error
	if o.Format, err = formats.ParseFormat(f.documents.format); err != nil {
		return fmt.Errorf("--input-format: %w", err)
	}
	return nil
}

// run reads the dictionary and builds the corpus, or the part of --shard.
func (f *buildCorpusFlags) run(ctx context.Context, p *program) error {
	if err := f.open(p); err != nil {
		return err
	}
	var finish func()
	f.options.Observer, finish = p.observer()
	var broken *ctxnorm.InputErrors
	var err error
	if f.shard.isSet() {
		err = p.buildShard(ctx, f.options, &f.shard, finish)
	} else {
		var manifest *corpus.Manifest
		manifest, err = ctxnorm.BuildCorpus(ctx, f.options)
		finish()
		if err == nil || errors.As(err, &broken) {
			p.logCorpus(f.options.Dir, manifest)
		}
	}
	if err != nil && !errors.As(err, &broken) {
		return targetHint(hintFormat(err), "corpus")
	}
	skipped := skippedError(0, len(f.documents.unknown))
	switch {
	case broken != nil && skipped != nil:
		return &partialError{broken.Error() + "\n" + skipped.Error()}
	case broken != nil:
		return &partialError{broken.Error()}
	}
	return skipped
}

// open reads the dictionary and the documents to leave out, and finds the files of texts.
func (f *buildCorpusFlags) open(p *program) (err error) {
	o := &f.options
	o.Limits = p.limits
	if o.Dictionary, err = f.dict.open(p); err != nil {
		return err
	}
	o.DictionaryPath = f.dict.name()
	if o.Inputs, err = f.documents.files(); err != nil {
		return err
	}
	p.logUnknown(&f.documents)
	if f.exclude != "" {
		o.ExcludePMIDs, err = p.readLines(f.exclude)
	}
	return err
}

// buildShard builds the shards of some of the input files. finish ends the progress bar.
func (p *program) buildShard(ctx context.Context, options ctxnorm.BuildCorpusOptions, shard *shardFlag,
	finish func()) error {
	defer finish()
	builder, err := ctxnorm.NewShardBuilder(options)
	if err != nil {
		return err
	}
	all := builder.Inputs()
	files := shard.files(all)
	if len(files) == 0 {
		p.logf("%s: shard %s has none of the %d input files", options.Dir, shard, len(all))
		return nil
	}
	inputs, err := builder.Build(ctx, files)
	var broken *ctxnorm.InputErrors
	if err != nil && !errors.As(err, &broken) {
		return err
	}
	finish()
	records, mentions := 0, 0
	for i := range inputs {
		records += inputs[i].Records
		mentions += inputs[i].Mentions
	}
	p.logf("%s: shard %s is complete: %d of %s, with %s in %s", options.Dir, shard, len(files),
		english.Plural(len(all), "input file", ""), english.Plural(mentions, "mention", ""),
		english.Plural(records, "record", ""))
	return err
}

// logCorpus prints the size of a corpus and how much was left out of it.
func (p *program) logCorpus(dir string, m *corpus.Manifest) {
	t, d := &m.Totals, &m.Dropped
	p.logf("%s: %s with %s of %s of %s, from %s", dir, english.Plural(t.Sampled, "sentence", ""),
		english.Plural(t.SampledMentions, "mention", ""), english.Plural(t.Names, "name", ""),
		english.Plural(t.Concepts, "concept", ""), english.Plural(t.Records, "record", ""))
	p.logf("%s: %d of %d mentions in all records are short forms tagged by their definition, %d of these outside the "+
		"dictionary",
		dir, t.Defined, t.Mentions, t.NIL)
	p.logf("%s: %s of names and abbreviations that texts define", dir, english.Plural(t.Pairs, "pair", ""))
	p.logf("%s: skipped %s without a mention and %d over the limit per name; records: %d excluded, %d "+
		"superseded, %d deleted",
		dir, english.Plural(d.Untagged, "sentence", ""), d.Unsampled, d.Excluded, d.Superseded, d.Deleted)
}
