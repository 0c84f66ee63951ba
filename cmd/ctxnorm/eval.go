package main

import (
	"fmt"
	"io"

	"github.com/google/renameio/v2"
	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/eval/report"
)

// evalFlags are what eval is told.
type evalFlags struct {
	gold     goldFlags
	policies []string
	holdOut  float64
	model    string
	corpus   string
	beside   []string
	against  []string
	answers  string
	errors   string
	plots    string
	seed     uint64
	json     bool
	markdown bool
	parts    partFlags
	vote     voteFlags
	run      encoderFlags
}

func (p *program) evalCommand() *cobra.Command {
	var o evalFlags
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "Measure a model on annotated documents",
		Long: `Links the annotated mentions of PubTator, BioC or JSONL files and counts how often
a right concept comes first (Acc@1), among the first five and among the first
twenty, as a whole and by kind of mention, and how it fails where it does, with
numerators, denominators and 95 % intervals over documents.

Of a linker that gives probabilities it says what they are worth: the expected
calibration error (ECE, 15 bins of equal width), the area under the risk-coverage
curve (AURC), how well they tell right from wrong (AUROC), Acc@1 of the surest
80 %, and what each --min-probability would make of coverage, risk and NIL.

Policies, of which several can be counted at once:

  paper   any gold id is right, mentions outside the concepts are left out
  biosyn  all parts of a composite mention, mentions outside always missed
  strict  all parts of a composite mention, no candidate is right outside
  all     any gold id, every mention, no candidate is right outside

--beside measures other linkers on the same mentions: exact, tfidf (the paper's
baseline: characters and pairs), lexical (words and what stands for them), count
(the paper's vote) and weighted (names and contexts, by similarity), or the ranking
by some of its parts, joined by a plus (names+strings+abbreviations), or by all but
some (all-contexts-text). The model is compared with each of them, and with the
files that --answers wrote in other runs (--against): difference in Acc@1, paired
bootstrap over documents, McNemar's exact test.

--without and --only rank by some of what the model knows, --ablate by all without
each part in turn and by each part alone, beside the whole. A part that is left out
gives neither candidates nor reasons, and the weights are learnt anew for the rest,
so that each row is a system of its own. The parts are

  names, strings, contexts   compared with the mention
  text                       words that the mention leaves to its text
  tree                       of the dictionary; nameless concepts
  mined                      names that texts give to concepts
  abbreviations, table       that the document defines, and that the corpus does
  composites                 mentions taken apart

--hold-out takes a share of the concepts out of the model, with all their names and
contexts, and out of the evaluated set, so that their mentions are of no concept: how
well --min-probability finds those, the policies strict and all say, which are then
the default.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.holdOut > 0 && !cmd.Flags().Changed("policy") {
				o.policies = []string{"strict", "all"} // the others leave out what is held out
			}
			return p.eval(cmd.Context(), &o)
		},
	}
	flags := cmd.Flags()
	o.gold.register(flags)
	flags.StringSliceVar(&o.policies, "policy", []string{"paper"}, "what counts as right: paper, biosyn, strict, all")
	flags.Float64Var(&o.holdOut, "hold-out", 0, "share of the concepts to take out of the model")
	flags.StringVar(&o.model, "model", "model", "model `folder`")
	flags.StringVar(&o.corpus, "corpus", "", "corpus `folder` that the model was made from, to look for the gold in (default: the contexts kept in the model)")
	flags.StringSliceVar(&o.beside, "beside", nil, "other linkers to measure: exact, tfidf, lexical, count, weighted, or parts of the ranking such as names+tree or all-contexts")
	flags.StringSliceVar(&o.against, "against", nil, "answers `files` of other runs to compare with")
	flags.StringVar(&o.answers, "answers", "", "`file` for the model's answer to each mention, one line of JSON each")
	flags.StringVar(&o.errors, "errors", "", "`file` for the model's mistakes under the first policy, for a person to read")
	flags.StringVar(&o.plots, "plots", "", "`folder` for reliability.png and risk_coverage.png (of the first six linkers), under the first policy")
	flags.Uint64Var(&o.seed, "seed", 1, "of the intervals, and of the concepts held out")
	flags.BoolVar(&o.json, "json", false, "as JSON")
	flags.BoolVar(&o.markdown, "markdown", false, "as Markdown")
	o.parts.register(cmd)
	o.vote.register(flags)
	o.run.register(flags)
	cobra.CheckErr(cmd.MarkFlagRequired("gold"))
	cmd.MarkFlagsMutuallyExclusive("json", "markdown")
	return cmd
}

func (o *evalFlags) policyValues() ([]eval.Policy, error) {
	policies := make([]eval.Policy, len(o.policies))
	for i, name := range o.policies {
		var err error
		if policies[i], err = eval.PolicyByName(name); err != nil {
			return nil, fmt.Errorf("--policy: %w", err)
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
	}
	return report.WriteText(p.stdout, r)
}

// writeFile lets write fill the file at path, which is there whole or not at
// all.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o666))
	if err != nil {
		return err
	}
	defer f.Cleanup()
	if err := write(f); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return f.CloseAtomicallyReplace()
}
