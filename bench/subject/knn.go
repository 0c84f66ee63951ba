package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
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

// engine builds a kind of index.
type engine struct {
	build   func(v *knnindex.Vectors) (searchFunc, batchFunc, error)
	modules []string // whose versions are reported
	isGraph bool
}

// searchFunc searches an index; ef is the width of the search in a graph.
type searchFunc func(query []float32, k, ef int) []knnindex.Hit

// batchFunc searches for several queries at once. If it is nil, queries are searched
// for one after another.
type batchFunc func(queries []float32, k int) ([][]knnindex.Hit, error)

var engines = map[string]engine{
	"flat":       {build: buildFlat},
	"hnsw":       {build: buildHNSW, isGraph: true},
	"coder-hnsw": {build: buildCoder, isGraph: true, modules: []string{"github.com/coder/hnsw"}},
}

func buildFlat(v *knnindex.Vectors) (searchFunc, batchFunc, error) {
	flat := knnindex.NewFlat(v)
	return func(query []float32, k, _ int) []knnindex.Hit { return flat.Search(nil, query, k) },
		func(queries []float32, k int) ([][]knnindex.Hit, error) {
			return flat.SearchBatch(context.Background(), queries, k, 0)
		}, nil
}

func buildHNSW(v *knnindex.Vectors) (searchFunc, batchFunc, error) {
	graph, err := knnindex.BuildHNSW(context.Background(), v,
		knnindex.HNSWOptions{M: linksPerRow, EfConstruction: efConstruction})
	return func(query []float32, k, ef int) []knnindex.Hit { return graph.SearchEf(nil, query, k, ef) }, nil, err
}

// buildCoder builds a graph of github.com/coder/hnsw, which a Go user finds first. It
// panics on some input, which is an error here.
func buildCoder(v *knnindex.Vectors) (_ searchFunc, _ batchFunc, err error) {
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
	return func(query []float32, k, ef int) []knnindex.Hit {
		graph.EfSearch = ef
		var hits []knnindex.Hit
		for _, node := range graph.Search(query, k) {
			hits = append(hits, knnindex.Hit{Row: node.Key})
		}
		return hits
	}, nil, nil
}

// searchVectors is the job of peer_knn.py: a line of recall and times for each ef.
func searchVectors(o *options) ([]line, error) {
	kind, ok := engines[o.Engine]
	if !ok {
		return nil, fmt.Errorf("--engine is %q, want flat, hnsw or coder-hnsw", o.Engine)
	}
	widths := []int{0}
	if kind.isGraph {
		widths = nil
		for field := range strings.SplitSeq(o.Ef, ",") {
			ef, err := strconv.Atoi(field)
			if err != nil {
				return nil, fmt.Errorf("--ef: %w", err)
			}
			widths = append(widths, ef)
		}
	}
	before, err := residentMB()
	if err != nil {
		return nil, err
	}
	vectors, queries, err := readVectorSet(o.Dir)
	if err != nil {
		return nil, err
	}
	watch := start()
	search, batch, err := kind.build(vectors)
	if err != nil {
		return nil, err
	}
	build := watch.seconds()
	after, err := residentMB()
	if err != nil {
		return nil, err
	}
	exact, err := exactNeighbors(o.Dir, vectors, queries, o.K)
	if err != nil {
		return nil, err
	}
	const mb = 1 << 20
	data := float64(4*len(vectors.Data)) / mb
	grown := after - before - float64(4*len(queries.Data))/mb
	var lines []line
	for _, ef := range widths {
		search(queries.Row(0), o.K, ef) // the first search allocates scratch space
		single := make([]float64, min(o.Single, queries.Len()))
		for i := range single {
			began := time.Now()
			search(queries.Row(i), o.K, ef)
			single[i] = float64(time.Since(began).Nanoseconds()) / 1e6
		}
		watch := start()
		var found [][]knnindex.Hit
		if batch != nil {
			if found, err = batch(queries.Data, o.K); err != nil {
				return nil, err
			}
		} else {
			for i := range queries.Len() {
				found = append(found, search(queries.Row(i), o.K, ef))
			}
		}
		batched := watch.seconds()
		l := line{
			"engine": o.Engine, "versions": versions(kind.modules...),
			"vectors": vectors.Len(), "dim": queries.Dim, "queries": queries.Len(), "k": o.K,
			"build_seconds": rounded(build, 3), "recall": rounded(recall(found, exact), 4),
			"single_ms_median":     rounded(harness.SpreadOf(single).Median, 4),
			"batched_ms_per_query": rounded(batched*1000/float64(queries.Len()), 4),
			"index_mb":             rounded(grown, 1), "overhead_mb": rounded(grown-data, 1),
			"overhead_share": rounded((grown-data)/data, 4),
		}
		if kind.isGraph {
			l["M"], l["efc"], l["ef"] = linksPerRow, efConstruction, ef
		}
		lines = append(lines, l)
	}
	return lines, nil
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
