package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/wordvec"
)

// similarityRow is the result of one file of pairs.
type similarityRow struct {
	File string `json:"file"`
	eval.Similarity
}

func (p *program) evalSimilarityCommand() *cobra.Command {
	var (
		vectorsDir, encoderDir string
		run                    ctxnorm.EncoderOptions
		asJSON                 bool
	)
	cmd := &cobra.Command{
		Use:   "similarity FILE…",
		Short: "Compare the similarity of terms with people's judgments",
		Long: `Reads lines of two terms and a score, separated by tabs, such as UMNSRS and MayoSRS,
and prints Spearman's rank correlation of the scores with the cosines of the terms'
vectors: the mean of the vectors of a term's words (--word-vectors), or the vector of an
encoder (--encoder, such as model/encoder). Pairs with a term that has no vector do not count.`,
		Args: atLeast(1, "files of term pairs"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if (vectorsDir == "") == (encoderDir == "") {
				return errors.New("want --word-vectors or --encoder, one of them")
			}
			pairs := make([][]eval.TermPair, len(args))
			for i, path := range args {
				var err error
				if pairs[i], err = eval.ReadTermPairs(path, p.limits); err != nil {
					return err
				}
			}
			vector, err := termVectors(cmd.Context(), vectorsDir, encoderDir, run, pairs)
			if err != nil {
				return err
			}
			rows := make([]similarityRow, len(args))
			for i, path := range args {
				rows[i] = similarityRow{filepath.Base(path), eval.NewSimilarity(pairs[i], vector)}
			}
			if asJSON {
				return p.printJSON(rows)
			}
			t := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
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
	flags.StringVar(&vectorsDir, "word-vectors", "", "`folder` of word vectors, from word-vectors train")
	flags.StringVar(&encoderDir, "encoder", "", "`folder` of an encoder")
	registerEncoder(flags, &run)
	flags.BoolVar(&asJSON, "json", false, "print the result as JSON")
	return cmd
}

// termVectors returns a function that returns the vector of a term of pairs.
func termVectors(ctx context.Context, vectorsDir, encoderDir string, run ctxnorm.EncoderOptions, pairs [][]eval.TermPair) (func(string) []float32, error) {
	if vectorsDir != "" {
		v, err := wordvec.Open(vectorsDir)
		if err != nil {
			return nil, err
		}
		return func(term string) []float32 {
			mean, _ := v.Mean(wordvec.Words(term))
			return mean
		}, nil
	}
	encoder, err := ctxnorm.OpenEncoder(encoderDir, run)
	if err != nil {
		return nil, err
	}
	if closer, ok := encoder.(interface{ Close() error }); ok {
		defer closer.Close()
	}
	var queries []text.Query
	rows := make(map[string]int)
	for _, file := range pairs {
		for _, pair := range file {
			for _, term := range []string{pair.A, pair.B} {
				if _, known := rows[term]; !known {
					rows[term] = len(queries)
					queries = append(queries, text.NameExemplar(term).Query)
				}
			}
		}
	}
	vectors := make([]float32, len(queries)*encoder.Dim())
	if err := encoder.Encode(ctx, vectors, queries); err != nil {
		return nil, err
	}
	return func(term string) []float32 {
		row := rows[term]
		return vectors[row*encoder.Dim() : (row+1)*encoder.Dim()]
	}, nil
}
