package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/papers"
)

// linkerFlags choose a linker; link and eval share them.
type linkerFlags struct {
	options        ctxnorm.LinkOptions
	vote           ctxnorm.VoteOptions
	minProbability string
	minScore       string
	abbreviations  bool
	composites     bool
}

// linkerMethods has the flags that have an effect on some linking methods, and on which.
var linkerMethods = map[string]func(link.Method) bool{
	"min-probability": func(m link.Method) bool { return m.Calibrated },
	"coverage":        func(m link.Method) bool { return m.Calibrated },
	"min-score":       func(m link.Method) bool { return m.StringScores },
	"k":               func(m link.Method) bool { return m.Vote != nil },
	"temperature":     weighsVotes,
	"name-vote-share": weighsVotes,
	"abbreviations":   func(m link.Method) bool { return !m.Literal },
	"composites":      func(m link.Method) bool { return !m.Literal },
	"exact-budget":    func(m link.Method) bool { return m.Calibrated },
	"explain":         func(m link.Method) bool { return m.Evidence },
	"case":            worksWithoutVectors,
}

func weighsVotes(m link.Method) bool { return m.Vote != nil && m.Vote.Mode == "weighted" }

// methodsOf returns the linking methods on which a flag of [linkerMethods] has an effect: "method ranked".
func methodsOf(flag string) string { return counted("method", papers.MethodNames(linkerMethods[flag])) }

// register adds the flags. minProbability is the default threshold: "auto" for the one
// that calibration chose.
func (l *linkerFlags) register(flags *pflag.FlagSet, minProbability string) {
	l.vote = ctxnorm.DefaultVote()
	var methods []string
	for _, m := range papers.Methods() {
		methods = append(methods, m.Name+" ("+m.Summary+")")
	}
	l.options.Method = ctxnorm.MethodRanked
	registerChoice(flags, (*string)(&l.options.Method), "method", papers.MethodNames(nil),
		"linking method: "+strings.Join(methods, ", "))
	flags.StringVar(&l.minProbability, "min-probability", minProbability,
		"lowest probability of the first candidate, 0 to 1: a mention below it is NIL; "+
			"0 answers every mention; auto is the threshold that calibration chose ("+
			methodsOf("min-probability")+")")
	flags.Float64Var(&l.options.Coverage, "coverage", 0, "share of the mentions, above 0 to 1, whose concept the "+
		"dictionary has, if you know it: --min-probability is then the one with the most right answers, NIL among them ("+
		methodsOf("coverage")+")")
	flags.IntVar(&l.vote.K, "k", l.vote.K, "number of nearest exemplars that vote, at least 1 ("+methodsOf("k")+")")
	flags.Float64Var(&l.vote.Temperature, "temperature", l.vote.Temperature,
		"temperature of the votes' weights exp(similarity/temperature), above 0 ("+methodsOf("temperature")+")")
	flags.Float64Var(&l.vote.NameVoteShare, "name-vote-share", l.vote.NameVoteShare,
		"share of the vote that names have, 0 to 1; contexts have the rest ("+methodsOf("name-vote-share")+")")
	flags.BoolVar(&l.options.Case, "case", false, caseUsage)
	flags.BoolVar(&l.abbreviations, "abbreviations", true,
		"expand abbreviations that the text, or else the corpus, defines ("+methodsOf("abbreviations")+")")
	flags.BoolVar(&l.composites, "composites", true,
		"split composite mentions such as \"breast and ovarian cancer\" ("+methodsOf("composites")+")")
}

// caseUsage describes the flag --case of tag and of commands that link.
const caseUsage = "take names with capitals for proper names, such as those of companies: \"apple\" is not Apple Inc."

// defaultExactBudget lets one answer in a thousand be lost.
const defaultExactBudget = .001

// registerBudget adds the flag --exact-budget, which eval has not: it measures what the whole ranking answers.
func (l *linkerFlags) registerBudget(flags *pflag.FlagSet) {
	flags.Float64Var(&l.options.ExactBudget, "exact-budget", defaultExactBudget,
		"fraction of answers that may be lost in exchange for speed, 0 to 1: mentions that are "+
			"clear without vectors skip the encoder; 0 ranks every mention with it ("+methodsOf("exact-budget")+")")
}

// dictionaryMinScore is the lowest score of a link to a dictionary without a model. With MEDIC,
// 19 of the 787 mentions of NCBI Disease (dev) score less, of which 5 are right, and 391 of 439
// mentions of chemicals, which are all wrong.
const dictionaryMinScore = .6

// registerMinScore adds the flag --min-score, which eval has not: it measures every first candidate.
func (l *linkerFlags) registerMinScore(flags *pflag.FlagSet) {
	flags.StringVar(&l.minScore, "min-score", "auto", fmt.Sprintf("lowest similarity of strings, 0 to 1: "+
		"a mention whose best name scores less is NIL; auto is %g with --dict, and 0 with a model (%s)",
		dictionaryMinScore, methodsOf("min-score")))
}

// setMinScore sets the lowest score of the options, unless it has no effect.
func (l *linkerFlags) setMinScore(fromDictionary bool) error {
	if method, _ := papers.MethodOf(string(l.options.Method)); !method.StringScores {
		return nil // linkOptions refuses the flag
	}
	if l.minScore == "auto" {
		if fromDictionary {
			l.options.MinScore = dictionaryMinScore
		}
		return nil
	}
	score, err := strconv.ParseFloat(l.minScore, 64)
	if err != nil || !(score >= 0 && score <= 1) {
		return fmt.Errorf("--min-score is %q, want auto or a number from 0 to 1", l.minScore)
	}
	l.options.MinScore = score
	return nil
}

// linkOptions returns the options, and refuses flags that the method would ignore.
func (l *linkerFlags) linkOptions(cmd *cobra.Command) (ctxnorm.LinkOptions, error) {
	o := l.options
	method, _ := papers.MethodOf(string(o.Method))
	for _, name := range slices.Sorted(maps.Keys(linkerMethods)) {
		if cmd.Flags().Changed(name) && !linkerMethods[name](method) {
			return o, fmt.Errorf("--%s has no effect with --method %s, only with %s",
				name, method.Name, english.WordSeries(papers.MethodNames(linkerMethods[name]), "and"))
		}
	}
	var err error
	if o.MinProbability, err = l.threshold(cmd); err != nil {
		return o, err
	}
	if method.Vote != nil {
		vote := l.vote
		if err := vote.Validate(o.Method); err != nil {
			return o, withFlag(err)
		}
		o.Vote = &vote
	}
	o.LiteralAbbreviations, o.LiteralComposites = !l.abbreviations, !l.composites
	return o, nil
}

// threshold returns the lowest probability as an option: 0 is the calibrated one there, or that of --coverage.
func (l *linkerFlags) threshold(cmd *cobra.Command) (float64, error) {
	isDefault := !cmd.Flags().Changed("min-probability")
	if l.minProbability == "auto" || isDefault && l.options.Coverage > 0 || l.options.Method != ctxnorm.MethodRanked {
		return 0, nil
	}
	p, err := strconv.ParseFloat(l.minProbability, 64)
	if err != nil || !(p >= 0 && p <= 1) {
		return 0, fmt.Errorf("--min-probability is %q, want auto or a number from 0 to 1", l.minProbability)
	}
	if p == 0 {
		return ctxnorm.AlwaysAnswer, nil
	}
	return p, nil
}

func comparesStrings(m link.Method) bool { return m.Vectors == link.VectorsUnused }

func worksWithoutVectors(m link.Method) bool { return m.Vectors != link.VectorsRequired }

// linkHint adds the flag to an option error of linking, and what to do about it.
func linkHint(err error, method ctxnorm.Method) error {
	if errors.Is(err, ctxnorm.ErrNoEncoder) {
		return withHint(fmt.Errorf("--method %s: %w", method, err),
			"--method "+english.WordSeries(papers.MethodNames(comparesStrings), "and")+" need none; "+torchBuild)
	}
	if errors.Is(err, ctxnorm.ErrNoVectors) {
		return withHint(fmt.Errorf("--method %s needs an encoder, and the model has none", method),
			"--method "+strings.Join(papers.MethodNames(worksWithoutVectors), ", ")+"; or train without --encoder none")
	}
	return withFlag(err)
}

// logCascade says which share of the mentions was answered without the encoder; nothing if there was no
// cascade.
func (p *program) logCascade(c link.CascadeCounts) {
	total := int(c.Concept + c.NIL + c.Encoder)
	if total == 0 {
		return
	}
	p.logf("%s of %d mentions were answered without the encoder: %s with a concept, %s as NIL",
		percent(int(c.Concept+c.NIL), total), total, percent(int(c.Concept), total), percent(int(c.NIL), total))
}

// logThreshold prints what a threshold did to the queries of the model's calibration.
func (p *program) logThreshold(c *model.Calibration, o *ctxnorm.LinkOptions) {
	if o.Method != ctxnorm.MethodRanked || o.MinProbability == ctxnorm.AlwaysAnswer {
		return
	}
	least := o.MinProbability
	if least == 0 {
		least, _ = c.Threshold(o.Coverage)
	}
	a := c.Abstention
	switch {
	case a == nil && o.MinProbability == 0:
	case a == nil:
		p.warn(fmt.Sprintf("--min-probability %g: this model was not calibrated with concepts held out, so the effect "+
			"is unknown", least), "ctxnorm calibrate measures it")
	case least > 0:
		row := a.At(least)
		p.logf("a mention is NIL below probability %g: of %d calibration mentions, %d of them without a right "+
			"concept, %s are linked, and %s of these are right",
			least, a.Queries, a.NIL, percent(row.Answered, a.Queries), percent(row.Correct, row.Answered))
	}
}

func percent(n, of int) string {
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(max(1, of)))
}
