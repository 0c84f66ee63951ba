package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/link/calibrate"
	"github.com/ctxnorm/ctxnorm/papers"
)

// rival is a linker to compare: a ranking with some of the components, a method by name, or [mostFrequentSense]. The
// zero rival is the model's own linker.
type rival struct {
	name              string
	components, named link.Components // of a ranking; those that its name lists, after "all-" the ones left out
}

// parseRanking parses "names+hierarchy", or "all-contexts" for all components except some.
func parseRanking(name string) (r rival, err error) {
	without, isRest := strings.CutPrefix(name, "all-")
	if !isRest {
		r.named, err = link.ParseComponents(strings.Split(name, "+"))
		return rival{name, r.named, r.named}, err
	}
	r.named, err = link.ParseComponents(strings.Split(without, "-"))
	return rival{name, link.AllComponents &^ r.named, r.named}, err
}

// baselineNames lists the linkers that --baselines accepts by name: all methods except the ranking, which is named by
// its components, and [mostFrequentSense].
var baselineNames = append(papers.MethodNames(func(m link.Method) bool {
	return m.Name != string(ctxnorm.MethodRanked)
}), mostFrequentSense)

// mostFrequentSense is a baseline that resolves short forms by their frequency in the corpus. It is not a method of the
// library.
const mostFrequentSense = "most-frequent-sense"

// parseBaseline parses one of [baselineNames], or a ranking by its components.
func parseBaseline(name string) (rival, error) {
	if slices.Contains(baselineNames, name) {
		return rival{name: name}, nil
	}
	r, err := parseRanking(name)
	if err != nil {
		err = fmt.Errorf("--baselines has %q, want one of %s, or components of the ranking: %w", name,
			strings.Join(baselineNames, ", "), err)
	}
	return r, err
}

// checkRivals rejects components and baselines that the model does not support, before anything is linked.
func (e *evaluation) checkRivals() error {
	if err := e.checkRival(&e.flags.ranking); err != nil {
		return fmt.Errorf("--components is %q: %w", e.flags.ranking.name, err)
	}
	for i := range e.flags.rivals {
		if err := e.checkRival(&e.flags.rivals[i]); err != nil {
			return fmt.Errorf("--baselines has %q: %w", e.flags.rivals[i].name, err)
		}
	}
	return nil
}

// checkRival rejects a linker that the model does not support.
func (e *evaluation) checkRival(r *rival) error {
	method, _ := papers.MethodOf(r.name)
	switch lacks := r.named &^ link.ComponentsOf(e.model); {
	case r.name == "": // the linker of the model
		return nil
	case r.named == r.components && lacks != 0: // components to leave out need not exist
		return fmt.Errorf("the model has no %s", lacks)
	case r.named != 0:
		return cmp.Or(calibrate.CheckComponents(e.model, r.components), e.model.CheckEncoder())
	case r.name == mostFrequentSense, method.Vectors == link.VectorsUnused:
		return nil
	case e.model.CheckVectors() != nil:
		return e.model.CheckVectors()
	case method.Check != nil:
		return method.Check(e.model.Manifest)
	}
	return nil
}

// link predicts with the model, then with the baselines, and then with the ablations of its ranking. It builds each
// linker just before use, because each has its own indexes.
func (e *evaluation) link(ctx context.Context) (all []predictions, err error) {
	rivals := append([]rival{e.flags.ranking}, e.flags.rivals...)
	if e.flags.ablate {
		for _, components := range calibrate.AblatedComponents(e.model) {
			rivals = append(rivals, rival{"", components, components})
		}
	}
	for i := range rivals {
		linker, err := e.linker(ctx, &rivals[i])
		if err != nil {
			return nil, err
		}
		name := cmp.Or(rivals[i].name, linker.Name())
		if i == 0 {
			name = "model: " + linker.Name()
		}
		bar := e.program.bar()
		linked, err := eval.Predict(ctx, linker, e.gold.Mentions, e.ids, func(done, total int) {
			bar.set(ctxnorm.Progress{Task: name, Unit: "mentions", Done: int64(done), Total: int64(total)})
		})
		bar.finish()
		if err != nil {
			return nil, err
		}
		all = append(all, predictions{name, linked})
	}
	return all, nil
}

// linker builds a linker that has been checked. A method has its own defaults; the model's linker has the options of
// eval.
func (e *evaluation) linker(ctx context.Context, r *rival) (link.Linker, error) {
	switch {
	case r.named != 0:
		return e.ranked(ctx, r.components)
	case r.name == "":
		linker, err := e.linkers.Linker(e.flags.options)
		return linker, linkerError(err, e.flags.options.Method)
	case r.name == mostFrequentSense:
		return papers.NewMostFrequentSenseLinker(e.model), nil
	}
	return e.linkers.Linker(ctxnorm.LinkOptions{Method: ctxnorm.Method(r.name), Literal: r.name == "exact"})
}

// ranked returns a ranking that uses only some components of the model, with weights learned for them, behind a
// resolver with the same components.
func (e *evaluation) ranked(ctx context.Context, components link.Components) (_ link.Linker, err error) {
	options := link.MethodOptions{MinProbability: max(0, e.flags.options.MinProbability)}
	if c := e.model.Calibration; e.flags.options.MinProbability == 0 &&
		e.flags.options.Method == ctxnorm.MethodRanked && c != nil {
		// the threshold of the complete ranking
		if options.MinProbability, err = c.Threshold(e.flags.options.Coverage); err != nil {
			return nil, fmt.Errorf("--coverage: %w", err)
		}
	}
	if e.ablation == nil {
		if e.ablation, err = calibrate.NewAblation(e.model); err != nil {
			return nil, err
		}
	}
	ranker, err := e.ablation.Ranker(ctx, components, options)
	if err != nil {
		return nil, err
	}
	resolve := e.flags.options
	resolve.Method = ctxnorm.MethodRanked // even for a baseline with another --method
	return link.NewMentionResolver(e.model, ranker, components&resolve.ResolverComponents())
}
