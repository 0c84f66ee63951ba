package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/model"
)

// linkerFlags choose a linker; link and eval share them.
type linkerFlags struct {
	options        ctxnorm.LinkOptions
	vote           link.VoteOptions
	minProbability string
	minScore       string
	abbreviations  bool
	composites     bool
}

// register adds the flags. minProbability is the default threshold: "auto" for the one
// that calibration chose.
func (l *linkerFlags) register(flags *pflag.FlagSet, minProbability string) {
	l.vote = link.DefaultVote()
	flags.StringVar((*string)(&l.options.Method), "method", string(ctxnorm.MethodRanked), "linking method: ranked (all components, by learned weights), weighted (names and contexts vote by similarity), count (contexts vote, as in the paper), nearest (nearest names, without the context), biosyn (nearest names by vectors and strings, as trained), lexical (strings), tfidf (strings, the paper's baseline) or exact (names as they are written)")
	flags.StringVar(&l.minProbability, "min-probability", minProbability, "lowest probability of the first candidate, 0 to 1: a mention below it is NIL, and so is one that is more probably NIL; 0 answers every mention; auto is the threshold that calibration chose (method ranked)")
	flags.IntVar(&l.vote.K, "k", l.vote.K, "number of nearest exemplars that vote, at least 1 (methods weighted and count)")
	flags.Float64Var(&l.vote.Temperature, "temperature", l.vote.Temperature, "temperature of the votes' weights exp(similarity/temperature), above 0 (method weighted)")
	flags.Float64Var(&l.vote.NameVoteShare, "name-vote-share", l.vote.NameVoteShare, "share of the vote that names have, 0 to 1; contexts have the rest (method weighted)")
	flags.BoolVar(&l.abbreviations, "abbreviations", true, "expand abbreviations that the text, or else the corpus, defines (methods ranked, weighted, nearest, biosyn, lexical and exact)")
	flags.BoolVar(&l.composites, "composites", true, "split composite mentions such as \"breast and ovarian cancer\" (methods ranked, weighted, nearest, biosyn, lexical and exact)")
}

// defaultExactBudget lets one answer in a thousand change.
const defaultExactBudget = .001

// registerBudget adds the flag --exact-budget, which eval has not: it measures what the whole ranking answers.
func (l *linkerFlags) registerBudget(flags *pflag.FlagSet) {
	flags.Float64Var(&l.options.ExactBudget, "exact-budget", defaultExactBudget, "share of answers that may change for the sake of speed, 0 to 1: mentions that strings settle by then are answered without the encoder; 0 ranks every mention with it (method ranked)")
}

// dictionaryMinScore is the lowest score of a link to a dictionary without a model. With MEDIC,
// 19 of the 787 mentions of NCBI Disease (dev) score less, of which 5 are right, and 391 of 439
// mentions of chemicals, which are all wrong.
const dictionaryMinScore = .6

// registerMinScore adds the flag --min-score, which eval has not: it measures every first candidate.
func (l *linkerFlags) registerMinScore(flags *pflag.FlagSet) {
	flags.StringVar(&l.minScore, "min-score", "auto", fmt.Sprintf("lowest similarity of strings, 0 to 1: a mention is NIL if no name is as similar; auto is %g with --dict, and 0 with a model (methods lexical and tfidf)", dictionaryMinScore))
}

// setMinScore sets the lowest score of the options.
func (l *linkerFlags) setMinScore(cmd *cobra.Command, fromDictionary bool) error {
	method := l.options.Method
	if applies := method == ctxnorm.MethodLexical || method == ctxnorm.MethodTFIDF; !applies {
		if cmd.Flags().Changed("min-score") {
			return fmt.Errorf("--min-score has no effect with --method %s, only with lexical and tfidf", method)
		}
		return nil
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
	method := o.Method
	if !slices.Contains(ctxnorm.Methods(), method) {
		return o, fmt.Errorf("--method is %q, want ranked, weighted, count, nearest, biosyn, lexical, tfidf or exact", method)
	}
	for _, flag := range []struct {
		name    string
		applies bool
		to      string
	}{
		{"min-probability", method == ctxnorm.MethodRanked, "ranked"},
		{"k", method == ctxnorm.MethodWeighted || method == ctxnorm.MethodCount, "weighted and count"},
		{"temperature", method == ctxnorm.MethodWeighted, "weighted"},
		{"name-vote-share", method == ctxnorm.MethodWeighted, "weighted"},
		{"abbreviations", method != ctxnorm.MethodCount && method != ctxnorm.MethodTFIDF, "ranked, weighted, nearest, biosyn, lexical and exact"},
		{"composites", method != ctxnorm.MethodCount && method != ctxnorm.MethodTFIDF, "ranked, weighted, nearest, biosyn, lexical and exact"},
		{"exact-budget", method == ctxnorm.MethodRanked, "ranked"},
		{"explain", method == ctxnorm.MethodRanked || method == ctxnorm.MethodWeighted || method == ctxnorm.MethodCount, "ranked, weighted and count"},
	} {
		if cmd.Flags().Changed(flag.name) && !flag.applies {
			return o, fmt.Errorf("--%s has no effect with --method %s, only with %s", flag.name, method, flag.to)
		}
	}
	var err error
	if o.MinProbability, err = l.threshold(); err != nil {
		return o, err
	}
	if method == ctxnorm.MethodWeighted || method == ctxnorm.MethodCount {
		vote := l.vote
		vote.Mode = string(method)
		if err := vote.Validate(); err != nil {
			return o, voteError(err)
		}
		o.Vote = &vote
	}
	o.LiteralAbbreviations, o.LiteralComposites = !l.abbreviations, !l.composites
	return o, nil
}

// voteError adds the flag to an error of [link.VoteOptions], such as "k is 0, want at
// least 1".
func voteError(err error) error {
	setting, problem, found := strings.Cut(err.Error(), " is ")
	if !found {
		return err
	}
	return fmt.Errorf("--%s is %s", strings.ReplaceAll(setting, " ", "-"), problem)
}

// threshold returns the lowest probability as an option: 0 is the calibrated one there.
func (l *linkerFlags) threshold() (float64, error) {
	if l.minProbability == "auto" || l.options.Method != ctxnorm.MethodRanked {
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

// linkHint adds the flag to an option error of linking, and what to do about it.
func linkHint(err error, method ctxnorm.Method) error {
	if errors.Is(err, ctxnorm.ErrNoEncoder) {
		return withHint(fmt.Errorf("--method %s: %w", method, err), "--method lexical, exact and tfidf need none; "+encoderBuild)
	}
	if errors.Is(err, ctxnorm.ErrNoVectors) {
		return withHint(fmt.Errorf("--method %s needs an encoder, and the model has none", method),
			"--method ranked, lexical, tfidf or exact; or train without --encoder none")
	}
	return withFlag(err, map[string]string{"Method": "method", "TopK": "top", "ExactBudget": "exact-budget"})
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
		least = c.MinProbability
	}
	a := c.Abstention
	switch {
	case a == nil && o.MinProbability == 0:
	case a == nil:
		p.warn(fmt.Sprintf("--min-probability %g: this model was not calibrated with concepts held out, so the effect is unknown", least), "ctxnorm calibrate measures it")
	case least > 0:
		row := a.At(least)
		p.logf("a mention is NIL below probability %g, or where NIL is more probable: of %d calibration mentions, %d of them without a right concept, %s are linked, and %s of these are right",
			least, a.Queries, a.NIL, percent(row.Answered, a.Queries), percent(row.Correct, row.Answered))
	}
}

func percent(n, of int) string {
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(max(1, of)))
}
