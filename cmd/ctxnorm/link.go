package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/papers"
	"github.com/ctxnorm/ctxnorm/text/formats"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// linkFlags are the flags of link.
type linkFlags struct {
	documents documentFlags
	output    outputFlags
	batch     int
	find      string
	source    modelFlags
	linker    linkerFlags
	shard     shard
	wait      bool
}

func (f *linkFlags) flags() [][]flag {
	o := &f.linker.options
	return [][]flag{f.documents.flags(), f.output.flags(), f.source.flags(), f.source.dict.filterFlags(), {
		{"shard", &f.shard, "", "`part` of the input files to link, such as 3/8 for the third of eight; needs a folder as --output"},
		{"wait", &f.wait, "", "wait while another process is writing the same file, or linking the same input files into the " +
			"same folder"},
		{"top", &o.TopK, "min=1 default=5", "largest number of candidates to write for a mention; if it is given, tables have a " +
			"column of those after the first"},
		{"batch", &f.batch, "min=1 default=64", "largest number of documents to link together; 1 writes each as soon as it is read"},
		{"explain", &o.Evidence, "method=evidence", "write the exemplars that support each candidate"},
		{"tag", &o.Tag, "", "find the dictionary's names in the texts first, and link these"},
		{"xrefs", &o.Xrefs, "", "write the identifiers that the dictionary has of other vocabularies (formats jsonl, fhir, csv, " +
			"tsv, xlsx and parquet)"},
		{name: "assertion", value: &o.Assertion},
		{"recognize", &o.Recognize, "", "find the dictionary's names and other wordings of its concepts, as the model has " +
			"learned from its corpus"},
		{"find", &f.find, "is=more|fewer needs=recognize",
			"`more` or fewer: let the recognizer find more mentions, or only those that it is surer of"},
		{name: "strict", value: &f.documents.strict},
	}, f.linker.flags("auto"), f.linker.choiceFlags()}
}

func (p *program) linkCommand() *cobra.Command {
	var f linkFlags
	return p.command(command{
		use:   "link [FILE or FOLDER]…",
		short: "Link the mentions of texts to concepts",
		long: `Links the mentions of documents and writes every mention with its candidates, best
first, or with none if it is NIL.

The input is JSON, one {"id","text","mentions":[{"start","end"}]} a line with offsets
in code points; text with [ENT] … [/ENT] around its mentions; PubTator, BioC XML or
JSON, BRAT, CoNLL; a table with a column of texts or mentions; PubMed XML or JATS.

If --output is a folder, it gets a file for each input file, with the same name and the
extension of the format. Files that an earlier run has linked are not linked again, so the
same command links only new files. Any number of runs may work on one folder at once, on
any machines: they divide up the files, or take those of --shard.

--format jsonl writes a line a document; the format of the input, the documents as they
were with the concepts filled in; tables a row a mention; html a page to look at; pretty,
the default on a terminal, each mention in its text with its concept and a piece of evidence.

--types, --only-ids, --without-ids and --stop-names restrict the candidates, of a model or of
a dictionary: a mention of another concept is NIL, or gets the most probable of those left.`,
		args: cobra.ArbitraryArgs,
		usual: "input output format model dict tag recognize top explain columns input-format min-probability coverage " +
			"min-score assertion method",
		examples: `ctxnorm link --input sentences.jsonl --explain            # with evidence
ctxnorm link --output results.xlsx gold.pubtator brat/    # files and folders, to a sheet
ctxnorm link --dict names.xlsx --tag --output results.csv notes.txt   # no model, no mentions
ctxnorm link --columns text=Note,id=Case --output page.html cases.csv
ctxnorm link --dict names.xlsx --columns mention=Diagnosis --top 3 --output coded.xlsx list.xlsx   # a column to code`,
		flags: f.flags(),
		run:   func(cmd *cobra.Command, args []string) error { return f.run(p, cmd, args) },
	})
}

// check returns the linking options. It rejects flags that are wrong or have no effect before anything is opened.
func (f *linkFlags) check(p *program, cmd *cobra.Command, args []string) (options ctxnorm.LinkOptions, err error) {
	f.documents.leaveOut = f.output.leaveOut(p)
	if err := f.documents.check(p, cmd, args); err != nil {
		return options, err
	}
	fromDictionary := f.source.fromDictionary(cmd)
	if options, err = f.linker.linkOptions(cmd, fromDictionary); err != nil {
		return options, err
	}
	options.FindMore = map[string]float64{"more": .75, "fewer": -.75}[f.find] // in log odds
	if options.Recognize && fromDictionary {
		return options, withHint(
			errors.New("--recognize needs a model that has learned what mentions are, and --dict gives none"),
			"--tag finds the names of the dictionary; train --encoder none makes a model from a corpus")
	}
	f.output.Recognition, f.output.Assertion, f.output.Xrefs = options.Recognize, options.Assertion, options.Xrefs
	f.output.OtherCandidates = cmd.Flags().Changed("top") && options.TopK > 1
	f.output.onTerminal = terminal(p.stdout) != nil
	if err := f.output.check(cmd); err != nil {
		return options, err
	}
	if options.TopK == 1 && f.output.hidesTies() {
		options.TopK = 2
	}
	switch f.output.parse() {
	case formats.OMOP:
		options.Xrefs = true // the prefix tells the vocabulary of a concept
	case pretty.Name:
		method, _ := papers.MethodOf(string(options.Method))
		options.Evidence = method.Evidence
	}
	if err := f.checkFolder(p, cmd); err != nil {
		return options, err
	}
	return options, f.source.encoder.Validate()
}

// run opens the model or dictionary, links the documents and logs a summary.
func (f *linkFlags) run(p *program, cmd *cobra.Command, args []string) error {
	ctx := cmd.Context()
	options, err := f.check(p, cmd, args)
	if err != nil {
		return err
	}
	lock, err := f.output.lock(ctx, p.waiting(f.wait))
	if err != nil {
		return err
	}
	defer lock.Release()
	f.source.dict.options.Strict = f.documents.strict
	m, err := f.source.open(p, cmd)
	if err != nil {
		return err
	}
	makeLinker := func() (*link.MentionResolver, error) { return m.Linker(options) }
	var resolver *link.MentionResolver
	if f.source.fromDictionary(cmd) { // the dictionary is indexed now
		resolver, err = untilDone(ctx, makeLinker)
	} else {
		resolver, err = makeLinker()
	}
	if err != nil {
		return linkerError(err, options.Method)
	}
	if options.Recognize {
		if _, err := m.Stored().Recognizer(); err != nil {
			return err
		}
	}
	p.logLeftOut(m.EncoderLeftOut())
	r := &linkRun{program: p, flags: f, model: m, options: options}
	if r.settings, err = f.hashSettings(m, options); err != nil {
		return err
	}
	p.logThreshold(m.Stored().Calibration, &options)
	if f.output.isFile() {
		cmd.Annotations[resumes] = "yes"
	}
	if f.output.isFolder() {
		err = r.toFolder(ctx, &f.shard)
	} else {
		err = r.toFile(ctx)
	}
	if r.documents > 0 && r.mentions == 0 {
		hint := "mark mentions with [ENT] … [/ENT] or list their offsets, or find them with --recognize, " +
			"or the dictionary's names with --tag; --input-format mentions reads a mention a line"
		if options.Tag || options.Recognize {
			hint = "the texts have no name of the dictionary; ctxnorm dict check shows which names are looked for"
		}
		p.warn(fmt.Sprintf("no mention in %s", plural(r.documents, "document")), hint)
	}
	r.languages.warn(p)
	r.ties.warn(p)
	if r.reused > 0 {
		p.logf("linked by an earlier run: %d of %s", r.reused, plural(r.documents, "document"))
	}
	p.logCascade(resolver.CascadeCounts())
	f.output.warnings.warn(p)
	return err
}

// hashSettings returns a hash of everything except the input that results depend on. It does not include the number of
// workers, so that a run can resume one with a different number.
func (f *linkFlags) hashSettings(m *ctxnorm.Model, options ctxnorm.LinkOptions) (string, error) {
	h := sha256.New()
	encoder, read, output := f.source.encoder, &f.documents, &f.output
	encoder.Workers = 0
	settings := []any{version, m.Stored().Manifest, f.source.dict.filter, m.MemoryEntries(), options, f.batch, encoder}
	if output.isFolder() { // whose files from earlier runs are kept
		settings = append(settings, read.Format, read.Encoding, read.Columns, read.Unit, output.SpreadsheetSafe, output.links,
			output.CodeSystem, output.OtherCandidates)
	}
	err := json.NewEncoder(h).Encode(settings)
	return hex.EncodeToString(h.Sum(nil)), err
}

// linkRun is a run of link: it links documents and writes the results.
type linkRun struct {
	program  *program
	flags    *linkFlags
	model    *ctxnorm.Model
	options  ctxnorm.LinkOptions
	settings string        // hash of everything except the input that results depend on
	out      *linkedOutput // output being written

	documents, mentions int // written so far
	reused              int // documents among these that an earlier run linked
	languages           languageCheck
	ties                tieCheck
}

// toFile links all documents to one file, or to standard output.
func (r *linkRun) toFile(ctx context.Context) (err error) {
	p, documents, output := r.program, &r.flags.documents, &r.flags.output
	if !slices.ContainsFunc(documents.found, isReadOnce) { // for a single file, its first record lists them
		output.Columns = documents.columns
	}
	if r.out, err = output.open(p, true); err != nil {
		return err
	}
	if r.out.journal != nil {
		files, err := documents.files(p)
		if err != nil {
			return r.out.finish(err)
		}
		documents.progress = newReadProgress(p, files)
		defer documents.progress.bar.finish()
	}
	return r.out.finish(r.link(ctx, documents))
}

// linkedBatch is a batch of documents with their links.
type linkedBatch struct {
	records []*formats.Record
	docs    []*linked.Document
}

// link reads, links and writes documents in batches of one document, then two, and so on up to a limit, so that the
// first answer comes soon and later batches fill those of the encoder. The batches depend on the input alone, and so
// does the output. While one batch is linked, the next is read and the previous one is written.
func (r *linkRun) link(ctx context.Context, d *documentFlags) error {
	stages, ctx := errgroup.WithContext(ctx)
	read, done := make(chan []*formats.Record), make(chan linkedBatch)
	stages.Go(func() error {
		defer close(done)
		for records := range read {
			docs, err := r.linkBatch(ctx, records)
			if err != nil {
				return err
			}
			if err := send(ctx, done, linkedBatch{records, docs}); err != nil {
				return err
			}
		}
		return nil
	})
	stages.Go(func() error {
		for batch := range done {
			if err := r.write(batch); err != nil {
				return err
			}
		}
		return nil
	})
	err := r.program.eachBatch(ctx, d, r.model, r.options, r.flags.batch,
		func(records []*formats.Record) error { return send(ctx, read, records) })
	close(read)
	if failed := stages.Wait(); failed != nil {
		return failed // the reason why reading ended
	}
	return err
}

// send sends a value to a stage, unless a stage has failed.
func send[T any](ctx context.Context, to chan<- T, value T) error {
	select {
	case to <- value:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// linkBatch returns the linked documents, from the journal if it has them.
func (r *linkRun) linkBatch(ctx context.Context, records []*formats.Record) ([]*linked.Document, error) {
	journal := r.out.journal
	if journal == nil {
		return r.model.LinkRecords(ctx, records, r.options)
	}
	batch := hashBatch(r.settings, records)
	docs, dropped, err := journal.next(batch)
	if err != nil {
		return nil, err
	}
	if dropped {
		r.program.warnf("%s: is of other settings, other documents or another model, or damaged: starting anew",
			r.flags.output.journal())
	}
	if len(docs) == len(records) {
		r.reused += len(records)
		for _, doc := range docs {
			doc.Tagged = r.options.Tag
		}
		return docs, nil
	}
	if docs, err = r.model.LinkRecords(ctx, records, r.options); err != nil {
		return nil, err
	}
	return docs, journal.add(batch, docs)
}

// write writes documents with their links.
func (r *linkRun) write(b linkedBatch) error {
	for i, doc := range b.docs {
		r.documents++
		r.mentions += len(doc.Mentions)
		if r.flags.output.hidesTies() {
			r.ties.add(doc)
		}
		if r.options.Assertion {
			r.languages.add(doc.Text)
		}
		if err := r.out.Write(b.records[i], doc); err != nil {
			return err
		}
	}
	return nil
}
