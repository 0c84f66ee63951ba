package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/link/calibrate"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// evaluation is a run of eval.
type evaluation struct {
	program  *program
	flags    *evalFlags
	model    *model.Model   // model under test, with corrections or without the held-out concepts
	linkers  *ctxnorm.Model // the linkers of model
	heldOut  int            // number of concepts
	ids      *eval.ConceptSet
	gold     *eval.Gold
	view     *eval.DictionaryView
	slices   []eval.Slice
	ablation *calibrate.Ablation // made for the first ranking with some of the components
}

// predictions holds the predictions of a linker or of another run, with their name in the report.
type predictions struct {
	name   string
	linked []eval.Prediction
}

func (p *program) eval(cmd *cobra.Command, f *evalFlags) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	linkers, err := f.open(p, cmd)
	if err != nil {
		return err
	}
	e := &evaluation{program: p, flags: f, model: linkers.Stored(), linkers: linkers}
	if e.ids, err = f.gold.concepts(e.model, p.limits); err != nil {
		return err
	}
	if f.holdOut > 0 {
		e.holdOut()
	}
	if err := e.checkRivals(); err != nil {
		return err
	}
	if e.gold, err = p.readGold(f.gold.files, f.gold.types, e.ids, &badRecords{program: p}); err != nil {
		return err
	}
	e.view = eval.NewDictionaryView(e.model.Dictionary, e.ids)
	if f.raw {
		return e.measureRaw(cmd.Context())
	}
	if err := e.prepareGold(); err != nil {
		return err
	}
	if err := e.measure(cmd.Context()); err != nil {
		return err
	}
	if n := len(e.gold.Malformed); n > 0 {
		return &partialError{"skipped " + plural(n, "malformed record") + " of the gold"}
	}
	return nil
}

// newReport returns a report with the header of this evaluation.
func (e *evaluation) newReport() *eval.Report {
	r := eval.NewReport(e.gold, e.flags.seed)
	r.Model, r.HeldOut, r.Dictionary = e.flags.name, e.heldOut, e.model.Manifest.Dictionary.Hash
	return r
}

// measure links the gold, and writes the report and the requested files.
func (e *evaluation) measure(ctx context.Context) error {
	report := e.newReport()
	var err error
	if report.Contamination, err = e.contamination(ctx); err != nil {
		return err
	}
	others, err := e.otherRuns()
	if err != nil {
		return err
	}
	linked, err := e.link(ctx)
	if err != nil {
		return err
	}
	if err := e.fill(report, linked, others); err != nil {
		return err
	}
	if err := e.writeFiles(linked[0].linked); err != nil {
		return err
	}
	return e.program.printReport(report, e.flags)
}

// holdOut removes the fraction of concepts given by --hold-out, sampled by hash, from the model and from the evaluated
// set.
func (e *evaluation) holdOut() {
	whole := e.ids
	gone := func(id kb.ConceptID) bool {
		return sampling.Unit(e.flags.seed, "held-out concept", string(whole.Canonical(id))) < e.flags.holdOut
	}
	rest := e.model.HoldOut(gone)
	e.heldOut = e.model.Dictionary.Len() - rest.Dictionary.Len()
	e.model, e.linkers, e.ids = rest, ctxnorm.NewModel(rest), whole.HoldOut(gone)
}

// prepareGold warns of gold with none of the model's concepts, and divides it into slices.
func (e *evaluation) prepareGold() error {
	if n := len(e.gold.Mentions); n > 0 && !slices.ContainsFunc(e.gold.Mentions,
		func(m eval.GoldMention) bool { return m.InSet() }) {
		e.program.warn(fmt.Sprintf("no concept of the model in %s of the gold", plural(n, "mention")),
			`want the identifiers of the model's dictionary, in JSONL "ids" of each mention; --ids FILE joins others with them`)
	}
	if err := e.refine(); err != nil {
		return err
	}
	e.slices = append(eval.Slices(e.view), eval.SenseSlices(e.gold)...)
	e.slices = append(e.slices, eval.AmbiguousShortForms(e.model.Abbreviations))
	contexts, err := e.model.Contexts.Exemplars()
	if len(contexts) > 0 {
		e.slices = append(e.slices, eval.WithoutContext(contexts, e.ids))
	}
	return err
}

// refine drops the mentions excluded by --refined.
func (e *evaluation) refine() error {
	if len(e.flags.refined) == 0 {
		return nil
	}
	other, err := eval.ReadGold(e.flags.refined, e.flags.gold.types, e.ids, e.program.limits)
	if err != nil {
		return err
	}
	all := len(e.gold.Mentions)
	overlaps, duplicates := e.gold.Refine(other)
	e.program.logf("--refined leaves out %d of %s that stand in %s, and %d that stand twice", overlaps,
		plural(all, "mention"), strings.Join(e.flags.refined, ", "), duplicates)
	if len(e.gold.Mentions) == 0 {
		return errors.New("--refined leaves no mention to measure on")
	}
	return nil
}

// contamination searches the text that the model was made from for documents and sentences of the gold, and warns if it
// finds any.
func (e *evaluation) contamination(ctx context.Context) (*eval.Contamination, error) {
	text := e.contexts
	if dir := e.flags.corpus; dir != "" {
		c, err := corpus.Open(dir)
		if err != nil {
			return nil, err
		}
		if c.Manifest().SentencesSHA256() != e.model.Manifest.Corpus.SHA256 {
			return nil, fmt.Errorf("--corpus %s is not the corpus that the model %s was made from", dir, e.flags.source.dir)
		}
		text = c.Documents(ctx)
	}
	leak, err := eval.FindContamination(e.gold.Mentions, e.view, text)
	if err != nil {
		return nil, err
	}
	if n := len(leak.SharedDocuments); n > 0 {
		e.program.warnf("in the text that the model was made from: %d of %s of the gold, first %s", n,
			plural(leak.Documents, "document"), leak.SharedDocuments[0])
	}
	if leak.SharedSentences > 0 {
		e.program.warnf("in the text that the model was made from: %d of %s of the gold",
			leak.SharedSentences, plural(leak.Sentences, "sentence"))
	}
	return leak, nil
}

// contexts yields the sentences of the model's contexts.
func (e *evaluation) contexts(yield func(*text.Document, error) bool) {
	contexts, err := e.model.Contexts.Exemplars()
	if err != nil {
		yield(nil, err)
		return
	}
	for i := range contexts {
		if !yield(contexts[i].Document, nil) {
			return
		}
	}
}

// otherRuns reads the prediction files of --compare.
func (e *evaluation) otherRuns() ([]predictions, error) {
	var all []predictions
	for _, path := range e.flags.compare {
		f, err := input.Open(path)
		if err != nil {
			return nil, err
		}
		linked, err := eval.ReadPredictions(f, path, e.gold.Mentions, e.ids, e.program.limits)
		f.Close()
		if err != nil {
			return nil, withHint(err, "--compare needs runs on the same --gold and --gold-types")
		}
		all = append(all, predictions{filepath.Base(path), linked})
	}
	return all, nil
}

// fill scores all predictions under all policies, and compares the model's predictions with the others.
func (e *evaluation) fill(report *eval.Report, linked, others []predictions) error {
	all := append(linked, others...)
	for _, policy := range e.flags.counted {
		for _, a := range all {
			result := eval.NewResult(a.name, a.linked, policy, e.slices, e.flags.seed)
			result.Relations = eval.Relations(a.linked, policy, e.view)
			report.Results = append(report.Results, result)
		}
		model := all[0]
		for _, other := range all[1:] {
			for _, slice := range append([]eval.Slice{eval.AllMentions()}, e.slices...) {
				c, err := eval.Compare(model.linked, other.linked, policy, slice, e.flags.seed)
				if err != nil {
					return err
				}
				c.A, c.B = model.name, other.name
				report.Comparisons = append(report.Comparisons, c)
			}
		}
	}
	return nil
}

// writeFiles writes the model's predictions and mistakes to the files given by flags.
func (e *evaluation) writeFiles(predicted []eval.Prediction) error {
	if path := e.flags.answers; path != "" {
		err := e.program.writeOutput("answers", path, func(w io.Writer) error { return eval.WritePredictions(w, predicted) })
		if err != nil {
			return err
		}
	}
	if path := e.flags.errors; path != "" {
		return e.program.writeOutput("errors", path, func(w io.Writer) error {
			return eval.WriteMistakes(w, predicted, e.flags.counted[0], e.view, e.slices)
		})
	}
	return nil
}

// withRecognizer is the report's name for mentions found by names and by the recognizer.
const withRecognizer = "names and recognizer"

// measureRaw measures how well the gold mentions are found and linked in raw text: by the names of the dictionary, and
// also with the recognizer.
func (e *evaluation) measureRaw(ctx context.Context) error {
	p, f := e.program, e.flags
	about := e.newReport()
	raw := &eval.RawReport{
		Model: about.Model, Dictionary: about.Dictionary, Types: about.Types, Seed: about.Seed,
		Documents: len(e.gold.Documents), Mentions: about.Mentions,
	}
	for _, file := range e.gold.Files {
		raw.Gold = append(raw.Gold, filepath.Base(file))
	}
	options := f.options
	options.Tag = true
	finders := []string{withRecognizer, "names of the dictionary"}
	switch {
	case f.fromDictionary:
		finders = finders[1:]
	case e.model.Manifest.Recognizer == nil:
		p.warn("the model has no recognizer: only the names of the dictionary are found", "train it again from a corpus")
		finders = finders[1:]
	}
	for _, finder := range finders {
		options.Recognize = finder == withRecognizer
		found, err := p.linkRaw(ctx, e.linkers, e.gold.Documents, options)
		if err != nil {
			return err
		}
		raw.Results = append(raw.Results, eval.NewRawResult(finder, e.gold, found, e.ids, e.view, f.seed))
	}
	if len(raw.Results) == 2 {
		raw.Differences = eval.CompareRaw(&raw.Results[0], &raw.Results[1], f.seed)
	}
	options.Tag, options.Recognize = false, false
	marked, err := p.linkRaw(ctx, e.linkers, e.gold.Annotated(), options)
	if err != nil {
		return err
	}
	given := eval.NewRawResult("marked", e.gold, marked, e.ids, e.view, f.seed)
	raw.Marked = given.Score(eval.ExactWithConcept)
	switch {
	case f.json:
		return p.printJSON(raw)
	case f.full:
		return raw.WriteText(p.stdout, about, -1)
	}
	return raw.WriteText(p.stdout, about, 20)
}

// linkRaw links documents with options and shows a progress bar.
func (p *program) linkRaw(ctx context.Context, m *ctxnorm.Model, documents []*text.Document,
	options ctxnorm.LinkOptions) ([]*linked.Document, error) {
	bar := p.bar()
	defer bar.finish()
	var all []*linked.Document
	for part := range slices.Chunk(documents, 64) {
		linked, err := m.Link(ctx, part, options)
		if err != nil {
			return nil, err
		}
		all = append(all, linked...)
		bar.set(ctxnorm.Progress{Task: "eval", Unit: "documents", Done: int64(len(all)), Total: int64(len(documents))})
	}
	return all, nil
}
