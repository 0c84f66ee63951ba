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

// searchFunc searches an index for several queries; ef is the width of the search in a graph.
type searchFunc func(queries *knnindex.Vectors, k, ef int) ([][]knnindex.Hit, error)

// engines build the kinds of index.
var engines = map[string]func(v *knnindex.Vectors) (searchFunc, error){"flat": buildFlat, "hnsw": buildHNSW, "coder-hnsw": buildCoder}

// oneByOne searches for one query after another.
func oneByOne(search func(query []float32, k, ef int) []knnindex.Hit) searchFunc {
	return func(queries *knnindex.Vectors, k, ef int) (found [][]knnindex.Hit, err error) {
		for i := range queries.Len() {
			found = append(found, search(queries.Row(i), k, ef))
		}
		return found, nil
	}
}

func buildFlat(v *knnindex.Vectors) (searchFunc, error) {
	flat := knnindex.NewFlat(v)
	single := oneByOne(func(query []float32, k, _ int) []knnindex.Hit { return flat.Search(nil, query, k) })
	return func(queries *knnindex.Vectors, k, ef int) ([][]knnindex.Hit, error) {
		if queries.Len() == 1 {
			return single(queries, k, ef)
		}
		return flat.SearchBatch(context.Background(), queries.Data, k, 0)
	}, nil
}

func buildHNSW(v *knnindex.Vectors) (searchFunc, error) {
	graph, err := knnindex.BuildHNSW(context.Background(), v,
		knnindex.HNSWOptions{M: linksPerRow, EfConstruction: efConstruction})
	return oneByOne(func(query []float32, k, ef int) []knnindex.Hit { return graph.SearchEf(nil, query, k, ef) }), err
}

// buildCoder builds a graph of github.com/coder/hnsw, which a Go user finds first. It
// panics on some input, which is an error here.
func buildCoder(v *knnindex.Vectors) (_ searchFunc, err error) {
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
	return oneByOne(func(query []float32, k, ef int) (hits []knnindex.Hit) {
		graph.EfSearch = ef
		for _, node := range graph.Search(query, k) {
			hits = append(hits, knnindex.Hit{Row: node.Key})
		}
		return hits
	}), nil
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
	index := line{"engine": o.Engine, "versions": versions("github.com/coder/hnsw"), "vectors": vectors.Len(), "dim": queries.Dim, "queries": queries.Len(), "k": neighbors}
	var search searchFunc
	if _, err = index.measure("build_", func() error { search, err = build(vectors); return err }); err != nil {
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
		l := maps.Clone(index)
		if o.Engine != "flat" {
			l["M"], l["efc"], l["ef"] = linksPerRow, efConstruction, ef
		}
		if err := l.search(search, queries, exact, ef); err != nil {
			return nil, err
		}
		lines = append(lines, l)
	}
	return lines, nil
}

// search adds the times of queries one at a time and together, and how many of the exact neighbors are found.
func (l line) search(search searchFunc, queries *knnindex.Vectors, exact *knnindex.Vectors, ef int) error {
	var single []float64
	for i := range 1 + min(singleQueries, queries.Len()) {
		began := time.Now()
		if _, err := search(&knnindex.Vectors{Dim: queries.Dim, Data: queries.Row(max(0, i-1))}, neighbors, ef); err != nil {
			return err
		}
		single = append(single, float64(time.Since(began).Nanoseconds())/1e6)
	}
	l["single_ms_median"] = harness.SpreadOf(single[1:]).Median // the first search allocates scratch space
	watch := start()
	found, err := search(queries, neighbors, ef)
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
