package knnindex

import (
	"os"
	"testing"
)

// vectorsVariable names a .npy file of trained vectors, such as index/names.npy of
// a model, for TestRecallOnTrainedVectors.
const vectorsVariable = "CTXNORM_VECTORS"

// TestRecallOnTrainedVectors asks for vectors that are set aside, every 50th row,
// so that a query is like the rows and is none of them. At the default setting the
// graph is to find 99 in 100 of the 15 nearest.
func TestRecallOnTrainedVectors(t *testing.T) {
	path := os.Getenv(vectorsVariable)
	if path == "" {
		t.Skipf("%s is not set: recall on trained vectors is not measured", vectorsVariable)
	}
	v, err := OpenNPY(path)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	rows := &Vectors{Dim: v.Dim}
	var queries []float32
	for i := range v.Len() {
		if i%50 == 0 {
			queries = append(queries, v.Row(i)...)
		} else {
			rows.Data = append(rows.Data, v.Row(i)...)
		}
	}
	graph, err := BuildHNSW(t.Context(), rows, HNSWOptions{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	const k = 15
	want, err := NewFlat(rows).SearchBatch(t.Context(), queries, k, 0)
	if err != nil {
		t.Fatal(err)
	}
	got, err := graph.SearchBatch(t.Context(), queries, k, 0)
	if err != nil {
		t.Fatal(err)
	}
	found, all := 0, 0
	for i := range want {
		exact := make(map[int32]bool)
		for _, hit := range want[i] {
			exact[hit.Row] = true
		}
		for _, hit := range got[i] {
			if exact[hit.Row] {
				found++
			}
		}
		all += len(want[i])
	}
	recall := float64(found) / float64(all)
	t.Logf("%s: %d rows, %d queries: recall@%d %.4f (%d/%d)", path, rows.Len(), len(want), k, recall, found, all)
	if recall < .99 {
		t.Errorf("recall@%d is %.4f, want at least .99", k, recall)
	}
}
