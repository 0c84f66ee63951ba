package main

import "math"

// bm25 ranks short texts by Okapi BM25 (Robertson & Zaragoza, "The Probabilistic Relevance Framework: BM25
// and Beyond", 2009, equation 3.15), with k1 1.2 and b .75 and the idf of Lucene, which is never negative:
//
//	score = sum over words of the query of idf(w) · tf (k1 + 1) / (tf + k1 (1 - b + b · length / mean length))
//	idf(w) = ln(1 + (N - n(w) + ½) / (n(w) + ½))
//
// It is these few lines, and only measures retrieval; a search engine would bring some 30 modules.
type bm25 struct {
	postings map[string][]posting
	lengths  []float64 // in words
	mean     float64   // length
}

// posting is a text that has a word.
type posting struct {
	row       int
	frequency float64
}

const bm25K1, bm25B = 1.2, .75

// newBM25 returns the ranking of texts, given by their words.
func newBM25(texts [][]string) *bm25 {
	x := &bm25{postings: make(map[string][]posting), lengths: make([]float64, len(texts))}
	for row, words := range texts {
		x.lengths[row] = float64(len(words))
		x.mean += float64(len(words)) / float64(len(texts))
		for _, word := range words {
			postings := x.postings[word]
			if n := len(postings); n > 0 && postings[n-1].row == row {
				postings[n-1].frequency++
				continue
			}
			x.postings[word] = append(postings, posting{row, 1})
		}
	}
	return x
}

// scores returns the score of each text that has a word of the query.
func (x *bm25) scores(query []string) map[int]float64 {
	scores := make(map[int]float64)
	for _, word := range query {
		postings := x.postings[word]
		n := float64(len(postings))
		idf := math.Log1p((float64(len(x.lengths)) - n + .5) / (n + .5))
		for _, p := range postings {
			scores[p.row] += idf * p.frequency * (bm25K1 + 1) / (p.frequency +
				bm25K1*(1-bm25B+bm25B*x.lengths[p.row]/x.mean))
		}
	}
	return scores
}
