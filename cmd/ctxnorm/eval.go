package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/internal/report"
)

// evalFlags are the flags of eval.
type evalFlags struct {
	gold       goldFlags
	refined    []string
	policies   []string
	holdOut    float64
	model      string
	corpus     string
	baselines  []string
	compare    []string
	answers    string
	errors     string
	plots      string
	seed       uint64
	json       bool
	markdown   bool
	full       bool
	outside    bool // measure thresholds of distance
	memory     string
	raw        bool // find the mentions too
	components componentFlags
	linker     linkerFlags
	run        ctxnorm.EncoderOptions

	options ctxnorm.LinkOptions // from linker
}

func (p *program) evalCommand() *cobra.Command {
	var o evalFlags
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "Measure a model on annotated documents",
		Long: `Links the mentions of annotated files of any format that link reads, and counts how
often a right concept comes first (Acc@1), among the first five and among the first
twenty: over all mentions and by kind of mention, with numerators, denominators and
95 % intervals over documents. It also counts how the wrong ones are wrong.

It prints what matters most in about 20 lines; --full prints everything.

For linkers that give probabilities it reports the expected calibration error (ECE,
15 bins of equal width), the area under the risk-coverage curve (AURC), AUROC, Acc@1
of the 80 % with the highest probability, and coverage, risk and NIL by threshold.

Policies, of which several can be given:

  paper   any gold id is right; mentions outside the dictionary are excluded
  biosyn  every sub-mention of a composite must be right, and any concept of the
          nearest name is; mentions outside the dictionary are excluded
  strict  every sub-mention of a composite must be right; NIL is right for
          mentions outside the dictionary
  all     any gold id is right; NIL is right for mentions outside the dictionary

--baselines measures other linkers on the same mentions: any --method but ranked,
most-frequent-sense (short forms as the corpus defines them most often), or the ranking
by some components, joined by a plus (names+strings+document_abbreviations), or by all
but some (all-contexts-document_context). The model is compared with each of them, and
with the files that --answers wrote in other runs (--compare): difference in Acc@1,
paired bootstrap over documents, McNemar's exact test.

--without and --only rank by some components, --ablate by all without each one and
by each one alone. A component that is left out yields neither candidates nor
features, and the weights are learned again for the others. The components are

  names, strings, contexts      compared with the mention
  document_context              words that names share with the document
  hierarchy                     ancestors and descendants; concepts without a name
  corpus_synonyms               synonyms that texts define
  document_abbreviations        abbreviations that the document defines
  corpus_abbreviations          abbreviations that the corpus defines
  composites                    composite mentions, split

--hold-out takes a share of the concepts out of the model and out of the evaluated
set, so that their mentions are NIL. The policies are then strict and all.
--out-of-dictionary, with --method nearest, measures the three thresholds of distance
of the DILBERT paper for such mentions, under the same policies.

--raw measures what link --recognize and link --tag make of the raw texts: precision,
recall and F1 of spans and of spans with their concept, exact and overlapping.

Documents of JSONL gold with the same "group" are also counted together: a group is
right if all its mentions are. Gold of hide-definitions is also measured by the number
of records that define the sense.

There is no probability threshold unless --min-probability sets one, so that Acc@1
compares with published figures.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if len(o.gold.files) == 0 {
				return withHint(errors.New("no annotated files to measure on"), "name them with --gold FILE,…")
			}
			if err := notBoth(cmd, "json", "markdown"); err != nil {
				return err
			}
			for _, form := range []string{"json", "markdown"} { // these have everything
				if err := notBoth(cmd, "full", form); err != nil {
					return err
				}
			}
			if err := notBoth(cmd, "without", "only"); err != nil {
				return err
			}
			if err := notBoth(cmd, "memory", "hold-out"); err != nil {
				return err
			}
			if (o.holdOut > 0 || o.outside) && !cmd.Flags().Changed("policy") {
				o.policies = []string{"strict", "all"} // the others exclude what is held out
			}
			if err := o.components.check(o.linker.options.Method); err != nil {
				return err
			}
			var err error
			if o.options, err = o.linker.linkOptions(cmd); err != nil {
				return err
			}
			if o.raw {
				for _, other := range notRaw {
					if err := notBoth(cmd, "raw", other); err != nil {
						return err
					}
				}
				return p.evalRaw(cmd.Context(), &o)
			}
			if err := o.checkOutOfDictionary(); err != nil {
				return err
			}
			return p.eval(cmd.Context(), &o)
		},
	}
	cmd.AddCommand(p.evalSimilarityCommand(), p.evalSynonymsCommand())
	flags := cmd.Flags()
	o.gold.register(flags)
	flags.StringSliceVar(&o.refined, "refined", nil,
		"annotated `files` of training and development sets: leave out the mentions that stand in them, and then all "+
			"but the first of those left that are the same")
	flags.StringSliceVar(&o.policies, "policy", []string{"paper"},
		"policies of what counts as right: paper, biosyn, strict, all")
	flags.Float64Var(&o.holdOut, "hold-out", 0, "share of the concepts to take out of the model, 0 to below 1 "+
		"(default 0)")
	flags.BoolVar(&o.outside, "out-of-dictionary", false,
		"also choose thresholds of the distance beyond which a mention is NIL, on 100 mentions of the gold, and "+
			"measure them on the others, 20 times (method nearest)")
	flags.StringVar(&o.model, "model", "model", "model `folder`")
	flags.BoolVar(&o.raw, "raw", false, "find the mentions in the raw texts of the gold, and measure finding and "+
		"linking together: by the names of the dictionary, and by the model's recognizer too")
	registerMemory(flags, &o.memory, true, "apply the corrections in a `folder`; without a value, those beside the model")
	flags.StringVar(&o.corpus, "corpus", "", "corpus `folder` that the model was made from, to search for sentences "+
		"of the gold (default: the contexts kept in the model)")
	flags.StringSliceVar(&o.baselines, "baselines", nil, "other linkers to measure: "+strings.Join(baselineNames, ", ")+
		", or components such as names+hierarchy or all-contexts")
	flags.StringSliceVar(&o.compare, "compare", nil, "prediction `files` of other runs to compare with")
	flags.StringVar(&o.answers, "answers", "", "`file` to write the model's predictions to, one line of JSON each")
	flags.StringVar(&o.errors, "errors", "", "text `file` to write the model's mistakes under the first policy to")
	flags.StringVar(&o.plots, "plots", "", "`folder` for reliability.png and risk_coverage.png (first policy, at most "+
		"six linkers)")
	flags.Uint64Var(&o.seed, "seed", 1, "seed of the bootstrap and of the concepts held out")
	flags.BoolVar(&o.full, "full", false, "print all metrics, slices, failures, thresholds and comparisons")
	flags.BoolVar(&o.json, "json", false, "print the full report as JSON")
	flags.BoolVar(&o.markdown, "markdown", false, "print the full report as Markdown")
	o.components.register(cmd)
	o.linker.register(flags, "0")
	registerEncoder(flags, &o.run)
	return cmd
}

// checkOutOfDictionary refuses --out-of-dictionary with linkers whose scores are no cosines.
func (o *evalFlags) checkOutOfDictionary() error {
	if o.outside && (o.options.Method != ctxnorm.MethodNearest || o.components.given()) {
		return errors.New("--out-of-dictionary has an effect only with --method nearest, whose scores are distances")
	}
	return nil
}

func (o *evalFlags) policyValues() ([]eval.Policy, error) {
	policies := make([]eval.Policy, len(o.policies))
	for i, name := range o.policies {
		var err error
		if policies[i], err = eval.PolicyByName(name); err != nil {
			return nil, fmt.Errorf("--%w", err) // "policy is …, want …"
		}
	}
	return policies, nil
}

// printReport writes the report to standard output in the form asked for.
func (p *program) printReport(r *eval.Report, o *evalFlags) error {
	switch {
	case o.json:
		return p.printJSON(r)
	case o.markdown:
		return report.WriteMarkdown(p.stdout, r)
	case o.full:
		return report.WriteText(p.stdout, r)
	}
	return report.WriteBrief(p.stdout, r)
}
