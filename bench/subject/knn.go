package main

import (
	"context"
	"fmt"
	"maps"
	"math/rand"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/coder/hnsw"

	"github.com/ctxnorm/ctxnorm/bench/harness"
	"github.com/ctxnorm/ctxnorm/knnindex"
)

const (
	linksPerRow    = 16  // M of all graphs
	efConstruction = 200 // candidates per inserted row
	neighbors      = 15  // that are searched for
	singleQueries  = 200 // asked one at a time
)

// index searches for the neighbors of a query; ef is the width of the search in a graph.
type index struct {
	search func(query []float32, ef int) []knnindex.Hit
	batch  func(queries []float32) ([][]knnindex.Hit, error) // for several queries; nil to search one by one
}

// engines build the kinds of index.
var engines = map[string]func(v *knnindex.Vectors) index{"flat": buildFlat, "hnsw": buildHNSW, "coder-hnsw": buildCoder}

func buildFlat(v *knnindex.Vectors) index {
	flat := knnindex.NewFlat(v)
	return index{
		search: func(query []float32, _ int) []knnindex.Hit { return flat.Search(nil, query, neighbors) },
		batch: func(queries []float32) ([][]knnindex.Hit, error) {
			return flat.SearchBatch(context.Background(), queries, neighbors, 0)
		},
	}
}

func buildHNSW(v *knnindex.Vectors) index {
	graph := harness.Get(knnindex.BuildHNSW(context.Background(), v,
		knnindex.HNSWOptions{M: linksPerRow, EfConstruction: efConstruction}))
	return index{search: func(query []float32, ef int) []knnindex.Hit { return graph.SearchEf(nil, query, neighbors, ef) }}
}

// buildCoder builds a graph of github.com/coder/hnsw, which a Go user finds first. It
// panics on some input, which is an error here.
func buildCoder(v *knnindex.Vectors) index {
	defer func() {
		cause := recover()
		harness.Require(cause == nil, "coder/hnsw: panic: %v", cause)
	}()
	graph := hnsw.NewGraph[int32]()
	graph.Rng = rand.New(rand.NewSource(1))
	graph.M = linksPerRow
	for i := range v.Len() {
		graph.Add(hnsw.MakeNode(int32(i), v.Row(i)))
	}
	return index{search: func(query []float32, ef int) (hits []knnindex.Hit) {
		graph.EfSearch = ef
		for _, node := range graph.Search(query, neighbors) {
			hits = append(hits, knnindex.Hit{Row: node.Key})
		}
		return hits
	}}
}

// searchVectors is the job of peer_knn.py: a line of recall and times for each ef. FAISS has found the exact neighbors.
func searchVectors(o *options) {
	build, ok := engines[o.Engine]
	harness.Require(ok, "-engine is %q, want flat, hnsw or coder-hnsw", o.Engine)
	open := func(name string) *knnindex.Vectors { return harness.Get(knnindex.OpenNPY(filepath.Join(o.Dir, name))) }
	vectors, queries, exact := open("vectors.npy"), open("queries.npy"), open(fmt.Sprintf("exact_k%d.npy", neighbors))
	built := line{"vectors": vectors.Len(), "dim": queries.Dim, "queries": queries.Len(), "k": exact.Dim}
	var x index
	built.measure("build_", func() { x = build(vectors) })
	for field := range strings.SplitSeq(o.Ef, ",") {
		ef := harness.Get(strconv.Atoi(field))
		l := maps.Clone(built)
		if o.Engine != "flat" {
			l["M"], l["efc"], l["ef"] = linksPerRow, efConstruction, ef
		}
		l.search(x, queries, exact, ef)
		l.print()
	}
}

// search adds the times of queries one at a time and together, and how many of the exact neighbors are found.
func (l line) search(x index, queries, exact *knnindex.Vectors, ef int) {
	x.search(queries.Row(0), ef) // the first search allocates scratch space
	var single []float64
	for i := range min(singleQueries, queries.Len()) {
		watch := start()
		x.search(queries.Row(i), ef)
		single = append(single, 1000*watch.seconds())
	}
	l["single_ms_median"] = harness.SpreadOf(single).Median
	watch := start()
	found := make([][]knnindex.Hit, queries.Len())
	if x.batch != nil {
		found = harness.Get(x.batch(queries.Data))
	} else {
		for i := range found {
			found[i] = x.search(queries.Row(i), ef)
		}
	}
	l["batched_ms_per_query"], l["recall"] = 1000*watch.seconds()/float64(queries.Len()), recall(found, exact)
}

// recall returns the share of the exact neighbors that were found.
func recall(found [][]knnindex.Hit, exact *knnindex.Vectors) float64 {
	right := 0
	for i, hits := range found {
		for _, hit := range hits {
			if slices.Contains(exact.Row(i), float32(hit.Row)) {
				right++
			}
		}
	}
	return float64(right) / float64(len(found)*exact.Dim)
}
