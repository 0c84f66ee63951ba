package main

import (
	"context"
	"fmt"
	"math/rand"

	"github.com/coder/hnsw"

	"ctxnorm/knnindex"
)

type flatSearcher struct{ *knnindex.Flat }

func buildFlat(v *knnindex.Vectors) (searcher, error) { return flatSearcher{knnindex.NewFlat(v)}, nil }

func (f flatSearcher) search(query []float32, k, _ int) []knnindex.Hit {
	return f.Search(nil, query, k)
}

func (f flatSearcher) searchAll(queries []float32, k, _ int) ([][]knnindex.Hit, error) {
	return f.SearchBatch(context.Background(), queries, k, 0)
}

type hnswSearcher struct{ *knnindex.HNSW }

func buildHNSW(v *knnindex.Vectors) (searcher, error) {
	graph, err := knnindex.BuildHNSW(context.Background(), v,
		knnindex.HNSWOptions{M: linksPerRow, EfConstruction: efConstruction})
	return hnswSearcher{graph}, err
}

func (h hnswSearcher) search(query []float32, k, ef int) []knnindex.Hit {
	return h.SearchEf(nil, query, k, ef)
}

func (h hnswSearcher) searchAll(queries []float32, k, ef int) ([][]knnindex.Hit, error) {
	return searchEach(h, h.Dim(), queries, k, ef)
}

// searchEach searches one query after another.
func searchEach(s searcher, dim int, queries []float32, k, ef int) ([][]knnindex.Hit, error) {
	found := make([][]knnindex.Hit, 0, len(queries)/dim)
	for from := 0; from < len(queries); from += dim {
		found = append(found, s.search(queries[from:from+dim], k, ef))
	}
	return found, nil
}

// coderSearcher is github.com/coder/hnsw, the graph index that a Go user finds
// first.
type coderSearcher struct {
	graph *hnsw.Graph[int32]
	dim   int
}

// buildCoder makes its graph row by row. It panics on some input, which is an error
// here.
func buildCoder(v *knnindex.Vectors) (_ searcher, err error) {
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
	return coderSearcher{graph, v.Dim}, nil
}

func (c coderSearcher) search(query []float32, k, ef int) []knnindex.Hit {
	c.graph.EfSearch = ef
	nodes := c.graph.Search(query, k)
	hits := make([]knnindex.Hit, len(nodes))
	for i, node := range nodes {
		hits[i].Row = node.Key
	}
	return hits
}

func (c coderSearcher) searchAll(queries []float32, k, ef int) ([][]knnindex.Hit, error) {
	return searchEach(c, c.dim, queries, k, ef)
}
