package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

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
var engines = map[string]func(v *knnindex.Vectors) (index, error){"flat": buildFlat, "hnsw": buildHNSW, "coder-hnsw": buildCoder}

func buildFlat(v *knnindex.Vectors) (index, error) {
	flat := knnindex.NewFlat(v)
	return index{
		search: func(query []float32, _ int) []knnindex.Hit { return flat.Search(nil, query, neighbors) },
		batch: func(queries []float32) ([][]knnindex.Hit, error) {
			return flat.SearchBatch(context.Background(), queries, neighbors, 0)
		},
	}, nil
}

func buildHNSW(v *knnindex.Vectors) (index, error) {
	graph, err := knnindex.BuildHNSW(context.Background(), v,
		knnindex.HNSWOptions{M: linksPerRow, EfConstruction: efConstruction})
	return index{search: func(query []float32, ef int) []knnindex.Hit { return graph.SearchEf(nil, query, neighbors, ef) }}, err
}

// buildCoder builds a graph of github.com/coder/hnsw, which a Go user finds first. It
// panics on some input, which is an error here.
func buildCoder(v *knnindex.Vectors) (_ index, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("coder/hnsw: panic: %v", r)
		}
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
	}}, nil
}

// searchVectors is the job of peer_knn.py: a line of recall and times for each ef.
func searchVectors(o *options) ([]line, error) {
	build, ok := engines[o.Engine]
	if !ok {
		return nil, fmt.Errorf("--engine is %q, want flat, hnsw or coder-hnsw", o.Engine)
	}
	vectors, err := knnindex.OpenNPY(filepath.Join(o.Dir, "vectors.npy"))
	if err != nil {
		return nil, err
	}
	queries, err := knnindex.OpenNPY(filepath.Join(o.Dir, "queries.npy"))
	if err != nil {
		return nil, err
	}
	built := line{"engine": o.Engine, "versions": versions("github.com/coder/hnsw"), "vectors": vectors.Len(), "dim": queries.Dim, "queries": queries.Len(), "k": neighbors}
	var x index
	if _, err = built.measure("build_", func() error { x, err = build(vectors); return err }); err != nil {
		return nil, err
	}
	exact, err := exactNeighbors(o.Dir, vectors, queries)
	if err != nil {
		return nil, err
	}
	var lines []line
	for field := range strings.SplitSeq(o.Ef, ",") {
		ef, err := strconv.Atoi(field)
		if err != nil {
			return nil, fmt.Errorf("--ef: %w", err)
		}
		l := maps.Clone(built)
		if o.Engine != "flat" {
			l["M"], l["efc"], l["ef"] = linksPerRow, efConstruction, ef
		}
		if err := l.search(x, queries, exact, ef); err != nil {
			return nil, err
		}
		lines = append(lines, l)
	}
	return lines, nil
}

// search adds the times of queries one at a time and together, and how many of the exact neighbors are found.
func (l line) search(x index, queries, exact *knnindex.Vectors, ef int) (err error) {
	x.search(queries.Row(0), ef) // the first search allocates scratch space
	var single []float64
	for i := range min(singleQueries, queries.Len()) {
		began := time.Now()
		x.search(queries.Row(i), ef)
		single = append(single, float64(time.Since(began).Nanoseconds())/1e6)
	}
	l["single_ms_median"] = harness.SpreadOf(single).Median
	watch := start()
	found := make([][]knnindex.Hit, queries.Len())
	if x.batch != nil {
		found, err = x.batch(queries.Data)
	} else {
		for i := range found {
			found[i] = x.search(queries.Row(i), ef)
		}
	}
	l["batched_ms_per_query"], l["recall"] = 1000*watch.seconds()/float64(queries.Len()), recall(found, exact)
	return err
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

// exactNeighbors returns the nearest rows of every query. It reads those
// that FAISS found, and searches if there are none.
func exactNeighbors(dir string, vectors, queries *knnindex.Vectors) (*knnindex.Vectors, error) {
	path := filepath.Join(dir, fmt.Sprintf("exact_k%d.npy", neighbors))
	exact, err := knnindex.OpenNPY(path)
	if errors.Is(err, fs.ErrNotExist) {
		found, err := knnindex.NewFlat(vectors).SearchBatch(context.Background(), queries.Data, neighbors, 0)
		exact = &knnindex.Vectors{Dim: neighbors}
		for _, hit := range slices.Concat(found...) {
			exact.Data = append(exact.Data, float32(hit.Row))
		}
		return exact, err
	}
	if err == nil && (exact.Dim != neighbors || exact.Len() != queries.Len()) {
		err = fmt.Errorf("%s: %d neighbors of %d queries, want %d of %d", path, exact.Dim, exact.Len(), neighbors, queries.Len())
	}
	return exact, err
}
