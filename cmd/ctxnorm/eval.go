package main

import (
	"fmt"
	"io"

	"github.com/google/renameio/v2"
	"github.com/spf13/cobra"

	"ctxnorm/corpus/dictionary"
	"ctxnorm/eval"
	"ctxnorm/link"
)

// evalFlags are what eval is told.
type evalFlags struct {
	gold     []string
	types    []string
	ids      string
	policies []string
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
baseline: characters and pairs), lexical (words and what stands for them) and
count (the paper's vote). The model is compared with each of them, and with the
files that --answers wrote in other runs (--against): difference in Acc@1, paired
bootstrap over documents, McNemar's exact test.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.eval(cmd.Context(), &o) },
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&o.gold, "gold", nil, "annotated `files`: PubTator, BioC XML or JSONL")
	flags.StringSliceVar(&o.types, "types", nil, "entity types to count (default: all)")
	flags.StringVar(&o.ids, "ids", "", "JSON `file` of the concepts to evaluate on with all their ids (default: the dictionary's)")
	flags.StringSliceVar(&o.policies, "policy", []string{"paper"}, "what counts as right: paper, biosyn, strict, all")
	flags.StringVar(&o.model, "model", "model", "model `folder`")
	flags.StringVar(&o.corpus, "corpus", "", "corpus `folder` that the model was made from, to look for the gold in (default: the contexts kept in the model)")
	flags.StringSliceVar(&o.beside, "beside", nil, "other linkers to measure: exact, tfidf, lexical, count")
	flags.StringSliceVar(&o.against, "against", nil, "answers `files` of other runs to compare with")
	flags.StringVar(&o.answers, "answers", "", "`file` for the model's answer to each mention, one line of JSON each")
	flags.StringVar(&o.errors, "errors", "", "`file` for the model's mistakes under the first policy, for a person to read")
	flags.StringVar(&o.plots, "plots", "", "`folder` for reliability.png and risk_coverage.png, under the first policy")
	flags.Uint64Var(&o.seed, "seed", 1, "of the intervals")
	flags.BoolVar(&o.json, "json", false, "as JSON")
	flags.BoolVar(&o.markdown, "markdown", false, "as Markdown")
	o.vote.register(flags)
	o.run.register(flags)
	cobra.CheckErr(cmd.MarkFlagRequired("gold"))
	cmd.MarkFlagsMutuallyExclusive("json", "markdown")
	return cmd
}

// concepts is the set that is evaluated on.
func (o *evalFlags) concepts(m *link.Model) (*eval.IDs, error) {
	if o.ids == "" {
		return eval.DictionaryIDs(m.Dictionary), nil
	}
	concepts, err := dictionary.ReadConceptMap(o.ids)
	if err != nil {
		return nil, err
	}
	return eval.NewIDs(concepts), nil
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
		return eval.WriteMarkdown(p.stdout, r)
	}
	return eval.WriteText(p.stdout, r)
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
