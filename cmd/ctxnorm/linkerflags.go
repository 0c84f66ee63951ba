package main

import (
	"errors"
	"fmt"
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

// linkerFlags choose and configure a linker.
type linkerFlags struct {
	options        ctxnorm.LinkOptions
	minProbability string
	minScore       string
}

// methodProperties are properties of linking methods that a flag may depend on, for the rule "method".
var methodProperties = map[string]func(link.Method) bool{
	"calibrated": func(m link.Method) bool { return m.Calibrated },
	"strings":    func(m link.Method) bool { return m.StringScores },
	"vote":       func(m link.Method) bool { return m.Votes },
	"expanding":  func(m link.Method) bool { return !m.Literal },
	"evidence":   func(m link.Method) bool { return m.Evidence },
	"vectorless": func(m link.Method) bool { return m.Vectors != link.VectorsRequired },
}

// flags returns the flags for commands that link. minProbability is the default threshold; "auto" stands for the one
// from calibration.
func (l *linkerFlags) flags(minProbability string) []flag {
	l.options.Neighbors = papers.Neighbors
	var methods []string
	for _, m := range papers.Methods() {
		methods = append(methods, m.Name+" ("+m.Summary+")")
	}
	o := &l.options
	return []flag{
		{"method", (*string)(&o.Method), "is=@methods default=ranked", "linking method: " + strings.Join(methods, ", ")},
		{"min-probability", &l.minProbability, "auto min=0 max=1 method=calibrated default=" + minProbability,
			"lowest probability of the first candidate, 0 to 1: a mention below it is NIL; 0 answers every mention; auto is the " +
				"threshold that calibration chose, a higher one for cells"},
		{"coverage", &o.Coverage, "min=0 max=1 method=calibrated", "share of the mentions, above 0 to 1, whose concept the " +
			"dictionary has, if you know it: --min-probability is then the one with the most right answers, NIL among them"},
		{"k", &o.Neighbors, "min=1 method=vote", "number of nearest exemplars that vote, at least 1"},
		{"case", &o.Case, "method=vectorless", ""},
		{"literal", &o.Literal, "method=expanding", "link mentions as they are written: expand no abbreviations that the text or " +
			"the corpus defines, and split no composite mentions such as \"breast and ovarian cancer\""},
	}
}

// dictionaryMinScore is the lowest score of a link to a dictionary without a model. With MEDIC, 19 of the 787 mentions
// of NCBI Disease (dev) score lower, and only 5 of these are right. Of 439 mentions of chemicals, which are all wrong,
// 391 score lower.
const dictionaryMinScore = .6

// choiceFlags returns the flags for commands that link, except those that must measure every first candidate of the
// full ranking.
func (l *linkerFlags) choiceFlags() []flag {
	l.options.ExactBudget = .001 // may lose one answer in a thousand
	return []flag{
		{"min-score", &l.minScore, "auto min=0 max=1 method=strings default=auto", fmt.Sprintf("lowest similarity of strings, "+
			"0 to 1: a mention whose best name scores less is NIL; auto is %g with --dict, and 0 with a model", dictionaryMinScore)},
		{"exact-budget", &l.options.ExactBudget, "min=0 max=1 method=calibrated", "fraction of answers that may be lost in " +
			"exchange for speed, 0 to 1: mentions that are clear without vectors skip the encoder; 0 ranks every mention with it"},
	}
}

// linkOptions returns the options for a model or for a dictionary without one, and rejects flags that the method
// ignores.
func (l *linkerFlags) linkOptions(cmd *cobra.Command, fromDictionary bool) (o ctxnorm.LinkOptions, err error) {
	if fromDictionary && !cmd.Flags().Changed("method") {
		l.options.Method = ctxnorm.MethodLexical
	}
	o = l.options
	method, _ := papers.MethodOf(string(o.Method))
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		property := flag.Annotations["method"]
		if err == nil && flag.Changed && property != nil && !methodProperties[property[0]](method) {
			err = fmt.Errorf("--%s has no effect with --method %s, only with %s", flag.Name, method.Name,
				english.WordSeries(papers.MethodNames(methodProperties[property[0]]), "and"))
		}
	})
	if err != nil {
		return o, err
	}
	if score, err := strconv.ParseFloat(l.minScore, 64); err == nil && method.StringScores {
		o.MinScore = score
	} else if method.StringScores && fromDictionary && l.minScore == "auto" {
		o.MinScore = dictionaryMinScore
	}
	// 0 stands for the threshold from calibration or from --coverage.
	isDefault := !cmd.Flags().Changed("min-probability")
	if p, err := strconv.ParseFloat(l.minProbability, 64); err == nil && method.Calibrated && !(isDefault && o.Coverage > 0) {
		if o.MinProbability = p; p == 0 {
			o.MinProbability = ctxnorm.AlwaysAnswer
		}
	}
	if !method.Votes {
		o.Neighbors = 0
	}
	return o, nil
}

// comparesStrings reports whether a method needs no vectors.
func comparesStrings(m link.Method) bool { return m.Vectors == link.VectorsUnused }

// linkerError adds the method and a hint to an error from making a linker.
func linkerError(err error, method ctxnorm.Method) error {
	switch {
	case is[*hintError](err):
	case errors.Is(err, ctxnorm.ErrNoEncoder):
		return withHint(fmt.Errorf("--method %s: %w", method, err),
			"--method "+english.WordSeries(papers.MethodNames(comparesStrings), "and")+" need none; "+torchBuild)
	case errors.Is(err, ctxnorm.ErrNoVectors):
		return withHint(fmt.Errorf("--method %s needs an encoder, and the model has none", method), "--method "+
			strings.Join(papers.MethodNames(methodProperties["vectorless"]), ", ")+"; or train without --encoder none")
	}
	return err
}

// logCascade logs the share of mentions that were answered without the encoder. It logs nothing if there was no
// cascade.
func (p *program) logCascade(c link.CascadeCounts) {
	total := int(c.Concept + c.NIL + c.Encoder)
	if total == 0 {
		return
	}
	p.logf("%s of %d mentions were answered without the encoder: %s with a concept, %s as NIL",
		percent(int(c.Concept+c.NIL), total), total, percent(int(c.Concept), total), percent(int(c.NIL), total))
}

// logThreshold logs the effect of a threshold on the queries of the model's calibration.
func (p *program) logThreshold(c *model.Calibration, o *ctxnorm.LinkOptions) {
	if o.Method != ctxnorm.MethodRanked || o.MinProbability == ctxnorm.AlwaysAnswer {
		return
	}
	least, cells := o.MinProbability, ""
	if least == 0 {
		if o.Coverage == 0 {
			cells = fmt.Sprintf(", or as a cell of its own below %g", c.CellThreshold())
		}
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
		p.logf("a mention is NIL below probability %g%s: of %d calibration mentions, %d of them without a right "+
			"concept, %s are linked, and %s of these are right",
			least, cells, a.Queries, a.NIL, percent(row.Answered, a.Queries), percent(row.Correct, row.Answered))
	}
}

func percent(n, of int) string {
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(max(1, of)))
}
