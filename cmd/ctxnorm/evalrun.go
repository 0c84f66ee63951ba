package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/internal/input"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/link/calibrate"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/report"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/papers"
	"github.com/ctxnorm/ctxnorm/text"
)

// evaluation is a run of eval.
type evaluation struct {
	program  *program
	flags    *evalFlags
	policies []eval.Policy
	model    *model.Model
	ids      *eval.ConceptSet
	gold     *eval.Gold
	view     *eval.DictionaryView
	slices   []eval.Slice
	linkers  *ctxnorm.Model      // the linkers of model
	ablation *calibrate.Ablation // made for the first ranking by some components
}

// predictions holds the predictions of a linker or of another run, with its name in the report.
type predictions struct {
	name   string
	linked []eval.Prediction
}

func (p *program) eval(ctx context.Context, o *evalFlags) error {
	e := &evaluation{program: p, flags: o}
	var err error
	if e.policies, err = o.policyValues(); err != nil {
		return err
	}
	if !(o.holdOut >= 0 && o.holdOut < 1) { // NaN too
		return fmt.Errorf("--hold-out is %g, want 0 or more and less than 1", o.holdOut)
	}
	for _, name := range o.baselines {
		if err := checkBaselineName(name); err != nil {
			return err
		}
	}
	if o.plots != "" {
		// With --without and --only the ranking is measured, which returns probabilities.
		if method, _ := papers.MethodOf(string(o.options.Method)); !method.Probabilities && !o.components.given() {
			return plotsError("model: " + method.Name)
		}
		if err := os.MkdirAll(o.plots, 0o777); err != nil {
			return pathError("plots", o.plots, err)
		}
	}
	m, err := openModel(o.model, o.run)
	if err != nil {
		return err
	}
	defer m.Close()
	if o.options.Method.NeedsEncoder() || o.components.given() {
		if err := m.CheckEncoder(); err != nil {
			return linkHint(err, o.options.Method)
		}
	}
	p.logLeftOut(m.CheckEncoder() != nil)
	if m.Vectors != nil {
		m.Vectors.Encoder = model.Memoize(m.Vectors.Encoder) // all linkers encode the same mentions
	}
	e.model = m
	if folder := memoryFolder(o.memory, o.model); folder != "" {
		if e.linkers, err = p.withMemory(ctx, m, folder); err != nil {
			return err
		}
		e.model = e.linkers.Stored()
	}
	if e.ids, err = o.gold.concepts(e.model, p.limits); err != nil {
		return err
	}
	if o.holdOut > 0 {
		e.holdOut()
	}
	if e.linkers == nil {
		e.linkers = ctxnorm.NewModel(e.model)
	}
	if err := e.checkLinkers(); err != nil {
		return err
	}
	if err := e.readGold(); err != nil {
		return err
	}
	report := eval.NewReport(e.gold, o.seed)
	report.Model = o.model
	report.Dictionary = e.model.Manifest.Dictionary.Hash
	report.HeldOut = m.Dictionary.Len() - e.model.Dictionary.Len()
	if report.Contamination, err = e.contamination(); err != nil {
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
	if err := e.outOfDictionary(report, linked[0].linked); err != nil {
		return err
	}
	if err := e.writeFiles(linked[0].linked); err != nil {
		return err
	}
	if err := e.plot(report.Results[:len(linked)+len(others)]); err != nil {
		return err
	}
	if err := p.printReport(report, o); err != nil {
		return err
	}
	if n := len(e.gold.Malformed); n > 0 {
		return &partialError{fmt.Sprintf("%d malformed records of the gold were skipped", n)}
	}
	return nil
}

// holdOut takes the share of concepts that --hold-out sets, sampled by hash, out of the
// model and out of the evaluated set.
func (e *evaluation) holdOut() {
	whole := e.ids
	gone := func(id kb.ConceptID) bool {
		return sampling.Unit(e.flags.seed, "held-out concept", string(whole.Canonical(id))) < e.flags.holdOut
	}
	e.model, e.ids = e.model.HoldOut(gone), whole.HoldOut(gone)
}

func (e *evaluation) readGold() error {
	var err error
	if e.gold, err = eval.ReadGold(e.flags.gold.files, e.flags.gold.types, e.ids, e.program.limits); err != nil {
		return err
	}
	e.program.warnGold(e.gold)
	if n := len(e.gold.Mentions); n > 0 && !slices.ContainsFunc(e.gold.Mentions,
		func(m eval.GoldMention) bool { return m.InSet() }) {
		e.program.warn(fmt.Sprintf("none of the %d mentions of the gold has a concept of the model", n),
			`want the identifiers of the model's dictionary, in JSONL "ids" of each mention; --ids FILE joins others with them`)
	}
	if err := e.refine(); err != nil {
		return err
	}
	bad := badRecords{program: e.program}
	for _, skipped := range e.gold.Malformed {
		if err := bad.pass(skipped); err != nil {
			return err
		}
	}
	e.view = eval.NewDictionaryView(e.model.Dictionary, e.ids)
	e.slices = append(eval.Slices(e.view), eval.SenseSlices(e.gold)...)
	if e.model.Abbreviations != nil {
		e.slices = append(e.slices, eval.AmbiguousShortForms(e.model.Abbreviations))
	}
	contexts, err := e.model.Contexts.Exemplars()
	if err != nil {
		return hintModel(err, e.flags.model)
	}
	if len(contexts) > 0 {
		e.slices = append(e.slices, eval.WithoutContext(contexts, e.ids))
	}
	return nil
}

// refine drops the mentions that --refined leaves out.
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
	e.program.logf("--refined leaves out %d of %d mentions that stand in %s, and %d that stand twice", overlaps, all,
		strings.Join(e.flags.refined, ", "), duplicates)
	if len(e.gold.Mentions) == 0 {
		return errors.New("--refined leaves no mention to measure on")
	}
	return nil
}

// contamination searches the text that the model was made from for documents and sentences of
// the gold, and warns of them.
func (e *evaluation) contamination() (*eval.Contamination, error) {
	text := e.contexts
	if dir := e.flags.corpus; dir != "" {
		c, err := corpus.Open(dir)
		if err != nil {
			return nil, withCorpusHint(err)
		}
		if c.Manifest().SentencesSHA256() != e.model.Manifest.Corpus.SHA256 {
			return nil, fmt.Errorf("--corpus %s is not the corpus that the model %s was made from", dir, e.flags.model)
		}
		text = c.Documents()
	}
	leak, err := eval.FindContamination(e.gold.Mentions, e.view, text)
	if err != nil {
		return nil, err
	}
	if n := len(leak.SharedDocuments); n > 0 {
		e.program.warnf("%d of the %d documents of the gold are in the text the model was made from, the first is %s",
			n, leak.Documents, leak.SharedDocuments[0])
	}
	if leak.SharedSentences > 0 {
		e.program.warnf("%d of the %d sentences of the gold are in the text the model was made from",
			leak.SharedSentences, leak.Sentences)
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

// link predicts with the model, then with the baselines, and then with the ablations of its
// ranking. A linker is made just before it is used, since each has indexes of its own.
func (e *evaluation) link(ctx context.Context) ([]predictions, error) {
	first, err := e.first(ctx)
	if err != nil {
		return nil, err
	}
	var all []predictions
	predict := func(name string, linker link.Linker) error {
		linked, err := e.predict(ctx, name, linker)
		all = append(all, predictions{name, linked})
		return err
	}
	if err := predict("model: "+first.Name(), first); err != nil {
		return nil, err
	}
	for _, name := range e.flags.baselines {
		linker, err := e.baseline(ctx, name)
		if err != nil {
			return nil, err
		}
		if err := predict(name, linker); err != nil {
			return nil, err
		}
	}
	if !e.flags.components.ablate {
		return all, nil
	}
	for _, components := range calibrate.AblatedComponents(e.model) {
		linker, err := e.ranked(ctx, components)
		if err != nil {
			return nil, err
		}
		if err := predict(linker.Name(), linker); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// first returns the linker of the model, or of the components that --without and --only leave.
func (e *evaluation) first(ctx context.Context) (link.Linker, error) {
	if !e.flags.components.given() {
		linker, err := e.linkers.Linker(e.flags.options)
		return linker, hintModel(linkHint(err, e.flags.options.Method), e.flags.model)
	}
	components, err := e.flags.components.components(e.model)
	if err != nil {
		return nil, err
	}
	return e.ranked(ctx, components)
}

// ranked returns the ranking by some components of the model, with the weights learned for
// them, behind a resolver of the same components.
func (e *evaluation) ranked(ctx context.Context, components link.Components) (link.Linker, error) {
	options := link.RankOptions{MinProbability: max(0, e.flags.options.MinProbability)}
	if c := e.model.Calibration; e.flags.options.MinProbability == 0 &&
		e.flags.options.Method == ctxnorm.MethodRanked && c != nil {
		options.MinProbability = c.MinProbability // that of the whole ranking
	}
	if e.ablation == nil {
		ablation, err := calibrate.NewAblation(e.model)
		if err != nil {
			return nil, err
		}
		e.ablation = ablation
	}
	ranker, err := e.ablation.Ranker(ctx, components, options)
	if err != nil {
		return nil, err
	}
	resolve := e.flags.options
	resolve.Method = ctxnorm.MethodRanked // also for a baseline of another --method
	return link.NewMentionResolver(e.model, ranker,
		link.ResolverOptions{Components: components & resolve.ResolverComponents()})
}

// predict links every mention of the gold with a linker.
func (e *evaluation) predict(ctx context.Context, name string, linker link.Linker) ([]eval.Prediction, error) {
	bar := e.program.bar(name, "mentions")
	defer bar.finish()
	bar.set(0, int64(len(e.gold.Mentions)), "")
	return eval.Predict(ctx, linker, e.gold.Mentions, e.ids, func(done, total int) {
		bar.set(int64(done), int64(total), "")
	})
}

// baselineNames lists the linkers that --baselines accepts by name: the methods but the ranking, which
// is named by its components, and [mostFrequentSense].
var baselineNames = append(papers.MethodNames(func(m link.Method) bool {
	return m.Name != string(ctxnorm.MethodRanked)
}), mostFrequentSense)

// mostFrequentSense is the baseline that takes short forms by the corpus alone. It is no
// method of the library.
const mostFrequentSense = "most-frequent-sense"

// checkBaselineName refuses a name that is neither in [baselineNames] nor a set of components.
func checkBaselineName(name string) error {
	if slices.Contains(baselineNames, name) {
		return nil
	}
	if _, err := componentsOfBaseline(name); err != nil {
		return fmt.Errorf("--baselines has %q, want one of %s, or components of the ranking: %w", name,
			strings.Join(baselineNames, ", "), err)
	}
	return nil
}

// checkLinkers refuses components and baselines that the model cannot link by, before anything is
// linked.
func (e *evaluation) checkLinkers() error {
	if e.flags.components.given() {
		components, err := e.flags.components.components(e.model)
		if err == nil {
			err = calibrate.CheckComponents(e.model, components)
		}
		if err != nil {
			return err
		}
	}
	for _, name := range e.flags.baselines {
		if err := e.checkBaseline(name); err != nil {
			return fmt.Errorf("--baselines has %q: %w", name, err)
		}
	}
	return nil
}

// checkBaseline refuses a baseline, whose name was checked, that the model cannot link by.
func (e *evaluation) checkBaseline(name string) error {
	components, err := componentsOfBaseline(name)
	switch {
	case err == nil:
		if lacks := components &^ link.ComponentsOf(e.model); lacks != 0 && !strings.HasPrefix(name, "all-") {
			return fmt.Errorf("the model has no %s", lacks)
		}
		if err := calibrate.CheckComponents(e.model, components); err != nil {
			return err
		}
		return withHint(e.model.CheckEncoder(), torchBuild)
	case name == mostFrequentSense && e.model.Abbreviations == nil:
		return errors.New("the model has no table of abbreviations")
	case name == mostFrequentSense:
		return nil
	}
	method, _ := papers.MethodOf(name)
	if method.Vectors == link.VectorsUnused {
		return nil
	}
	if err := e.model.CheckEncoder(); err != nil {
		return withHint(err, torchBuild)
	}
	if e.model.Vectors == nil {
		return withHint(errors.New("needs an encoder, and the model has none"),
			"--baselines "+strings.Join(papers.MethodNames(comparesStrings), ", ")+" or "+mostFrequentSense+
				"; or train without --encoder none")
	}
	if method.Check != nil {
		return method.Check(e.model.Manifest)
	}
	return nil
}

// componentsOfBaseline parses "names+hierarchy", or "all-contexts" for all but some.
func componentsOfBaseline(name string) (link.Components, error) {
	if without, ok := strings.CutPrefix(name, "all-"); ok {
		components, err := link.ParseComponents(strings.Split(without, "-"))
		return link.AllComponents &^ components, err
	}
	return link.ParseComponents(strings.Split(name, "+"))
}

// baseline returns one of [baselineNames] with its own defaults, or a ranking by components. It was
// checked.
func (e *evaluation) baseline(ctx context.Context, name string) (link.Linker, error) {
	if components, err := componentsOfBaseline(name); err == nil {
		return e.ranked(ctx, components)
	}
	if name == mostFrequentSense {
		return link.NewMostFrequentSenseLinker(e.model.Abbreviations, e.model.DictionaryIndexes()), nil
	}
	literal := name == "exact" // looks mentions up as they are written
	linker, err := e.linkers.Linker(ctxnorm.LinkOptions{
		Method:               ctxnorm.Method(name),
		LiteralAbbreviations: literal || e.flags.options.LiteralAbbreviations,
		LiteralComposites:    literal || e.flags.options.LiteralComposites,
	})
	return linker, err
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

// fill scores all predictions under all policies, and compares the model's with the others.
func (e *evaluation) fill(report *eval.Report, linked, others []predictions) error {
	all := append(linked, others...)
	for _, policy := range e.policies {
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

// outOfDictionary measures the thresholds of --out-of-dictionary under each policy that scores NIL.
func (e *evaluation) outOfDictionary(report *eval.Report, linked []eval.Prediction) error {
	if !e.flags.outside {
		return nil
	}
	settings := eval.DefaultOutOfDictionary()
	settings.Seed = e.flags.seed
	for _, policy := range e.policies {
		measured, err := eval.MeasureOutOfDictionary(linked, policy, settings)
		if err != nil {
			return fmt.Errorf("--out-of-dictionary: %w", err)
		}
		report.OutOfDictionary = append(report.OutOfDictionary, *measured)
	}
	return nil
}

// writeFiles writes the model's predictions and mistakes where flags predict for them.
func (e *evaluation) writeFiles(predicted []eval.Prediction) error {
	if path := e.flags.answers; path != "" {
		if err := e.program.writeOutput("answers", path, func(w io.Writer) error {
			return eval.WritePredictions(w, predicted)
		}); err != nil {
			return err
		}
	}
	if path := e.flags.errors; path != "" {
		return e.program.writeOutput("errors", path, func(w io.Writer) error {
			return report.WriteMistakes(w, predicted, e.policies[0], e.view, e.slices)
		})
	}
	return nil
}

// plotsError returns the error of plots of a linker without probabilities.
func plotsError(linker string) error {
	return withHint(fmt.Errorf("--plots: %s returns no probabilities to plot", linker),
		"--method "+andList(papers.MethodNames(func(m link.Method) bool { return m.Probabilities }))+" return them")
}

// plot writes the plots of --plots. results are those of the first policy, and the first of
// them is the model's.
func (e *evaluation) plot(results []eval.Result) error {
	dir := e.flags.plots
	if dir == "" {
		return nil
	}
	if results[0].Confidence == nil {
		return plotsError(results[0].Linker)
	}
	for _, r := range results[1:] {
		if r.Confidence == nil {
			e.program.logf("%s returns no probabilities: it is not plotted", r.Linker)
		}
	}
	err := e.program.writeOutput("plots", filepath.Join(dir, "reliability.png"), func(w io.Writer) error {
		return report.WriteReliabilityPNG(w, &results[0])
	})
	if err != nil {
		return err
	}
	return e.program.writeOutput("plots", filepath.Join(dir, "risk_coverage.png"), func(w io.Writer) error {
		return report.WriteRiskCoveragePNG(w, results)
	})
}
