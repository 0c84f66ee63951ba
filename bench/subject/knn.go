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

// The parameters of all graphs.
const (
	linksPerRow    = 16  // M
	efConstruction = 200 // candidates per inserted row
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
	before, err := residentMB()
	if err != nil {
		return nil, err
	}
	vectors, queries, err := readVectorSet(o.Dir)
	if err != nil {
		return nil, err
	}
	index := line{"engine": o.Engine, "versions": versions("github.com/coder/hnsw"), "vectors": vectors.Len(), "dim": queries.Dim, "queries": queries.Len(), "k": o.K}
	var search searchFunc
	if _, err = index.measure("build_", func() error { search, err = build(vectors); return err }); err != nil {
		return nil, err
	}
	after, err := residentMB()
	if err != nil {
		return nil, err
	}
	const mb = 1 << 20
	data := float64(4*len(vectors.Data)) / mb
	over := after - before - float64(4*len(queries.Data))/mb - data
	index["overhead_mb"], index["overhead_share"] = over, over/data
	exact, err := exactNeighbors(o.Dir, vectors, queries, o.K)
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
		if err := l.search(search, queries, exact, o, ef); err != nil {
			return nil, err
		}
		lines = append(lines, l)
	}
	return lines, nil
}

// search adds the times of queries one at a time and together, and how many of the exact neighbors are found.
func (l line) search(search searchFunc, queries *knnindex.Vectors, exact [][]int32, o *options, ef int) error {
	var single []float64
	for i := range 1 + min(o.Single, queries.Len()) {
		began := time.Now()
		if _, err := search(&knnindex.Vectors{Dim: queries.Dim, Data: queries.Row(max(0, i-1))}, o.K, ef); err != nil {
			return err
		}
		single = append(single, float64(time.Since(began).Nanoseconds())/1e6)
	}
	l["single_ms_median"] = harness.SpreadOf(single[1:]).Median // the first search allocates scratch space
	watch := start()
	found, err := search(queries, o.K, ef)
	l["batched_ms_per_query"], l["recall"] = 1000*watch.seconds()/float64(queries.Len()), recall(found, exact)
	return err
}

// recall returns the share of the exact neighbors that were found.
func recall(found [][]knnindex.Hit, exact [][]int32) float64 {
	right, total := 0, 0
	for i, hits := range found {
		total += len(exact[i])
		for _, hit := range hits {
			if slices.Contains(exact[i], hit.Row) {
				right++
			}
		}
	}
	return float64(right) / float64(total)
}

// exactNeighbors returns the nearest rows of every query, nearest first. It reads those
// that FAISS found, and searches if there are none.
func exactNeighbors(dir string, vectors, queries *knnindex.Vectors, k int) ([][]int32, error) {
	path := filepath.Join(dir, fmt.Sprintf("exact_k%d.i32", k))
	rows, err := readNumbers[int32](path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		found, err := knnindex.NewFlat(vectors).SearchBatch(context.Background(), queries.Data, k, 0)
		if err != nil {
			return nil, err
		}
		exact := make([][]int32, len(found))
		for i, hits := range found {
			for _, hit := range hits {
				exact[i] = append(exact[i], hit.Row)
			}
		}
		return exact, nil
	case err != nil:
		return nil, err
	case len(rows) != k*queries.Len():
		return nil, fmt.Errorf("%s: %d neighbors, want %d for each of %d queries", path, len(rows), k, queries.Len())
	}
	return slices.Collect(slices.Chunk(rows, k)), nil
}

// readVectorSet reads a folder that makeVectors or peer_knn.py --make wrote.
func readVectorSet(dir string) (vectors, queries *knnindex.Vectors, err error) {
	rows, err := readRows[struct {
		Dim int `json:"dim"`
	}](filepath.Join(dir, "meta.json"), 1)
	if err != nil {
		return nil, nil, err
	}
	if len(rows) == 0 || rows[0].Dim < 1 {
		return nil, nil, fmt.Errorf("%s: meta.json has no dim", dir)
	}
	if vectors, err = readVectors(filepath.Join(dir, "vectors.f32"), rows[0].Dim); err != nil {
		return nil, nil, err
	}
	queries, err = readVectors(filepath.Join(dir, "queries.f32"), rows[0].Dim)
	return vectors, queries, err
}

// readVectors reads rows of raw little-endian float32.
func readVectors(path string, dim int) (*knnindex.Vectors, error) {
	data, err := readNumbers[float32](path)
	if err != nil {
		return nil, err
	}
	if len(data) == 0 || len(data)%dim != 0 {
		return nil, fmt.Errorf("%s: %d numbers, want rows of %d", path, len(data), dim)
	}
	return &knnindex.Vectors{Dim: dim, Data: data}, nil
}
