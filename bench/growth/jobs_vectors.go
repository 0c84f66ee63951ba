package main

import (
	"fmt"

	"ctxnorm/bench/measure"
)

// efSearch is the width of the search of a graph.
const efSearch = 100

// byVectors are searches of vectors that are made, exact and in a graph.
func (s *settings) byVectors() []*job {
	query := figure{Name: "one query", Field: "single_ms_median", Unit: "ms", Scale: 1e-3}
	exact := &job{name: searchExact, by: "vectors", same: fmt.Sprintf("%d numbers in each", s.dim), inner: true,
		extra: []figure{query, {Name: "in a batch", Field: "batched_ms_per_query", Unit: "ms", Scale: 1e-3}}}
	graph := &job{name: searchGraph, by: "vectors", same: exact.same, inner: true,
		extra: []figure{query, {Name: "build", Field: "build_seconds", Unit: "s", Scale: 1},
			{Name: "memory over the vectors", Field: "overhead_mb", Unit: "MB"},
			{Name: "recall@15", Field: "recall"}}}
	for _, times := range s.times {
		exact.runs = append(exact.runs, s.search(times*s.vectors, "flat"))
		graph.runs = append(graph.runs, s.search(times*s.graph, "hnsw", "--ef", fmt.Sprint(efSearch)))
	}
	return []*job{exact, graph}
}

// search is a run of ours knn.
func (s *settings) search(vectors int, engine string, args ...string) *oneRun {
	in := measure.NewInput(s.work, "vectors", "", func(out string) []string {
		return []string{s.self, "vectors", "--out", out, "--vectors", fmt.Sprint(vectors),
			"--queries", fmt.Sprint(s.queries), "--dim", fmt.Sprint(s.dim)}
	})
	args = append([]string{s.ours, "knn", "--dir", in.Path, "--engine", engine}, args...)
	return &oneRun{n: float64(vectors), command: measure.Command{Args: args, Threads: s.threads},
		inputs: []*measure.Input{in}, read: knnLine}
}
