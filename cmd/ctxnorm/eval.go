package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/report"
	"github.com/ctxnorm/ctxnorm/papers"
)

// evalFlags are the flags of eval.
type evalFlags struct {
	gold       goldFlags
	refined    []string
	policies   []string
	holdOut    float64
	source     modelFlags
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

	fromDictionary bool                // from source, by check
	options        ctxnorm.LinkOptions // from linker, by check
	counted        []eval.Policy       // of policies, by check
}

// evalDescription says in the help of eval what it does.
const evalDescription = `Links the mentions of annotated files of any format that link reads, and counts how
often a right concept comes first (Acc@1), among the first five and among the first
twenty: over all mentions and by kind of mention, with numerators, denominators and
95 % intervals over documents. It also counts how the wrong ones are wrong.

It prints what matters most in about 20 lines; --full prints everything.

With --dict it measures linking by strings to a dictionary, without a model.

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
right if all its mentions are. Gold whose mentions have a "sense" is also measured by the
number of records that define it.

There is no probability threshold unless --min-probability sets one, so that Acc@1
compares with published figures.`

func (p *program) evalCommand() *cobra.Command {
	var f evalFlags
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "Measure a model, or a dictionary, on annotated documents",
		Long:  evalDescription,
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(cmd); err != nil {
				return err
			}
			if f.raw {
				return p.evalRaw(cmd, &f)
			}
			return p.eval(cmd, &f)
		},
	}
	f.register(cmd)
	return cmd
}

func (f *evalFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	f.gold.register(flags)
	flags.StringSliceVar(&f.refined, "refined", nil,
		"annotated `files` of training and development sets: leave out the mentions that stand in them, and then all "+
			"but the first of those left that are the same")
	flags.StringSliceVar(&f.policies, "policy", []string{"paper"},
		"policies of what counts as right: paper, biosyn, strict, all")
	flags.Float64Var(&f.holdOut, "hold-out", 0, "share of the concepts to take out of the model, 0 to below 1 "+
		"(default 0)")
	flags.BoolVar(&f.outside, "out-of-dictionary", false,
		"also choose thresholds of the distance beyond which a mention is NIL, on 100 mentions of the gold, and "+
			"measure them on the others, 20 times (method nearest)")
	f.source.registerWhole(flags)
	flags.BoolVar(&f.raw, "raw", false, "find the mentions in the raw texts of the gold, and measure finding and "+
		"linking together: by the names of the dictionary, and by the model's recognizer too")
	registerMemory(flags, &f.memory, true,
		"apply the corrections in a `folder`; without a value, those beside the model")
	flags.StringVar(&f.corpus, "corpus", "", "corpus `folder` that the model was made from, to search for sentences "+
		"of the gold (default: the contexts kept in the model)")
	flags.StringSliceVar(&f.baselines, "baselines", nil, "other linkers to measure: "+strings.Join(baselineNames, ", ")+
		", or components such as names+hierarchy or all-contexts")
	flags.StringSliceVar(&f.compare, "compare", nil, "prediction `files` of other runs to compare with")
	flags.StringVar(&f.answers, "answers", "", "`file` to write the model's predictions to, one line of JSON each")
	flags.StringVar(&f.errors, "errors", "", "text `file` to write the model's mistakes under the first policy to")
	flags.StringVar(&f.plots, "plots", "", "`folder` for the plots reliability and risk_coverage, each as PNG and SVG (first "+
		"policy, at most six linkers)")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of the bootstrap and of the concepts held out")
	flags.BoolVar(&f.full, "full", false, "print all metrics, slices, failures, thresholds and comparisons")
	flags.BoolVar(&f.json, "json", false, "print the full report as JSON")
	flags.BoolVar(&f.markdown, "markdown", false, "print the full report as Markdown")
	f.components.register(cmd)
	f.linker.register(flags, "0")
}

// check sets the options that no flag points into, and refuses flags that are wrong or have no effect.
func (f *evalFlags) check(cmd *cobra.Command) error {
	if len(f.gold.files) == 0 {
		return withHint(errors.New("no annotated files to measure on"), "name them with --gold FILE,…")
	}
	for _, pair := range [][2]string{
		{"json", "markdown"}, {"full", "json"}, {"full", "markdown"}, // json and markdown have everything
		{"without", "only"}, {"memory", "hold-out"}, {"dict", "memory"}, {"dict", "corpus"},
	} {
		if err := notBoth(cmd, pair[0], pair[1]); err != nil {
			return err
		}
	}
	if (f.holdOut > 0 || f.outside) && !cmd.Flags().Changed("policy") {
		f.policies = []string{"strict", "all"} // the others exclude what is held out
	}
	// A variable or a setting names the dictionary that models are made from.
	if f.fromDictionary = cmd.Flags().Changed("dict"); f.fromDictionary {
		f.source.dict.options.IDs = f.gold.ids
		if !cmd.Flags().Changed("method") {
			f.linker.options.Method = ctxnorm.MethodLexical
		}
	}
	if err := f.components.check(f.linker.options.Method); err != nil {
		return err
	}
	var err error
	if f.options, err = f.linker.linkOptions(cmd); err != nil {
		return err
	}
	if f.raw {
		for _, other := range notRaw {
			if err := notBoth(cmd, "raw", other); err != nil {
				return err
			}
		}
		return nil
	}
	if f.outside && (f.options.Method != ctxnorm.MethodNearest || f.components.given()) {
		return errors.New("--out-of-dictionary has an effect only with --method nearest, whose scores are distances")
	}
	for _, name := range f.policies {
		policy, err := eval.PolicyByName(name)
		if err != nil {
			return fmt.Errorf("--%w", err) // "policy is …, want …"
		}
		f.counted = append(f.counted, policy)
	}
	if !(f.holdOut >= 0 && f.holdOut < 1) { // NaN too
		return fmt.Errorf("--hold-out is %g, want 0 or more and less than 1", f.holdOut)
	}
	for _, name := range f.baselines {
		if err := checkBaselineName(name); err != nil {
			return err
		}
	}
	return f.checkPlots()
}

// checkPlots refuses --plots with a method that returns no probabilities.
func (f *evalFlags) checkPlots() error {
	// With --without and --only the ranking is measured, which returns probabilities.
	method, _ := papers.MethodOf(string(f.options.Method))
	if f.plots != "" && !method.Probabilities && !f.components.given() {
		return plotsError("model: " + method.Name)
	}
	return nil
}

// open returns the model in the folder, which the caller closes, and its linkers: with the corrections, if they are
// asked for. Of a dictionary it returns one that has nothing else.
func (f *evalFlags) open(p *program, cmd *cobra.Command) (*model.Model, *ctxnorm.Model, error) {
	if f.fromDictionary {
		linkers, _, err := f.source.open(p, cmd)
		if err != nil {
			return nil, nil, err
		}
		return linkers.Stored(), linkers, nil
	}
	if err := f.source.dict.checkUnused(cmd); err != nil {
		return nil, nil, err
	}
	m, err := openModel(f.source.dir, f.source.encoder.Encoder)
	if err != nil {
		return nil, nil, err
	}
	linkers, err := f.linkers(cmd.Context(), p, m)
	if err != nil {
		return nil, nil, errors.Join(err, m.Close())
	}
	return m, linkers, nil
}

// name returns what is measured, for the report: a folder, or files.
func (f *evalFlags) name() string {
	if f.fromDictionary {
		return f.source.dict.name()
	}
	return f.source.dir
}

// dir returns the folder of the model that is measured, or nothing for a dictionary.
func (f *evalFlags) dir() string {
	if f.fromDictionary {
		return ""
	}
	return f.source.dir
}

func (f *evalFlags) linkers(ctx context.Context, p *program, m *model.Model) (*ctxnorm.Model, error) {
	if !f.raw && (f.options.Method.NeedsEncoder() || f.components.given()) {
		if err := m.CheckEncoder(); err != nil {
			return nil, linkHint(err, f.options.Method)
		}
	}
	p.logLeftOut(m.CheckEncoder() != nil)
	if m.Vectors != nil && !f.raw {
		m.Vectors.Encoder = model.Memoize(m.Vectors.Encoder) // all linkers encode the same mentions
	}
	if folder := memoryFolder(f.memory, f.source.dir); folder != "" {
		return p.withMemory(ctx, m, folder)
	}
	return ctxnorm.NewModel(m), nil
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
	if err := report.WriteBrief(p.stdout, r); err != nil {
		return err
	}
	_, err := fmt.Fprintln(p.stdout,
		"\n--full prints all metrics, slices, failures, thresholds and comparisons; --json is for programs.")
	return err
}
