package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/progress"
	"github.com/ctxnorm/ctxnorm/memory"
	"github.com/ctxnorm/ctxnorm/papers"
	"github.com/ctxnorm/ctxnorm/text/formats"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// makeModel is the hint for a folder that is not a model.
const makeModel = "make a model with ctxnorm train, or name one with --model FOLDER"

// makeModelOrDictionary is the same hint for the commands that link without a model, too.
const makeModelOrDictionary = makeModel + ", or link by strings with --dict FILE"

// memoryLogHint says what to do about the damaged log of a memory, of which the first lines are as
// they were written.
func memoryLogHint(log string, lines int) string {
	hint := "move " + log + " aside to go on without the memory"
	if lines > 1 { // more than its header
		hint += fmt.Sprintf(", or cut it after line %d to go on without what follows", lines)
	}
	return hint
}

// hintModel adds to an error of the model in dir what to do about it. dir is empty for a dictionary without a model.
func hintModel(err error, dir string) error {
	if err == nil || dir == "" || errors.Is(err, ctxnorm.ErrNoEncoder) {
		return err
	}
	if !isModel(dir) {
		return withHint(err, makeModel)
	}
	if damaged, ok := errors.AsType[*ctxnorm.DamagedError](err); ok {
		if log, lines, _ := memory.Check(memory.Dir(dir)); damaged.Path == log {
			return withHint(err, memoryLogHint(log, lines))
		}
		return withHint(err, "ctxnorm verify --model "+dir+" lists every file that is not as it was written")
	}
	return err
}

// linkFlags are the flags of link.
type linkFlags struct {
	documents documentFlags
	output    outputFlags
	batch     int
	source    modelFlags
	recognize recognizeFlags
	linker    linkerFlags
	shard     shardFlag
	wait      bool
}

func (p *program) linkCommand() *cobra.Command {
	var f linkFlags
	cmd := &cobra.Command{
		Use:   "link [FILE or FOLDER]…",
		Short: "Link the mentions of texts to concepts",
		Long: `Links the mentions of documents and writes every mention with its candidates, best
first, or with none if it is NIL.

The input is JSON, one {"id","text","mentions":[{"start","end"}]} a line with offsets
in code points; text with [ENT] … [/ENT] around its mentions; PubTator, BioC XML or
JSON, BRAT, CoNLL; a table with a column of texts or mentions; PubMed XML or JATS.
--tag finds the dictionary's names in the texts first, --recognize other wordings too,
as the model has learned from its corpus.

A folder as --output gets a file for each input file, called like it with the extension
of the format. What the command writes is left out of its input. Files that an earlier
run has linked are left as they are, so the same command links what is new. Any number
of runs may work on one folder at once, also on other machines: they share the files
out, or take those of --shard.

--format jsonl writes a line a document; the format of the input, the documents as they
were with the concepts filled in; tsv, csv, xlsx and parquet, a row a mention; sssom,
fhir, omop and usagi, what these standards have for it; html, a page to look at; pretty,
the default on a terminal, each mention in its text with its concept and a piece of evidence.

With --dict the mentions are linked by strings to a dictionary, without a model; a
mention that is like none of its names (--min-score) is NIL. --types, --only-ids,
--without-ids and --stop-names restrict the candidates, of a model or of a dictionary: a
mention of another concept is NIL, or gets the most probable of those that are left.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			options, err := f.check(p, cmd, args)
			if err != nil {
				return err
			}
			return f.run(p, cmd, options)
		},
	}
	f.register(cmd.Flags())
	return cmd
}

func (f *linkFlags) register(flags *pflag.FlagSet) {
	options := &f.linker.options
	f.documents.register(flags)
	f.output.register(flags)
	f.source.register(flags)
	f.shard.register(flags,
		"`part` of the input files to link, such as 3/8 for the third of eight; needs a folder as --output")
	flags.BoolVar(&f.wait, "wait", false,
		"wait while another process is writing the same file, or linking the same input files into the same folder")
	flags.IntVar(&options.TopK, "top", 5, "largest number of candidates to write for a mention; if it is given, "+
		"tables have a column of those after the first")
	f.linker.registerBudget(flags)
	flags.IntVar(&f.batch, "batch", 64,
		"largest number of documents to link together; 1 writes each as soon as it is read")
	flags.BoolVar(&options.Evidence, "explain", false,
		"write the exemplars that support each candidate ("+methodsOf("explain")+")")
	flags.BoolVar(&options.Tag, "tag", false, "find the dictionary's names in the texts first, and link these")
	f.recognize.register(flags)
	flags.BoolVar(&options.Xrefs, "xrefs", false,
		"write the identifiers that the dictionary has of other vocabularies (formats jsonl, fhir, csv, tsv, xlsx and parquet)")
	flags.BoolVar(&options.Assertion, "assertion", false, assertionUsage)
	flags.BoolVar(&f.documents.strict, "strict", false, "stop at the first malformed record")
	f.linker.register(flags, "auto")
	f.linker.registerMinScore(flags)
}

// check returns the options of linking, and refuses flags that are wrong or have no effect before anything is opened.
func (f *linkFlags) check(p *program, cmd *cobra.Command, args []string) (ctxnorm.LinkOptions, error) {
	var none ctxnorm.LinkOptions
	f.documents.leaveOut = f.output.leaveOut(p)
	if err := f.documents.check(cmd, args); err != nil {
		return none, err
	}
	if top := f.linker.options.TopK; top < 1 {
		return none, fmt.Errorf("--top is %d, want at least 1", top)
	}
	if f.batch < 1 {
		return none, fmt.Errorf("--batch is %d, want at least 1", f.batch)
	}
	fromDictionary := f.source.fromDictionary(cmd)
	if fromDictionary && !cmd.Flags().Changed("method") {
		f.linker.options.Method = ctxnorm.MethodLexical
	}
	if err := f.linker.setMinScore(fromDictionary); err != nil {
		return none, err
	}
	options, err := f.linker.linkOptions(cmd)
	if err != nil {
		return none, err
	}
	if err := f.recognize.apply(&options); err != nil {
		return none, err
	}
	if options.Recognize && fromDictionary {
		return none, withHint(
			errors.New("--recognize needs a model that has learned what mentions are, and --dict gives none"),
			"--tag finds the names of the dictionary; train --encoder none makes a model from a corpus")
	}
	f.output.recognition, f.output.assertion, f.output.xrefs = options.Recognize, options.Assertion, options.Xrefs
	f.output.others = cmd.Flags().Changed("top") && f.linker.options.TopK > 1
	f.output.onTerminal = terminal(p.stdout) != nil
	if err := f.output.check(); err != nil {
		return none, err
	}
	format, _ := f.output.parse()
	for flag, only := range map[string]formats.Format{"link-template": formats.HTML, "code-system": formats.FHIR} {
		if cmd.Flags().Changed(flag) && format != only {
			return none, fmt.Errorf("--%s has no effect with the format %s, only with %s", flag, format, only)
		}
	}
	if format == formats.OMOP {
		options.Xrefs = true // they say of which vocabulary a concept is
	}
	if format == pretty.Name {
		method, _ := papers.MethodOf(string(options.Method))
		options.Evidence = method.Evidence
	}
	if err := checkFolderFlags(cmd, &f.output, &f.documents); err != nil {
		return none, err
	}
	return options, withFlag(f.source.encoder.Encoder.Validate())
}

// run opens what mentions are linked to, links the documents and reports what is worth saying of them.
func (f *linkFlags) run(p *program, cmd *cobra.Command, options ctxnorm.LinkOptions) error {
	lock, err := f.output.lock(cmd.Context(), p.waiting(f.wait))
	if err != nil {
		return err
	}
	defer lock.Release()
	f.source.dict.options.Strict = f.documents.strict
	m, closeModel, err := f.source.open(p, cmd)
	if err != nil {
		return err
	}
	defer closeModel()
	dir := f.source.dir
	resolver, err := m.Linker(options)
	if err != nil {
		return hintModel(linkHint(err, options.Method), dir)
	}
	if options.Recognize {
		if _, err := m.Stored().Recognizer(); err != nil {
			return hintModel(err, dir)
		}
	}
	p.logLeftOut(m.EncoderLeftOut())
	settings, err := linkSettings(m, &f.source, options, f.batch)
	if err != nil {
		return err
	}
	p.logThreshold(m.Calibration(), &options)
	w := &recordWriter{model: m, dir: dir, options: options}
	run := &linkRun{
		program: p, documents: &f.documents, output: &f.output, settings: settings, writer: w, batch: f.batch,
	}
	if f.output.isFile() || f.output.isFolder() {
		cmd.Annotations = map[string]string{resumes: "yes"}
	}
	if f.output.isFolder() {
		err = run.toFolder(cmd.Context(), &f.shard, f.wait)
	} else {
		err = run.toFile(cmd.Context())
	}
	if w.documents > 0 && w.mentions == 0 {
		hint := "mark mentions with [ENT] … [/ENT] or list their offsets, or find them with --recognize, " +
			"or the dictionary's names with --tag; --input-format mentions reads a mention a line"
		if options.Tag || options.Recognize {
			hint = "the texts have no name of the dictionary; ctxnorm dict check shows which names are looked for"
		}
		p.warn(fmt.Sprintf("no mention in %s", english.Plural(w.documents, "document", "")), hint)
	}
	w.languages.warn(p)
	if w.reused > 0 {
		p.logf("linked by an earlier run: %d of %s", w.reused, english.Plural(w.documents, "document", ""))
	}
	p.logCascade(resolver.CascadeCounts())
	f.output.formulas.warn(p)
	return err
}

// linkRun is a run of link with its settings.
type linkRun struct {
	program   *program
	documents *documentFlags
	output    *outputFlags
	settings  string // hash of everything but the input that results depend on
	writer    *recordWriter
	batch     int
}

// toFile links all documents to one file, or to standard output.
func (r *linkRun) toFile(ctx context.Context) error {
	var err error
	if r.output.columns, err = r.documents.tableColumns(); err != nil {
		return err
	}
	out, err := r.output.open(r.program, r.settings)
	if err != nil {
		return err
	}
	if out.journal != nil {
		files, err := r.documents.files()
		if err != nil {
			return out.finish(err)
		}
		r.documents.progress = newReadProgress(r.program.bar("link", progress.Bytes), files)
		defer r.documents.progress.finish()
	}
	return out.finish(r.link(ctx, r.documents, out))
}

// link links documents to an output.
func (r *linkRun) link(ctx context.Context, documents *documentFlags, out *linkedOutput) error {
	r.writer.out = out
	return r.program.linkBatches(ctx, documents, r.batch, r.writer)
}

// recordWriter links documents and writes their records.
type recordWriter struct {
	out     *linkedOutput
	model   *ctxnorm.Model
	dir     string // of the model
	options ctxnorm.LinkOptions

	documents, mentions int // written so far
	languages           languageCheck
	reused              int // documents of these that an earlier run linked
}

// write writes documents with their linked mentions.
func (w *recordWriter) write(records []*formats.Record, docs []*linked.Document) error {
	for i, doc := range docs {
		w.documents++
		w.mentions += len(doc.Mentions)
		if w.options.Assertion {
			w.languages.add(doc.Text)
		}
		if err := w.out.Write(records[i], doc); err != nil {
			return err
		}
	}
	return nil
}

// link returns the linked documents, from the journal if they are in it.
func (w *recordWriter) link(ctx context.Context, records []*formats.Record) ([]*linked.Document, error) {
	journal := w.out.journal
	if journal == nil {
		return w.model.LinkRecords(ctx, records, w.options)
	}
	hash := hashRecords(records)
	docs, ok, err := journal.next(hash)
	if ok && len(docs) == len(records) {
		w.reused += len(records)
		for _, doc := range docs {
			doc.Tagged = w.options.Tag
		}
	}
	if ok || err != nil {
		return docs, err
	}
	if docs, err = w.model.LinkRecords(ctx, records, w.options); err != nil {
		return nil, err
	}
	return docs, journal.add(hash, docs)
}

// linkSettings returns a hash of everything but the input that results depend on, so that a run
// resumes one with other workers.
func linkSettings(m *ctxnorm.Model, source *modelFlags, options ctxnorm.LinkOptions, batch int) (string, error) {
	h := sha256.New()
	encoder := source.encoder.Encoder
	encoder.Workers = 0
	err := json.NewEncoder(h).Encode([]any{version, m.Manifest(), m.Dictionary().Hash(), m.MemoryEntries(), options,
		batch, encoder})
	return hex.EncodeToString(h.Sum(nil)), err
}
