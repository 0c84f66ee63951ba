package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/papers/bne/termeval"
)

// synonymsResult is what eval synonyms prints.
type synonymsResult struct {
	Dictionary string `json:"dictionary"` // hash
	*termeval.SynonymReport
}

// synonymMeasurement is a run of eval synonyms.
type synonymMeasurement struct {
	p                    *program
	dictionary           dictionaryFlags
	vectors              termVectorFlags
	goldFiles, goldTypes []string
	options              termeval.SynonymOptions
	asJSON               bool
}

func (p *program) evalSynonymsCommand() *cobra.Command {
	s := synonymMeasurement{p: p}
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
		RunE: s.run,
	}
	s.register(cmd.Flags())
	return cmd
}

func (s *synonymMeasurement) register(flags *pflag.FlagSet) {
	s.dictionary.register(flags)
	s.vectors.register(flags)
	flags.StringSliceVar(&s.goldFiles, "gold", nil, "annotated `files`, joined by commas, in a format that link reads")
	flags.StringSliceVar(&s.goldTypes, "gold-types", nil, "entity types of the annotations to use (default: all)")
	o := &s.options
	flags.IntSliceVar(&o.Ks, "neighbors", []int{1, 5, 10, 20}, "numbers of nearest names, joined by commas")
	flags.IntVar(&o.Concepts, "concepts", 1000, "number of concepts whose names are compared, sampled by hash from "+
		"those with two names")
	flags.IntVar(&o.CandidateConcepts, "candidate-concepts", 20,
		"number of concepts whose names are candidates of a mention")
	flags.Uint64Var(&o.Seed, "seed", 1, "seed of every random choice")
	flags.BoolVar(&s.asJSON, "json", false, "print the result as JSON")
}

func (s *synonymMeasurement) check() error {
	if err := s.vectors.check(); err != nil {
		return err
	}
	o := &s.options
	switch {
	case len(o.Ks) == 0 || slices.Min(o.Ks) < 1:
		return fmt.Errorf("--neighbors is %d, want numbers of 1 or more", o.Ks)
	case o.Concepts < 1:
		return fmt.Errorf("--concepts is %d, want 1 or more", o.Concepts)
	case o.CandidateConcepts < 1:
		return fmt.Errorf("--candidate-concepts is %d, want 1 or more", o.CandidateConcepts)
	}
	return nil
}

func (s *synonymMeasurement) run(cmd *cobra.Command, _ []string) error {
	if err := s.check(); err != nil {
		return err
	}
	dict, err := s.dictionary.open(s.p)
	if err != nil {
		return err
	}
	var gold *eval.Gold
	if len(s.goldFiles) > 0 {
		gold, err = eval.ReadGold(s.goldFiles, s.goldTypes, eval.DictionaryConceptSet(dict), s.p.limits)
		if err != nil {
			return err
		}
		s.p.warnGold(gold)
	}
	ctx := cmd.Context()
	vectorsOf := func(terms []string) (termeval.Vector, error) { return s.vectors.of(ctx, s.p, terms) }
	report, err := termeval.MeasureSynonyms(ctx, model.NameExemplars(dict), gold, vectorsOf, s.options)
	if errors.Is(err, termeval.ErrNoSynonyms) {
		return fmt.Errorf("%s: %w", s.dictionary.name(), err)
	}
	if err != nil {
		return err
	}
	result := synonymsResult{dict.Hash(), report}
	if s.asJSON {
		return s.p.printJSON(result)
	}
	return s.p.printSynonymMetrics(result)
}

func (p *program) printSynonymMetrics(result synonymsResult) error {
	t := newTable(p.stdout)
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
