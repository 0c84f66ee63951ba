package main

import (
	"fmt"
	"strconv"
	"strings"

	"ctxnorm/bench/measure"
)

func (s *settings) sizes() measure.Sizes {
	size := measure.NewSize
	return measure.Sizes{
		size("repeats", &s.repeats, 3, 1, "runs at each size; the median is reported"),
		size("records", &s.records, 10_000, 500, "records of PubMed XML at 1x, where -pubmed gives none"),
		size("files", &s.files, 4, 2, "files that they are in"),
		size("texts", &s.texts, 20_000, 2000, "sentences to tag at 1x"),
		size("sentences", &s.sentences, 200, 30, "sentences to link and to evaluate at 1x"),
		size("steps", &s.steps, 8, 2, "steps of training at any size"),
		size("vectors", &s.vectors, 40_000, 3000, "vectors to search exactly at 1x"),
		size("graph", &s.graph, 10_000, 1000, "vectors to make a graph of at 1x"),
		size("dim", &s.dim, 384, 384, "numbers in a vector"),
		size("queries", &s.queries, 200, 100, "vectors to search for"),
	}
}

// shares of the dictionary's names that are encoded beside contexts: a full and a
// quick run.
const (
	fullFraction  = .1
	quickFraction = .02
)

// multiples reads whole numbers of 1 or more, each larger than the one before.
func multiples(list string) ([]int, error) {
	var numbers []int
	for part := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return nil, err
		}
		if n < 1 || len(numbers) > 0 && n <= numbers[len(numbers)-1] {
			return nil, fmt.Errorf("%s: want numbers of 1 or more, each larger than the one before", list)
		}
		numbers = append(numbers, n)
	}
	if len(numbers) < 2 {
		return nil, fmt.Errorf("%s: want two sizes or more", list)
	}
	return numbers, nil
}
