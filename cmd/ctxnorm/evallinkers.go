package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/link/calibrate"
	"github.com/ctxnorm/ctxnorm/papers"
)

// link predicts with the model, then with the baselines, and then with the ablations of its
// ranking. A linker is made just before it is used, since each has indexes of its own.
func (e *evaluation) link(ctx context.Context) ([]predictions, error) {
	first, err := e.first(ctx)
	if err != nil {
		return nil, err
	}
	var all []predictions
	predict := func(name string, linker link.Linker, err error) error {
		if err != nil {
			return err
		}
		bar := e.program.bar(name, "mentions")
		defer bar.Finish()
		linked, err := eval.Predict(ctx, linker, e.gold.Mentions, e.ids, func(done, total int) {
			bar.Set(int64(done), int64(total), "")
		})
		all = append(all, predictions{name, linked})
		return err
	}
	if err := predict("model: "+first.Name(), first, nil); err != nil {
		return nil, err
	}
	for _, name := range e.flags.baselines {
		linker, err := e.baseline(ctx, name)
		if err := predict(name, linker, err); err != nil {
			return nil, err
		}
	}
	if !e.flags.ablate {
		return all, nil
	}
	for _, components := range calibrate.AblatedComponents(e.model) {
		linker, err := e.ranked(ctx, components)
		name := ""
		if err == nil {
			name = linker.Name()
		}
		if err := predict(name, linker, err); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// first returns the linker of the model, or the ranking by --components.
func (e *evaluation) first(ctx context.Context) (link.Linker, error) {
	if e.flags.ranking != "" {
		components, _ := parseRanking(e.flags.ranking) // checked
		return e.ranked(ctx, components)
	}
	linker, err := e.linkers.Linker(e.flags.options)
	return linker, linkerError(err, e.flags.options.Method)
}

// ranked returns the ranking by some components of the model, with the weights learned for
// them, behind a resolver of the same components.
func (e *evaluation) ranked(ctx context.Context, components link.Components) (link.Linker, error) {
	options := link.RankOptions{MinProbability: max(0, e.flags.options.MinProbability)}
	if c := e.model.Calibration; e.flags.options.MinProbability == 0 &&
		e.flags.options.Method == ctxnorm.MethodRanked && c != nil {
		var err error
		// that of the whole ranking
		if options.MinProbability, err = c.Threshold(e.flags.options.Coverage); err != nil {
			return nil, fmt.Errorf("--coverage: %w", err)
		}
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
	if _, err := parseRanking(name); err != nil {
		return fmt.Errorf("--baselines has %q, want one of %s, or components of the ranking: %w", name,
			strings.Join(baselineNames, ", "), err)
	}
	return nil
}

// checkLinkers refuses components and baselines that the model cannot link by, before anything is
// linked.
func (e *evaluation) checkLinkers() error {
	if name := e.flags.ranking; name != "" {
		err := e.checkRanking(name)
		if components, _ := parseRanking(name); strings.HasPrefix(name, "all-") && err == nil {
			err = e.checkHas(link.AllComponents &^ components)
		}
		if err != nil {
			return fmt.Errorf("--components is %q: %w", name, err)
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
	if _, err := parseRanking(name); err == nil {
		return cmp.Or(e.checkRanking(name), e.model.CheckEncoder())
	}
	method, _ := papers.MethodOf(name)
	switch {
	case name == mostFrequentSense && e.model.Abbreviations == nil:
		return errors.New("the model has no table of abbreviations")
	case name == mostFrequentSense || method.Vectors == link.VectorsUnused:
		return nil
	case e.model.CheckEncoder() != nil:
		return e.model.CheckEncoder()
	case e.model.Vectors == nil:
		return withHint(errors.New("needs an encoder, and the model has none"),
			"--baselines "+strings.Join(papers.MethodNames(comparesStrings), ", ")+" or "+mostFrequentSense+
				"; or train without --encoder none")
	case method.Check != nil:
		return method.Check(e.model.Manifest)
	}
	return nil
}

// checkRanking refuses components that the model does not have, or that find no candidates.
func (e *evaluation) checkRanking(name string) error {
	components, _ := parseRanking(name) // checked
	if !strings.HasPrefix(name, "all-") {
		if err := e.checkHas(components); err != nil {
			return err
		}
	}
	return calibrate.CheckComponents(e.model, components)
}

// checkHas refuses components that the model does not have.
func (e *evaluation) checkHas(components link.Components) error {
	if lacks := components &^ link.ComponentsOf(e.model); lacks != 0 {
		return fmt.Errorf("the model has no %s", lacks)
	}
	return nil
}

// parseRanking parses "names+hierarchy", or "all-contexts" for all but some.
func parseRanking(name string) (link.Components, error) {
	if without, ok := strings.CutPrefix(name, "all-"); ok {
		components, err := link.ParseComponents(strings.Split(without, "-"))
		return link.AllComponents &^ components, err
	}
	return link.ParseComponents(strings.Split(name, "+"))
}

// baseline returns one of [baselineNames] with its own defaults, or a ranking by components. It was
// checked.
func (e *evaluation) baseline(ctx context.Context, name string) (link.Linker, error) {
	if components, err := parseRanking(name); err == nil {
		return e.ranked(ctx, components)
	}
	if name == mostFrequentSense {
		return papers.NewMostFrequentSenseLinker(e.model.Abbreviations, e.model.DictionaryIndexes()), nil
	}
	literal := name == "exact" // looks mentions up as they are written
	return e.linkers.Linker(ctxnorm.LinkOptions{
		Method: ctxnorm.Method(name), LiteralAbbreviations: literal, LiteralComposites: literal,
	})
}
