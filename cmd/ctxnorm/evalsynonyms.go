package main

import (
	"errors"
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/papers/bne/termeval"
)

// synonymsResult is what eval synonyms prints.
type synonymsResult struct {
	Dictionary string `json:"dictionary"` // hash
	*termeval.SynonymReport
}

func (p *program) evalSynonymsCommand() *cobra.Command {
	var (
		dictionary           dictionaryFlags
		vectors              termVectorFlags
		goldFiles, goldTypes []string
		o                    termeval.SynonymOptions
		asJSON               bool
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
			if len(o.Ks) == 0 || slices.Min(o.Ks) < 1 {
				return fmt.Errorf("--k is %d, want numbers of 1 or more", o.Ks)
			}
			for _, flag := range []struct {
				name  string
				value int
			}{{"concepts", o.Concepts}, {"candidate-concepts", o.CandidateConcepts}} {
				if flag.value < 1 {
					return fmt.Errorf("--%s is %d, want 1 or more", flag.name, flag.value)
				}
			}
			dict, err := dictionary.open(p)
			if err != nil {
				return err
			}
			var gold *eval.Gold
			if len(goldFiles) > 0 {
				if gold, err = eval.ReadGold(goldFiles, goldTypes, eval.DictionaryConceptSet(dict),
					p.limits); err != nil {
					return err
				}
				p.warnGold(gold)
			}
			vectorsOf := func(terms []string) (termeval.Vector, error) { return vectors.of(cmd.Context(), p, terms) }
			report, err := termeval.MeasureSynonyms(cmd.Context(), model.NameExemplars(dict), gold, vectorsOf, o)
			if errors.Is(err, termeval.ErrNoSynonyms) {
				return fmt.Errorf("%s: %w", dictionary.name(), err)
			}
			if err != nil {
				return err
			}
			result := synonymsResult{dict.Hash(), report}
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
	flags.IntSliceVar(&o.Ks, "neighbors", []int{1, 5, 10, 20}, "numbers of nearest names, joined by commas")
	flags.IntVar(&o.Concepts, "concepts", 1000, "number of concepts whose names are compared, sampled by hash from "+
		"those with two names")
	flags.IntVar(&o.CandidateConcepts, "candidate-concepts", 20,
		"number of concepts whose names are candidates of a mention")
	flags.Uint64Var(&o.Seed, "seed", 1, "seed of every random choice")
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
