package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"ctxnorm"
	"ctxnorm/corpus"
	"ctxnorm/eval"
	"ctxnorm/link"
	"ctxnorm/matcher"
)

// evaluation is a run of eval.
type evaluation struct {
	program  *program
	flags    *evalFlags
	policies []eval.Policy
	model    *link.Model
	ids      *eval.IDs
	gold     *eval.Gold
	known    *eval.Known
	slices   []eval.Slice
}

// answered is a linker's answers, or those of another run, by the name that they
// go by in the report.
type answered struct {
	name    string
	answers []eval.Answer
}

func (p *program) eval(ctx context.Context, o *evalFlags) error {
	e := &evaluation{program: p, flags: o}
	var err error
	if e.policies, err = o.policyValues(); err != nil {
		return err
	}
	if o.plots != "" {
		if err := os.MkdirAll(o.plots, 0o777); err != nil {
			return err
		}
	}
	if e.model, err = openModel(o.model, o.run); err != nil {
		return err
	}
	defer e.model.Close()
	if err := e.readGold(); err != nil {
		return err
	}
	report := eval.NewReport(e.gold, o.seed)
	report.Model = o.model
	report.Dictionary = e.model.Manifest.Dictionary.Hash
	if report.Leak, err = e.leak(); err != nil {
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
	if n := len(e.gold.Skip); n > 0 {
		return &someError{fmt.Sprintf("%d records of the gold were passed over", n)}
	}
	return nil
}

func (e *evaluation) readGold() error {
	var err error
	if e.ids, err = e.flags.concepts(e.model); err != nil {
		return err
	}
	if e.gold, err = eval.ReadGold(e.flags.gold, e.flags.types, e.ids); err != nil {
		return err
	}
	bad := badRecords{program: e.program}
	for _, skipped := range e.gold.Skip {
		if err := bad.pass(skipped); err != nil {
			return err
		}
	}
	e.known = eval.NewKnown(e.model.Dictionary, e.ids)
	e.slices = eval.Slices(e.known)
	if contexts := e.model.Contexts.Exemplars; len(contexts) > 0 {
		e.slices = append(e.slices, eval.WithoutContext(contexts, e.ids))
	}
	return nil
}

// leak looks for the gold in the text that the model was made from, and warns of
// what it finds.
func (e *evaluation) leak() (*eval.Leak, error) {
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
	leak, err := eval.FindLeak(e.gold.Items, e.known, text)
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
func (e *evaluation) contexts(yield func(*ctxnorm.Document, error) bool) {
	for i := range e.model.Contexts.Exemplars {
		if !yield(e.model.Contexts.Exemplars[i].Document, nil) {
			return
		}
	}
}

// link asks the model and then the linkers beside it.
func (e *evaluation) link(ctx context.Context) ([]answered, error) {
	first, err := e.flags.vote.linker(e.model)
	if err != nil {
		return nil, err
	}
	names := []string{"model: " + first.Name()}
	linkers := []ctxnorm.Linker{first}
	for _, name := range e.flags.beside {
		linker, err := e.beside(name)
		if err != nil {
			return nil, err
		}
		names = append(names, name)
		linkers = append(linkers, linker)
	}
	var all []answered
	for i, linker := range linkers {
		bar := e.program.bar(names[i], "mentions")
		bar.set(0, int64(len(e.gold.Items)), "")
		answers, err := eval.Run(ctx, linker, e.gold.Items, e.ids, func(done, total int) {
			bar.set(int64(done), int64(total), "")
		})
		bar.finish()
		if err != nil {
			return nil, err
		}
		all = append(all, answered{names[i], answers})
	}
	return all, nil
}

// beside is one of the linkers that the model is measured beside.
func (e *evaluation) beside(name string) (ctxnorm.Linker, error) {
	dict := e.model.Dictionary
	switch name {
	case "exact":
		return link.NewExact(dict), nil
	case "tfidf":
		return link.NewTFIDF(dict, matcher.PaperTFIDF())
	case "lexical":
		lexical, err := link.NewLexical(dict, matcher.DefaultLexical())
		if err != nil {
			return nil, err
		}
		return link.NewReading(lexical, dict, e.flags.vote.reading(e.model, name)), nil
	case "count":
		return link.NewVoter(e.model, link.PaperVote())
	}
	return nil, fmt.Errorf("--beside is %q, want exact, tfidf, lexical or count", name)
}

// otherRuns reads the answers files of --against.
func (e *evaluation) otherRuns() ([]answered, error) {
	var all []answered
	for _, path := range e.flags.against {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		answers, err := eval.ReadAnswers(f, path, e.gold.Items, e.ids)
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
func (e *evaluation) writeFiles(answers []eval.Answer) error {
	if path := e.flags.answers; path != "" {
		if err := writeFile(path, func(w io.Writer) error { return eval.WriteAnswers(w, answers) }); err != nil {
			return err
		}
	}
	if path := e.flags.errors; path != "" {
		return writeFile(path, func(w io.Writer) error {
			return eval.WriteErrors(w, answers, e.policies[0], e.known, e.slices)
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
		return eval.WriteReliabilityPNG(w, &results[0])
	})
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, "risk_coverage.png"), func(w io.Writer) error {
		return eval.WriteRiskCoveragePNG(w, results)
	})
}
