package lexical

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/kb"
)

// The similarities are those of scikit-learn, see testdata/make_sklearn.py.
func TestTFIDFAsSklearn(t *testing.T) {
	data, err := os.ReadFile("testdata/sklearn.json")
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Names, Queries []string
		Results        []struct {
			Options TFIDFOptions
			Cosines [][]int // of each query and name, in ten-thousandths
		}
	}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	var concepts []kb.Concept
	for _, name := range want.Names {
		concepts = append(concepts, kb.Concept{ID: kb.ConceptID(name), Name: name})
	}
	for _, result := range want.Results {
		x, err := NewTFIDF(kb.NewDictionary(concepts), result.Options)
		if err != nil {
			t.Fatal(err)
		}
		for i, query := range want.Queries {
			scores := make(map[string]int)
			for _, hit := range x.Search(query, len(want.Names)) {
				scores[hit.Name] = int(math.Round(1e4 * hit.Score))
			}
			cosines := make([]int, len(want.Names))
			for j, name := range want.Names {
				cosines[j] = scores[name]
			}
			if diff := cmp.Diff(result.Cosines[i], cosines); diff != "" {
				t.Errorf("%+v, %q (-scikit-learn +ctxnorm):\n%s", result.Options, query, diff)
			}
		}
	}
}
