package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm/papers/bne/termeval"
)

// similarityRow is the result of one file of pairs.
type similarityRow struct {
	File string `json:"file"`
	termeval.Similarity
}

func (p *program) evalSimilarityCommand() *cobra.Command {
	var (
		vectors termVectorFlags
		asJSON  bool
	)
	cmd := &cobra.Command{
		Use:   "similarity FILE…",
		Short: "Compare the similarity of terms with people's judgments",
		Long: `Reads lines of two terms and a score, separated by tabs, such as UMNSRS and MayoSRS,
and prints Spearman's rank correlation of the scores with the cosines of the terms'
vectors: the mean of the vectors of a term's words (--word-vectors), or the vector of an
encoder (--encoder-folder, such as model/encoder). Pairs with a term that has no vector do not count.`,
		Args: atLeast(1, "files of term pairs"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := vectors.check(); err != nil {
				return err
			}
			pairs := make([][]termeval.Pair, len(args))
			for i, path := range args {
				var err error
				if pairs[i], err = termeval.ReadPairs(path, p.limits); err != nil {
					return err
				}
			}
			vector, err := vectors.of(cmd.Context(), p, termeval.Terms(pairs...))
			if err != nil {
				return err
			}
			rows := make([]similarityRow, len(args))
			for i, path := range args {
				rows[i] = similarityRow{filepath.Base(path), termeval.NewSimilarity(pairs[i], vector)}
			}
			if asJSON {
				return p.printJSON(rows)
			}
			t := newTable(p.stdout)
			fmt.Fprintf(t, "file\tSpearman\tpairs\n")
			for _, row := range rows {
				spearman := "-"
				if row.Defined {
					spearman = fmt.Sprintf("%.3f", row.Spearman)
				}
				fmt.Fprintf(t, "%s\t%s\t%d/%d\n", row.File, spearman, row.Compared, row.Pairs)
			}
			return t.Flush()
		},
	}
	flags := cmd.Flags()
	vectors.register(flags)
	flags.BoolVar(&asJSON, "json", false, "print the result as JSON")
	return cmd
}
