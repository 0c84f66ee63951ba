package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

func (p *program) buildCorpusCommand() *cobra.Command {
	var (
		dict    dictionaryFlags
		exclude string
		format  string
		shard   shardFlag
		options = ctxnorm.BuildCorpusOptions{SentencesPerName: corpus.DefaultSentencesPerName, Seed: 1}
	)
	cmd := &cobra.Command{
		Use:   "build-corpus FILE…",
		Short: "Label sentences of texts with the dictionary's names",
		Long: `Reads files and folders of PubMed XML (.xml or .xml.gz) or other texts, labels every sentence with the
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
		Args:        atLeast(1, "files of PubMed XML or other texts"),
		Annotations: map[string]string{resumes: "true"},
		RunE: func(cmd *cobra.Command, args []string) error {
			if options.SentencesPerName < 1 {
				return fmt.Errorf("--sentences-per-name is %d, want at least 1", options.SentencesPerName)
			}
			if options.Workers < 0 {
				return fmt.Errorf("--workers is %d, want 0 (all cores) or more", options.Workers)
			}
			if err := corpus.CheckTarget(options.Dir); err != nil {
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
			var err error
			if options.Format, err = formats.ParseFormat(format); err != nil {
				return fmt.Errorf("--input-format: %w", err)
			}
			if options.Dictionary, err = dict.open(p); err != nil {
				return err
			}
			documents := documentFlags{input: args, format: format, columns: options.Columns}
			if options.Inputs, err = documents.files(); err != nil {
				return err
			}
			p.logUnknown(&documents)
			options.DictionaryPath = dict.name()
			if exclude != "" {
				if options.ExcludePMIDs, err = p.readLines(exclude); err != nil {
					return err
				}
			}
			collectSeldom()
			options.Limits = p.limits
			var finish func()
			options.Observer, finish = p.observer()
			var broken *ctxnorm.InputErrors
			if shard.isSet() {
				err = p.buildShard(cmd.Context(), options, &shard, finish)
			} else {
				var manifest *corpus.Manifest
				manifest, err = ctxnorm.BuildCorpus(cmd.Context(), options)
				finish()
				if err == nil || errors.As(err, &broken) {
					p.logCorpus(options.Dir, manifest)
				}
			}
			if err != nil && !errors.As(err, &broken) {
				return targetHint(hintFormat(err), "corpus")
			}
			skipped := skippedError(0, len(documents.unknown))
			switch {
			case broken != nil && skipped != nil:
				return &partialError{broken.Error() + "\n" + skipped.Error()}
			case broken != nil:
				return &partialError{broken.Error()}
			}
			return skipped
		},
	}
	flags := cmd.Flags()
	dict.register(flags)
	flags.StringVar(&options.Dir, "corpus", "corpus", "corpus `folder` to write")
	flags.IntVar(&options.SentencesPerName, "sentences-per-name", options.SentencesPerName,
		"largest number of sentences to keep for a name")
	flags.Uint64Var(&options.Seed, "seed", options.Seed, "seed of the sample of sentences")
	flags.StringVar(&exclude, "exclude-pmids", "",
		"`file` of PMIDs, or identifiers of other documents, to leave out, one a line")
	shard.register(flags, "`part` of the input files to read, such as 3/8 for the third of eight; without --shard all "+
		"parts are joined")
	flags.StringVar(&format, "input-format", "", "`format` of the texts (default: recognized by the content): "+
		joined(formats.Formats()))
	flags.StringToStringVar(&options.Columns, "columns", nil,
		"`columns` of a table, by name or number: id=Patient,text=Note")
	registerWait(flags, &options.Wait, "corpus")
	flags.IntVar(&options.Workers, "workers", 0, "number of files and batches to process at once (default: one per core)")
	return cmd
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
	p.logf("%s: shard %s is complete: %d of %d input files, with %d mentions in %d records", options.Dir, shard,
		len(files), len(all), mentions, records)
	return err
}

// logCorpus prints the size of a corpus and how much was left out of it.
func (p *program) logCorpus(dir string, m *corpus.Manifest) {
	t, d := &m.Totals, &m.Dropped
	p.logf("%s: %d sentences with %d mentions of %d names of %d concepts, from %d records",
		dir, t.Sampled, t.SampledMentions, t.Names, t.Concepts, t.Records)
	p.logf("%s: %d of %d mentions in all records are short forms tagged by their definition, %d of these outside the "+
		"dictionary",
		dir, t.Defined, t.Mentions, t.NIL)
	p.logf("%s: %d pairs of names and abbreviations that texts define", dir, t.Pairs)
	p.logf("%s: skipped %d sentences without a mention and %d over the limit per name; records: %d excluded, %d "+
		"superseded, %d deleted",
		dir, d.Untagged, d.Unsampled, d.Excluded, d.Superseded, d.Deleted)
}
