package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/eval/report"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/lexical"
	"github.com/ctxnorm/ctxnorm/link"
	"github.com/ctxnorm/ctxnorm/link/calibrate"
	"github.com/ctxnorm/ctxnorm/model"
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
	known    *eval.DictionaryView
	slices   []eval.Slice
	rankers  *calibrate.Ablation // made for the first ranking by parts
}

// answered is a linker's answers, or those of another run, by the name that they
// go by in the report.
type answered struct {
	name    string
	answers []eval.Prediction
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
	if o.plots != "" {
		if err := os.MkdirAll(o.plots, 0o777); err != nil {
			return err
		}
	}
	m, err := openModel(o.model, o.run)
	if err != nil {
		return err
	}
	defer m.Close()
	if m.Encoder != nil {
		m.Encoder = model.Memoize(m.Encoder) // every linker asks about the same mentions
	}
	if err := o.parts.check(o.vote.method); err != nil {
		return err
	}
	if e.ids, err = o.gold.concepts(m); err != nil {
		return err
	}
	e.model = m
	if o.holdOut > 0 {
		e.holdOut()
	}
	if err := e.readGold(); err != nil {
		return err
	}
	report := eval.NewReport(e.gold, o.seed)
	report.Model = o.model
	report.Dictionary = e.model.Manifest.Dictionary.Hash
	report.HeldOut = m.Dictionary.Len() - e.model.Dictionary.Len()
	if report.Contamination, err = e.leak(); err != nil {
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
	if err := e.writeFiles(linked[0].answers); err != nil {
		return err
	}
	if err := e.plot(report.Results[:len(linked)+len(others)]); err != nil {
		return err
	}
	if err := p.printReport(report, o); err != nil {
		return err
	}
	if n := len(e.gold.Malformed); n > 0 {
		return &someError{fmt.Sprintf("%d records of the gold were passed over", n)}
	}
	return nil
}

// holdOut takes the share of concepts that --hold-out says, drawn by hash, out of the
// model and of the evaluated set.
func (e *evaluation) holdOut() {
	whole := e.ids
	gone := func(id kb.ConceptID) bool {
		return sampling.Unit(e.flags.seed, "held-out concept", string(whole.Canonical(id))) < e.flags.holdOut
	}
	e.model, e.ids = e.model.HoldOut(gone), whole.HoldOut(gone)
}

func (e *evaluation) readGold() error {
	var err error
	if e.gold, err = eval.ReadGold(e.flags.gold.files, e.flags.gold.types, e.ids); err != nil {
		return err
	}
	bad := badRecords{program: e.program}
	for _, skipped := range e.gold.Malformed {
		if err := bad.pass(skipped); err != nil {
			return err
		}
	}
	e.known = eval.NewDictionaryView(e.model.Dictionary, e.ids)
	e.slices = eval.Slices(e.known)
	contexts, err := e.model.Contexts.Exemplars()
	if err != nil {
		return hintModel(err, e.flags.model)
	}
	if len(contexts) > 0 {
		e.slices = append(e.slices, eval.WithoutContext(contexts, e.ids))
	}
	return nil
}

// leak looks for the gold in the text that the model was made from, and warns of
// what it finds.
func (e *evaluation) leak() (*eval.Contamination, error) {
	text := e.contexts
	if dir := e.flags.corpus; dir != "" {
		c, err := corpus.Open(dir)
		if err != nil {
			return nil, err
		}
		if c.Manifest().SentencesSHA256() != e.model.Manifest.Corpus.SHA256 {
			return nil, fmt.Errorf("--corpus %s is not the corpus that the model %s was made from", dir, e.flags.model)
		}
		text = documents(c)
	}
	leak, err := eval.FindContamination(e.gold.Mentions, e.known, text)
	if err != nil {
		return nil, err
	}
	if n := len(leak.SharedDocuments); n > 0 {
		e.program.say("warning: %d of the %d documents of the gold are in the text the model was made from, the first is %s", n, leak.Documents, leak.SharedDocuments[0])
	}
	if leak.SharedSentences > 0 {
		e.program.say("warning: %d of the %d sentences of the gold are in the text the model was made from", leak.SharedSentences, leak.Sentences)
	}
	return leak, nil
}

// contexts are the sentences that the model has kept.
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

// link asks the model, then the linkers beside it, and then the parts of its ranking.
// Linkers are made when it is their turn, since each holds the names in its own way.
func (e *evaluation) link(ctx context.Context) ([]answered, error) {
	for _, name := range e.flags.beside {
		if err := e.checkBeside(name); err != nil {
			return nil, err
		}
	}
	first, err := e.first(ctx)
	if err != nil {
		return nil, err
	}
	var all []answered
	ask := func(name string, linker link.Linker) error {
		answers, err := e.ask(ctx, name, linker)
		all = append(all, answered{name, answers})
		return err
	}
	if err := ask("model: "+first.Name(), first); err != nil {
		return nil, err
	}
	for _, name := range e.flags.beside {
		linker, err := e.beside(ctx, name)
		if err != nil {
			return nil, err
		}
		if err := ask(name, linker); err != nil {
			return nil, err
		}
	}
	if !e.flags.parts.ablate {
		return all, nil
	}
	for _, parts := range calibrate.AblatedComponents(e.model) {
		linker, err := e.ranked(ctx, parts)
		if err != nil {
			return nil, err
		}
		if err := ask(linker.Name(), linker); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// first is the model's linker, or that of the parts of its ranking which are left.
func (e *evaluation) first(ctx context.Context) (link.Linker, error) {
	if !e.flags.parts.given() {
		return e.flags.vote.linker(e.model)
	}
	parts, err := e.flags.parts.parts(e.model)
	if err != nil {
		return nil, err
	}
	return e.ranked(ctx, parts)
}

// ranked ranks by parts of the model, and reads by them.
func (e *evaluation) ranked(ctx context.Context, parts link.Components) (link.Linker, error) {
	options := link.RankOptions{MinProbability: e.flags.vote.minProbability}
	if e.rankers == nil {
		rankers, err := calibrate.NewAblation(e.model)
		if err != nil {
			return nil, err
		}
		e.rankers = rankers
	}
	ranker, err := e.rankers.Ranker(ctx, parts, options)
	if err != nil {
		return nil, err
	}
	return link.NewMentionResolver(e.model, ranker, parts&e.flags.vote.parts()), nil
}

// ask asks a linker about every mention of the gold.
func (e *evaluation) ask(ctx context.Context, name string, linker link.Linker) ([]eval.Prediction, error) {
	bar := e.program.bar(name, "mentions")
	defer bar.finish()
	bar.set(0, int64(len(e.gold.Mentions)), "")
	return eval.Predict(ctx, linker, e.gold.Mentions, e.ids, func(done, total int) {
		bar.set(int64(done), int64(total), "")
	})
}

// besideNames are the linkers that --beside knows.
var besideNames = []string{"exact", "tfidf", "lexical", "count", "weighted"}

// checkBeside refuses what is neither one of [besideNames] nor parts of the ranking.
func (e *evaluation) checkBeside(name string) error {
	if slices.Contains(besideNames, name) {
		return nil
	}
	parts, err := partsBeside(name)
	if err != nil {
		return fmt.Errorf("--beside is %q, want one of %s, or parts of the ranking: %w", name, strings.Join(besideNames, ", "), err)
	}
	if lacks := parts &^ link.ComponentsOf(e.model); lacks != 0 && !strings.HasPrefix(name, "all-") {
		return fmt.Errorf("--beside is %q: the model has no %s", name, lacks)
	}
	return nil
}

// partsBeside are the parts of a ranking: "names+tree", or "all-contexts" for all
// but some.
func partsBeside(name string) (link.Components, error) {
	if without, ok := strings.CutPrefix(name, "all-"); ok {
		parts, err := link.ParseComponents(strings.Split(without, "-"))
		return link.AllComponents &^ parts, err
	}
	return link.ParseComponents(strings.Split(name, "+"))
}

// beside is one of [besideNames], with its own defaults, or a ranking by parts.
func (e *evaluation) beside(ctx context.Context, name string) (link.Linker, error) {
	if parts, err := partsBeside(name); err == nil {
		return e.ranked(ctx, parts)
	}
	dict := e.model.Dictionary
	var linker link.Linker
	var err error
	switch name {
	case "exact":
		return link.NewSharedExactLinker(e.model.DictionaryIndexes()), nil
	case "tfidf":
		return link.NewTFIDFLinker(dict, lexical.PaperTFIDF())
	case "count":
		return link.NewVoter(e.model, link.PaperVote())
	case "weighted":
		linker, err = link.NewVoter(e.model, link.DefaultVote())
	default:
		linker, err = link.NewSharedLexicalLinker(e.model.DictionaryIndexes())
	}
	if err != nil {
		return nil, err
	}
	return link.NewMentionResolver(e.model, linker, e.flags.vote.reading(name)), nil
}

// otherRuns reads the answers files of --against.
func (e *evaluation) otherRuns() ([]answered, error) {
	var all []answered
	for _, path := range e.flags.against {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		answers, err := eval.ReadPredictions(f, path, e.gold.Mentions, e.ids)
		f.Close()
		if err != nil {
			return nil, withHint(err, "--against compares runs on the same --gold and --types")
		}
		all = append(all, answered{filepath.Base(path), answers})
	}
	return all, nil
}

// fill counts all answers under all policies and compares the model's with the
// others.
func (e *evaluation) fill(report *eval.Report, linked, others []answered) error {
	all := append(linked, others...)
	for _, policy := range e.policies {
		for _, a := range all {
			result := eval.NewResult(a.name, a.answers, policy, e.slices, e.flags.seed)
			result.Relations = eval.Relations(a.answers, policy, e.known)
			report.Results = append(report.Results, result)
		}
		model := all[0]
		for _, other := range all[1:] {
			for _, slice := range append([]eval.Slice{eval.AllMentions()}, e.slices...) {
				c, err := eval.Compare(model.answers, other.answers, policy, slice, e.flags.seed)
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

// writeFiles writes what is asked for of the model's answers.
func (e *evaluation) writeFiles(answers []eval.Prediction) error {
	if path := e.flags.answers; path != "" {
		if err := writeFile(path, func(w io.Writer) error { return eval.WritePredictions(w, answers) }); err != nil {
			return err
		}
	}
	if path := e.flags.errors; path != "" {
		return writeFile(path, func(w io.Writer) error {
			return report.WriteMistakes(w, answers, e.policies[0], e.known, e.slices)
		})
	}
	return nil
}

// plot draws what --plots asks for of the results of the first policy, the
// model's first among them.
func (e *evaluation) plot(results []eval.Result) error {
	dir := e.flags.plots
	if dir == "" {
		return nil
	}
	if results[0].Confidence == nil {
		return withHint(fmt.Errorf("--plots: %s gives no probabilities to draw", results[0].Linker),
			"--method ranked, weighted or count gives them")
	}
	for _, r := range results[1:] {
		if r.Confidence == nil {
			e.program.say("%s gives no probabilities: it is not drawn", r.Linker)
		}
	}
	err := writeFile(filepath.Join(dir, "reliability.png"), func(w io.Writer) error {
		return report.WriteReliabilityPNG(w, &results[0])
	})
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, "risk_coverage.png"), func(w io.Writer) error {
		return report.WriteRiskCoveragePNG(w, results)
	})
}
