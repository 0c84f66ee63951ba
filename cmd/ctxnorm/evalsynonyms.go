package main

import (
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/papers/bne/termeval"
	"github.com/ctxnorm/ctxnorm/papers/bne/wordvec"
)

// synonymsResult is what eval synonyms prints.
type synonymsResult struct {
	Dictionary string        `json:"dictionary"` // hash
	Seed       uint64        `json:"seed"`
	Names      int           `json:"names"`    // whose neighbors are searched
	Concepts   int           `json:"concepts"` // that were asked for
	Metrics    []eval.Metric `json:"metrics"`
}

func (p *program) evalSynonymsCommand() *cobra.Command {
	var (
		dictionary                  dictionaryFlags
		vectors                     termVectorFlags
		goldFiles, goldTypes        []string
		ks                          []int
		concepts, candidateConcepts int
		seed                        uint64
		asJSON                      bool
	)
	cmd := &cobra.Command{
		Use:   "synonyms",
		Short: "Measure how near the vectors of synonyms are",
		Long: `Measures vectors of names as the BNE paper does, by the names of a dictionary.

Mean coverage at k is the share of a name's synonyms that are among its k nearest names by
cosine, of the names of --concepts concepts (section 4.1). An encoder should not have been
trained on these concepts: leave them out with train --without-ids, or take another
dictionary.

With --gold also the mean average precision (MAP) of synonym retrieval (section 4.2): the names of
the --candidate-concepts concepts with the names most similar to a mention by BM25 are
ranked by their cosine with the mention, and those of its concepts are relevant.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := vectors.check(); err != nil {
				return err
			}
			if len(ks) == 0 || slices.Min(ks) < 1 {
				return fmt.Errorf("--k is %d, want numbers of 1 or more", ks)
			}
			for _, flag := range []struct {
				name  string
				value int
			}{{"concepts", concepts}, {"candidate-concepts", candidateConcepts}} {
				if flag.value < 1 {
					return fmt.Errorf("--%s is %d, want 1 or more", flag.name, flag.value)
				}
			}
			dict, err := dictionary.open(p)
			if err != nil {
				return err
			}
			names := model.NameExemplars(dict)
			sample := termeval.SampleSynonyms(names, concepts, seed)
			if len(sample) == 0 {
				return fmt.Errorf("%s: no concept has two names", dictionary.name())
			}
			terms := make([]string, len(sample))
			for i := range sample {
				terms[i] = sample[i].Surface()
			}
			var gold *eval.Gold
			var candidates *termeval.Candidates
			if len(goldFiles) > 0 {
				if gold, err = eval.ReadGold(goldFiles, goldTypes, eval.DictionaryConceptSet(dict), p.limits); err != nil {
					return err
				}
				p.warnGold(gold)
				candidates = termeval.NewCandidates(names, candidateConcepts, wordvec.Words)
				terms = append(terms, candidates.Terms(gold)...)
			}
			slices.Sort(terms)
			vector, err := vectors.of(cmd.Context(), p, slices.Compact(terms))
			if err != nil {
				return err
			}
			result := synonymsResult{Dictionary: dict.Hash(), Seed: seed, Names: len(sample), Concepts: concepts}
			if result.Metrics, err = termeval.MeanCoverage(cmd.Context(), sample, vector, ks, seed); err != nil {
				return err
			}
			if gold != nil {
				result.Metrics = append(result.Metrics, termeval.MeanAveragePrecision(gold, candidates, vector, seed))
			}
			if asJSON {
				return p.printJSON(result)
			}
			return p.printSynonymMetrics(result)
		},
	}
	flags := cmd.Flags()
	dictionary.register(flags)
	vectors.register(flags)
	flags.StringSliceVar(&goldFiles, "gold", nil, "annotated `files`, joined by commas, in a format that link reads")
	flags.StringSliceVar(&goldTypes, "gold-types", nil, "entity types of the annotations to use (default: all)")
	flags.IntSliceVar(&ks, "k", []int{1, 5, 10, 20}, "numbers of nearest names, joined by commas")
	flags.IntVar(&concepts, "concepts", 1000, "number of concepts whose names are compared, sampled by hash from those with two names")
	flags.IntVar(&candidateConcepts, "candidate-concepts", 20, "number of concepts whose names are candidates of a mention")
	flags.Uint64Var(&seed, "seed", 1, "seed of every random choice")
	flags.BoolVar(&asJSON, "json", false, "print the result as JSON")
	return cmd
}

func (p *program) printSynonymMetrics(result synonymsResult) error {
	t := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "dictionary\t%s\nnames\t%d\nseed\t%d\n", result.Dictionary, result.Names, result.Seed)
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(p.stdout)
	fmt.Fprintf(t, "metric\tvalue\t\t95 %% interval\n")
	for _, m := range result.Metrics {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", m.Name, eval.Decimals(m.Value), m.Fraction(), m.Interval())
	}
	return t.Flush()
}
