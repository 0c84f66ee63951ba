package main

import (
	"context"
	"errors"

	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/papers/bne/termeval"
	"github.com/ctxnorm/ctxnorm/papers/bne/wordvec"
	"github.com/ctxnorm/ctxnorm/text"
)

// termVectorFlags choose the word vectors or the encoder that a command takes the vectors of terms from.
type termVectorFlags struct {
	words, encoder string // folders, one of which is given
	run            ctxnorm.EncoderOptions
}

func (f *termVectorFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.words, "word-vectors", "", "`folder` of word vectors, from word-vectors train")
	flags.StringVar(&f.encoder, "encoder-folder", "", "`folder` of an encoder")
	registerEncoder(flags, &f.run)
}

func (f *termVectorFlags) check() error {
	if (f.words == "") == (f.encoder == "") {
		return errors.New("want --word-vectors or --encoder-folder, one of them")
	}
	return nil
}

// of returns the vectors of terms, which are distinct: the mean of the vectors of a term's words, or the vector
// of the encoder. A long run shows its progress.
func (f *termVectorFlags) of(ctx context.Context, p *program, terms []string) (termeval.Vector, error) {
	if f.words != "" {
		v, err := wordvec.Open(f.words)
		if err != nil {
			return nil, err
		}
		return func(term string) []float32 {
			mean, _ := v.Mean(wordvec.Words(term))
			return mean
		}, nil
	}
	encoder, err := ctxnorm.OpenEncoder(f.encoder, f.run)
	if err != nil {
		return nil, err
	}
	if closer, ok := encoder.(interface{ Close() error }); ok {
		defer closer.Close()
	}
	rows := make(map[string]int, len(terms))
	queries := make([]text.Query, len(terms))
	for i, term := range terms {
		rows[term], queries[i] = i, text.NameExemplar(term).Query
	}
	dim := encoder.Dim()
	vectors := make([]float32, len(queries)*dim)
	bar := p.bar("encode", "terms")
	defer bar.finish()
	const chunk = 4096 // terms between two reports
	for start := 0; start < len(queries); start += chunk {
		end := min(start+chunk, len(queries))
		if err := encoder.Encode(ctx, vectors[start*dim:end*dim], queries[start:end]); err != nil {
			return nil, err
		}
		bar.set(int64(end), int64(len(queries)), "")
	}
	return func(term string) []float32 {
		row, known := rows[term]
		if !known {
			return nil
		}
		return vectors[row*dim : (row+1)*dim]
	}, nil
}
