package main

import "flag"

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

// size is one of them: its flag, and how much of it is a full and a quick run.
type size struct {
	name        string
	value       *int
	full, quick int
	usage       string
}

func (s *sizes) list() []size {
	return []size{
		{"docs", &s.docs, 40_000, 1500, "records of PubMed XML to make, where -pubmed gives none"},
		{"files", &s.files, 8, 4, "files to make of them"},
		{"build-rounds", &s.rounds, 3, 1, "how often the records come in the files for build-corpus, each time with ids of their own"},
		{"names", &s.names, 400_000, 200_000, "names of the wide dictionary"},
		{"vectors", &s.vectors, 326_575, 5000, "vectors to search"},
		{"dim", &s.dim, 384, 384, "numbers in a vector; to encode, that of the model"},
		{"queries", &s.queries, 1000, 200, "vectors to search for"},
		{"sentences", &s.sentences, 1000, 64, "sentences to encode"},
		{"pairs", &s.pairs, 16, 16, "pairs in a training batch"},
		{"steps", &s.steps, 20, 2, "measured steps of training"},
		{"warmup", &s.warmup, 3, 1, "steps of training before them"},
	}
}

func (s *sizes) register(flags *flag.FlagSet) {
	for _, size := range s.list() {
		flags.IntVar(size.value, size.name, size.full, size.usage)
	}
}

// shrink makes a quick run of it, but for the sizes that were given.
func (s *sizes) shrink(given map[string]bool) {
	for _, size := range s.list() {
		if !given[size.name] {
			*size.value = size.quick
		}
	}
}
