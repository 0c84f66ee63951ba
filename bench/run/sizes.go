package main

import "ctxnorm/bench/measure"

// sizes are how much work there is.
type sizes struct {
	docs      int // records of PubMed XML that are made
	files     int // of them
	rounds    int // how often they come in the files for build-corpus
	names     int // of the wide dictionary
	vectors   int
	dim       int
	queries   int // to search the vectors for
	sentences int // to encode
	pairs     int // a training batch is twice as many sentences
	steps     int // of training, measured
	warmup    int // steps before them
}

func (s *sizes) list() measure.Sizes {
	size := measure.NewSize
	return measure.Sizes{
		size("docs", &s.docs, 40_000, 1500, "records of PubMed XML to make, where -pubmed gives none"),
		size("files", &s.files, 8, 4, "files to make of them"),
		size("build-rounds", &s.rounds, 3, 1, "how often the records come in the files for build-corpus, each time with ids of their own"),
		size("names", &s.names, 400_000, 200_000, "names of the wide dictionary"),
		size("vectors", &s.vectors, 326_575, 5000, "vectors to search"),
		size("dim", &s.dim, 384, 384, "numbers in a vector; to encode, that of the model"),
		size("queries", &s.queries, 1000, 200, "vectors to search for"),
		size("sentences", &s.sentences, 1000, 64, "sentences to encode"),
		size("pairs", &s.pairs, 16, 16, "pairs in a training batch"),
		size("steps", &s.steps, 20, 2, "measured steps of training"),
		size("warmup", &s.warmup, 3, 1, "steps of training before them"),
	}
}
