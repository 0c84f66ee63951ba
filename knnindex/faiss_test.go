package knnindex

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/dot"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

// faissVectors returns rows of the table of testdata/make_faiss.py.
func faissVectors(first, n int) *Vectors {
	const dim = 33
	v := &Vectors{Dim: dim}
	for i := first; i < first+n; i++ {
		for j := range dim {
			v.Data = append(v.Data, float32((i*i*7+13*i*j+j*j*5+3*j)%1009%19-9))
		}
	}
	return v
}

// Exact search returns the same rows as FAISS, with the same inner products; FAISS orders equal ones arbitrarily.
func TestFlatAsFAISS(t *testing.T) {
	data := must.Get(os.ReadFile("testdata/faiss.json"))
	var want []struct {
		Rows     []int32
		Products []float32
	}
	must.Succeed(t, json.Unmarshal(data, &want))
	const rows = 700
	v, queries := faissVectors(0, rows), faissVectors(rows, len(want))
	for _, kernel := range dot.Supported() {
		for name, f := range map[string]*Flat{"all rows": newFlat(v, kernel), "quantized": newQuantized(v, kernel)} {
			for i, w := range want {
				hits := f.Search(nil, queries.Row(i), len(w.Rows))
				var products []float32
				for _, h := range hits {
					products = append(products, h.Similarity)
					last := h.Similarity == w.Products[len(w.Products)-1] // of more equal rows than fit
					if !last && !slices.Contains(w.Rows, h.Row) {
						t.Errorf("%v, %s, query %d: row %d is not among %v", kernel, name, i, h.Row, w.Rows)
					}
				}
				must.Equal(t, products, w.Products, fmt.Sprint(kernel, ", ", name, ", query ", i), "FAISS and ctxnorm")
			}
		}
	}
}
