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
	seed       uint64
	json       bool
	markdown   bool
	full       bool
	memory     string
	raw        bool // also find the mentions
	components string
	ablate     bool
	linker     linkerFlags

	name           string              // display name, a folder or files; set by check
	fromDictionary bool                // from source; set by check
	options        ctxnorm.LinkOptions // from linker; set by check
	counted        []eval.Policy       // from policies; set by check
	ranking        rival               // from components; set by check
	rivals         []rival             // from baselines; set by check
}

// evalDescription is the description of eval in its help.
const evalDescription = `Links the mentions of annotated files of any format that link reads, and counts how
often a right concept comes first (Acc@1), among the first five and among the first
twenty: over all mentions and by kind of mention, with 95 % intervals over documents. --full,
--json and --markdown also have calibration, thresholds, and how the wrong ones are wrong.

Policies, of which several can be given:

  paper   any gold id is right; mentions outside the dictionary are excluded
  biosyn  every sub-mention of a composite must be right, and any concept of the
          nearest name is; mentions outside the dictionary are excluded
  strict  every sub-mention of a composite must be right; NIL is right for
          mentions outside the dictionary
  all     any gold id is right; NIL is right for mentions outside the dictionary

The model is compared with each linker of --baselines and each file of --compare: difference
in Acc@1, paired bootstrap over documents, McNemar's exact test.

Some components of the ranking are joined by a plus (names+strings+document_abbreviations),
or left out by a minus (all-contexts-document_context):

  names, strings, contexts      compared with the mention
  document_context              words that names share with the document
  hierarchy                     ancestors and descendants; concepts without a name
  corpus_synonyms               synonyms that texts define
  document_abbreviations        abbreviations that the document defines
  corpus_abbreviations          abbreviations that the corpus defines
  composites                    composite mentions, split

There is no probability threshold unless --min-probability sets one, so that Acc@1
compares with published figures.`

func (p *program) evalCommand() *cobra.Command {
	var f evalFlags
	return p.command(command{
		use: "eval", short: "Measure a model, or a dictionary, on annotated documents", long: evalDescription,
		usual: "gold model dict policy baselines compare answers errors gold-types full json markdown",
		examples: `ctxnorm eval --gold gold.jsonl
ctxnorm eval --gold dev.pubtator --gold-types Disease --baselines exact,tfidf
ctxnorm eval --gold gold.jsonl --answers new.jsonl --compare old.jsonl
ctxnorm eval --gold gold.jsonl --dict names.tsv`,
		flags: f.flags(),
		run:   func(cmd *cobra.Command, _ []string) error { return p.eval(cmd, &f) },
	})
}

func (f *evalFlags) flags() [][]flag {
	return [][]flag{f.gold.flags(""), f.source.flags(), {
		{"refined", &f.refined, "in not=raw", "annotated `files` of training and development sets: leave out the mentions that " +
			"stand in them, and then all but the first of those left that are the same"},
		{"policy", &f.policies, "like=@policies default=paper not=raw", "policies of what counts as right: %s"},
		{"hold-out", &f.holdOut, "min=0 below=1 not=raw|memory", "share of the concepts to take out of the model, 0 to below 1 " +
			"(default 0): their mentions are NIL, and the policies strict and all"},
		{"raw", &f.raw, "", "find the mentions in the raw texts of the gold, and measure finding and linking together, by " +
			"precision, recall and F1: by the names of the dictionary, and by the model's recognizer too"},
		{"memory", &f.memory, "not=dict bare=" + besideModel, "apply the corrections in a `folder`; without a value, those beside " +
			"the model"},
		{"corpus", &f.corpus, "not=raw|dict", "corpus `folder` that the model was made from, to search for sentences of the gold " +
			"(default: the contexts kept in the model)"},
		{"baselines", &f.baselines, "like=@baselines not=raw", "other linkers to measure: " + strings.Join(baselineNames, ", ") +
			", or components such as names+hierarchy or all-contexts"},
		{"compare", &f.compare, "in not=raw", "prediction `files` of other runs to compare with"},
		{"answers", &f.answers, "out=last not=raw", "`file` to write the model's predictions to, one line of JSON each"},
		{"errors", &f.errors, "out=last not=raw", "text `file` to write the model's mistakes under the first policy to"},
		{"seed", &f.seed, "default=1", "seed of the bootstrap and of the concepts held out"},
		{"full", &f.full, "not=json|markdown", "print all metrics, slices, failures, thresholds and comparisons"},
		{"json", &f.json, "not=markdown", "print the full report as JSON"},
		{"markdown", &f.markdown, "not=raw", "print the full report as Markdown"},
		{"components", &f.components, "method=calibrated not=raw", "`components` to rank by, whose weights are then learned " +
			"again, such as names+hierarchy, or all-contexts for all but some"},
		{"ablate", &f.ablate, "method=calibrated not=raw", "also measure the ranking without each component, and by each alone"},
	}, f.linker.flags("0")}
}

// check sets the options that flags cannot point to directly, and rejects flags that are wrong or have no effect.
func (f *evalFlags) check(cmd *cobra.Command) (err error) {
	if len(f.gold.files) == 0 {
		return withHint(errors.New("no annotated files to measure on"), "name them with --gold FILE,…")
	}
	if f.holdOut > 0 && !cmd.Flags().Changed("policy") {
		f.policies = []string{"strict", "all"} // the other policies exclude held-out concepts
	}
	// A variable or a setting names the dictionary for training, so only the command line counts.
	f.name, f.fromDictionary = f.source.dir, cmd.Flags().Changed("dict")
	if f.fromDictionary {
		f.name, f.source.dict.options.IDs = f.source.dict.name(), f.gold.ids
	}
	if f.options, err = f.linker.linkOptions(cmd, f.fromDictionary); err != nil {
		return err
	}
	for _, name := range f.policies {
		policy, err := eval.PolicyByName(name)
		if err != nil {
			return fmt.Errorf("--%w", err) // "policy is …, want …"
		}
		f.counted = append(f.counted, policy)
	}
	for _, name := range f.baselines {
		r, err := parseBaseline(name)
		if err != nil {
			return err
		}
		f.rivals = append(f.rivals, r)
	}
	if f.components != "" {
		if f.ranking, err = parseRanking(f.components); err != nil {
			return fmt.Errorf("--components: %w", err)
		}
	}
	return nil
}

// open opens the model. It adds corrections if --memory wants them. With --dict it returns the model made from the
// dictionary.
func (f *evalFlags) open(p *program, cmd *cobra.Command) (*ctxnorm.Model, error) {
	if f.fromDictionary {
		return f.source.open(p, cmd)
	}
	openEncoder, err := ctxnorm.OpenOptions{Encoder: f.source.encoder}.EncoderOpener()
	if err != nil {
		return nil, err
	}
	m, err := model.Open(f.source.dir, openEncoder)
	if err != nil {
		return nil, err
	}
	p.models = append(p.models, m)
	return f.linkers(cmd.Context(), p, m)
}

func (f *evalFlags) linkers(ctx context.Context, p *program, m *model.Model) (*ctxnorm.Model, error) {
	if !f.raw && (f.options.Method.NeedsEncoder() || f.components != "") {
		if err := m.CheckEncoder(); err != nil {
			return nil, linkerError(err, f.options.Method)
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

// printReport writes the report to standard output in the chosen format.
func (p *program) printReport(r *eval.Report, o *evalFlags) error {
	switch {
	case o.json:
		return p.printJSON(r)
	case o.markdown:
		return r.WriteMarkdown(p.stdout)
	case o.full:
		return r.WriteText(p.stdout)
	}
	if err := r.WriteBrief(p.stdout); err != nil {
		return err
	}
	_, err := fmt.Fprintln(p.stdout,
		"\n--full prints all metrics, slices, failures, thresholds and comparisons; --json is for programs.")
	return err
}
