package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/corpus"
)

// buildCorpusFlags are the flags of build-corpus.
type buildCorpusFlags struct {
	dict      dictionaryFlags
	exclude   string
	documents documentFlags
	shard     shard
	wait      bool
	options   corpus.Options
	observer  ctxnorm.Observer
}

func (p *program) buildCorpusCommand() *cobra.Command {
	var f buildCorpusFlags
	f.options.SentencesPerName = corpus.DefaultSentencesPerName
	o := &f.options
	return p.command(command{
		use:   "build-corpus FILE…",
		short: "Label sentences of texts with the dictionary's names",
		long: `Reads files and folders of PubMed XML or other texts, compressed or not, labels every sentence with the
dictionary's names by longest match, and keeps a sample of up to
--sentences-per-name sentences for each name. It also collects definitions in the texts:
abbreviations with their long forms, and names "also known as" others.

Other texts may have any format that link reads; their annotations are ignored. A document
without an identifier is named by its file and a number, such as notes.txt:12. A run that was
stopped resumes after the files it had finished.

With --shard 3/8 the run reads every eighth file, starting with the third, and stores the
results in the folder. Any number of such runs may work at once, on any machines that share
the folder; the same command without --shard then joins their work.`,
		args:    wantArgs(cobra.MinimumNArgs(1)),
		resumes: true,
		usual:   "dict corpus input-format exclude-pmids types",
		examples: `ctxnorm build-corpus pubmed/*.xml.gz                       # dictionary.* of this folder
ctxnorm build-corpus --dict names.xlsx --corpus notes notes/   # any texts, a folder of them`,
		flags: [][]flag{f.dict.flags(), f.documents.readFlags("is=@texts"), {
			{"corpus", &o.Dir, "out=folder default=corpus", "corpus `folder` to write"},
			{"sentences-per-name", &o.SentencesPerName, "min=1", "largest number of sentences to keep for a name"},
			{"seed", &o.Seed, "default=1", "seed of the sample of sentences"},
			{"exclude-pmids", &f.exclude, "in", "`file` of identifiers of documents, such as PMIDs, to leave out, one a line"},
			{"shard", &f.shard, "", "`part` of the input files to read, such as 3/8 for the third of eight; without --shard all " +
				"parts are joined"},
			{name: "wait", value: &f.wait},
			{"workers", &o.Workers, "min=0", "number of files and batches to process at once (default: one per core)"},
		}},
		run: func(cmd *cobra.Command, args []string) error { return f.run(p, cmd, args) },
	})
}

// check rejects invalid files before anything is read.
func (f *buildCorpusFlags) check(p *program, cmd *cobra.Command, args []string) error {
	if err := corpus.CheckTarget(f.options.Dir); err != nil {
		return err
	}
	if err := wantFiles(args, "build-corpus also compares its files with those of earlier runs"); err != nil {
		return err
	}
	return f.documents.check(p, cmd, args)
}

// run reads the dictionary and builds the corpus, or the shards selected by --shard.
func (f *buildCorpusFlags) run(p *program, cmd *cobra.Command, args []string) error {
	if err := f.check(p, cmd, args); err != nil {
		return err
	}
	ctx := cmd.Context()
	if err := f.open(ctx, p); err != nil {
		return err
	}
	var finish func()
	f.observer, finish = p.observer()
	build := f.build
	if f.shard.of > 0 {
		build = f.buildShard
	}
	log, err := build(ctx, p)
	finish()
	broken, ok := errors.AsType[*ctxnorm.InputErrors](err)
	if err != nil && !ok {
		return err
	}
	log()
	if ok {
		return &partialError{errors.Join(broken, p.skipped.error()).Error()}
	}
	return nil
}

// open reads the dictionary and the list of documents to exclude, and finds the text files.
func (f *buildCorpusFlags) open(ctx context.Context, p *program) (err error) {
	o := &f.options
	o.Options, o.Waiting = f.documents.Options, p.waiting(f.wait)
	o.Limits = p.limits
	if o.Dictionary, err = f.dict.open(ctx, p); err != nil {
		return err
	}
	o.DictionaryPath = f.dict.name()
	if o.Inputs, err = f.documents.files(p); err != nil {
		return err
	}
	p.logUnknown(&f.documents)
	if f.exclude != "" {
		o.Exclude, err = p.readLines(f.exclude)
	}
	return err
}

// build builds the corpus, and returns a function that logs the result.
func (f *buildCorpusFlags) build(ctx context.Context, p *program) (log func(), err error) {
	manifest, err := ctxnorm.BuildCorpus(ctx, f.options, f.observer)
	return func() { p.logCorpus(f.options.Dir, manifest) }, err
}

// buildShard builds the shards of some of the input files, and returns a function that logs the result.
func (f *buildCorpusFlags) buildShard(ctx context.Context, p *program) (log func(), err error) {
	all := f.options.Inputs
	files := f.shard.files(all)
	if len(files) == 0 {
		return func() { p.logf("%s: shard %v has none of the %d input files", f.options.Dir, &f.shard, len(all)) }, nil
	}
	inputs, err := ctxnorm.BuildShards(ctx, f.options, files, f.observer)
	records, mentions := 0, 0
	for i := range inputs {
		records += inputs[i].Records
		mentions += inputs[i].Mentions
	}
	return func() {
		p.logf("%s: shard %v is complete: %d of %s, with %s in %s", f.options.Dir, &f.shard, len(files),
			plural(len(all), "input file"), plural(mentions, "mention"), plural(records, "record"))
	}, err
}

// logCorpus logs the size of a corpus and how much was left out.
func (p *program) logCorpus(dir string, m *corpus.Manifest) {
	t, d := &m.Totals, &m.Dropped
	p.logf("%s: %s with %s of %s of %s, from %s", dir, plural(t.Sampled, "sentence"),
		plural(t.SampledMentions, "mention"), plural(t.Names, "name"), plural(t.Concepts, "concept"), plural(t.Records, "record"))
	p.logf("%s: %d of %d mentions in all records are short forms tagged by their definition, %d of these outside the "+
		"dictionary", dir, t.Defined, t.Mentions, t.NIL)
	p.logf("%s: %s of names and abbreviations that texts define", dir, plural(t.Pairs, "pair"))
	p.logf("%s: skipped %s without a mention and %d over the limit per name; records: %d excluded, %d superseded, %d deleted",
		dir, plural(d.Untagged, "sentence"), d.Unsampled, d.Excluded, d.Superseded, d.Deleted)
}
