package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"ctxnorm/knnindex"
)

// vectorSet is a folder that peer_knn.py --make wrote.
type vectorSet struct {
	vectors, queries *knnindex.Vectors
	exact            [][]int32 // rows, the nearest first
}

// engine is a kind of index, made over vectors.
type engine struct {
	build   func(v *knnindex.Vectors) (searcher, error)
	modules []string // whose versions are reported
	usesEf  bool
}

// searcher searches an index with ef, the width of a walk through a graph.
type searcher interface {
	search(query []float32, k, ef int) []knnindex.Hit
	// searchAll searches the queries, one after another in queries, at once.
	searchAll(queries []float32, k, ef int) ([][]knnindex.Hit, error)
}

const (
	linksPerRow    = 16
	efConstruction = 200
)

var engines = map[string]engine{
	"flat":       {build: buildFlat},
	"hnsw":       {build: buildHNSW, usesEf: true},
	"coder-hnsw": {build: buildCoder, usesEf: true, modules: []string{"github.com/coder/hnsw"}},
}

// searchVectors is the job of peer_knn.py: a line of recall and times for each ef.
func searchVectors(args []string) error {
	flags := flag.NewFlagSet("knn", flag.ContinueOnError)
	dir := flags.String("dir", "", "`folder` that peer_knn.py --make wrote")
	name := flags.String("engine", "", "flat, hnsw or coder-hnsw")
	efs := flags.String("ef", "100", "widths of the search, one line of JSON for each")
	k := flags.Int("k", 15, "neighbours")
	single := flags.Int("single", 200, "queries asked one at a time")
	if err := parse(flags, args, "dir", "engine"); err != nil {
		return err
	}
	kind, ok := engines[*name]
	if !ok {
		return fmt.Errorf("--engine is %q, want flat, hnsw or coder-hnsw", *name)
	}
	widths := []int{0}
	if kind.usesEf {
		var err error
		if widths, err = integers(*efs); err != nil {
			return fmt.Errorf("--ef: %w", err)
		}
	}
	before, err := residentMB()
	if err != nil {
		return err
	}
	set, err := readVectorSet(*dir)
	if err != nil {
		return err
	}
	watch := start()
	index, err := kind.build(set.vectors)
	if err != nil {
		return err
	}
	build := watch.seconds()
	after, err := residentMB()
	if err != nil {
		return err
	}
	if err := set.readExact(*dir, *k); err != nil {
		return err
	}
	const mb = 1 << 20
	queries, dim := set.queries.Len(), set.queries.Dim
	data := float64(4*len(set.vectors.Data)) / mb
	grown := after - before - float64(4*len(set.queries.Data))/mb
	for _, ef := range widths {
		times := timeSingle(index, set.queries, *single, *k, ef)
		watch := start()
		found, err := index.searchAll(set.queries.Data, *k, ef)
		if err != nil {
			return err
		}
		batched := watch.seconds()
		report := line{
			"job": "knn", "engine": *name, "versions": versions(kind.modules...),
			"vectors": set.vectors.Len(), "dim": dim, "queries": queries, "k": *k,
			"build_seconds": rounded(build, 3), "recall": rounded(recall(found, set.exact), 4),
			"single_ms_median":     rounded(median(times), 4),
			"batched_ms_per_query": rounded(batched*1000/float64(queries), 4),
			"index_mb":             rounded(grown, 1), "overhead_mb": rounded(grown-data, 1),
			"overhead_share": rounded((grown-data)/data, 4),
		}
		if kind.usesEf {
			report["M"], report["efc"], report["ef"] = linksPerRow, efConstruction, ef
		}
		if err := report.print(); err != nil {
			return err
		}
	}
	return nil
}

// timeSingle asks the first n queries one at a time, and gives the milliseconds of
// each.
func timeSingle(index searcher, queries *knnindex.Vectors, n, k, ef int) []float64 {
	index.search(queries.Row(0), k, ef) // the first walk makes room for itself
	times := make([]float64, min(n, queries.Len()))
	for i := range times {
		began := time.Now()
		index.search(queries.Row(i), k, ef)
		times[i] = float64(time.Since(began).Nanoseconds()) / 1e6
	}
	return times
}

// recall is the share of the exact neighbours that were found.
func recall(found [][]knnindex.Hit, exact [][]int32) float64 {
	right, wanted := 0, 0
	for i, hits := range found {
		wanted += len(exact[i])
		for _, hit := range hits {
			if slices.Contains(exact[i], hit.Row) {
				right++
			}
		}
	}
	return float64(right) / float64(wanted)
}

// median of times, which it sorts.
func median(times []float64) float64 {
	slices.SortFunc(times, cmp.Compare)
	middle := len(times) / 2
	if len(times)%2 == 0 {
		return (times[middle-1] + times[middle]) / 2
	}
	return times[middle]
}

// readExact reads the neighbours that FAISS found, or searches for them where it
// was not asked.
func (s *vectorSet) readExact(dir string, k int) error {
	path := filepath.Join(dir, fmt.Sprintf("exact_k%d.i32", k))
	rows, err := readNumbers[int32](path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		found, err := knnindex.NewFlat(s.vectors).SearchBatch(context.Background(), s.queries.Data, k, 0)
		if err != nil {
			return err
		}
		s.exact = make([][]int32, len(found))
		for i, hits := range found {
			for _, hit := range hits {
				s.exact[i] = append(s.exact[i], hit.Row)
			}
		}
	case err != nil:
		return err
	case len(rows) != k*s.queries.Len():
		return fmt.Errorf("%s: %d neighbours, want %d for each of %d queries", path, len(rows), k, s.queries.Len())
	default:
		s.exact = slices.Collect(slices.Chunk(rows, k))
	}
	return nil
}

// integers reads whole numbers set apart by commas.
func integers(list string) ([]int, error) {
	var numbers []int
	for part := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
}

func readVectorSet(dir string) (*vectorSet, error) {
	rows, err := readRows[struct {
		Dim int `json:"dim"`
	}](filepath.Join(dir, "meta.json"), 1)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 || rows[0].Dim < 1 {
		return nil, fmt.Errorf("%s: meta.json names no dim", dir)
	}
	set := &vectorSet{}
	if set.vectors, err = readVectors(filepath.Join(dir, "vectors.f32"), rows[0].Dim); err != nil {
		return nil, err
	}
	set.queries, err = readVectors(filepath.Join(dir, "queries.f32"), rows[0].Dim)
	return set, err
}

// readVectors reads rows of raw little-endian float32.
func readVectors(path string, dim int) (*knnindex.Vectors, error) {
	data, err := readNumbers[float32](path)
	if err != nil {
		return nil, err
	}
	if len(data) == 0 || len(data)%dim != 0 {
		return nil, fmt.Errorf("%s: %d numbers are no rows of %d", path, len(data), dim)
	}
	return &knnindex.Vectors{Dim: dim, Data: data}, nil
}
