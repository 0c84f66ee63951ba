package formats

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/text"
)

func openReal(t *testing.T, name string, o Options) *Reader {
	t.Helper()
	r := must.Get(Open(fixtures.RealFile(t, name), o))
	t.Cleanup(func() { r.Close() })
	return r
}

// TestRealFiles compares the counts of documents and mentions with the descriptions of the corpora. A mention that does
// not match its text would be an error, so the counts show that the offsets are right.
func TestRealFiles(t *testing.T) {
	tests := []struct {
		file       string
		documents  int
		duplicates int
		mentions   map[string]int // by type
		composite  int
	}{
		// The description counts 5,145 mentions: 5,134 and the 11 of document 8528200, which occurs twice.
		{"gold/ncbi_train.pubtator.gz", 592, 1, map[string]int{"SpecificDisease": 2972 - 10, "Modifier": 1289 - 1, "DiseaseClass": 769, "CompositeMention": 115}, 93},
		{"gold/ncbi_dev.pubtator.gz", 100, 0, map[string]int{"SpecificDisease": 412, "Modifier": 214, "DiseaseClass": 126, "CompositeMention": 35}, 20},
		{"gold/bc5cdr_train.pubtator.gz", 500, 0, map[string]int{"Disease": 4182, "Chemical": 5203}, 98},
		{"gold/bc5cdr_dev.pubtator.gz", 500, 0, map[string]int{"Disease": 4244, "Chemical": 5347}, 100},
		{"gold/bc5cdr_dev.bioc.xml.gz", 500, 0, map[string]int{"Disease": 4244, "Chemical": 5347}, 100},
		{"gold/biored_traindev.pubtator.gz", 500, 0, map[string]int{"Gene": 5517, "Disease": 4628, "Chemical": 3675, "Species": 1799, "Variant": 1140, "CellLine": 125}, 447},
		{"gold/medmentions_train.jsonl.gz", 2373, 0, map[string]int{"": 10508}, 0},
		{"gold/medmentions_dev.jsonl.gz", 262, 0, map[string]int{"": 1264}, 0},
	}
	for _, test := range tests {
		t.Run(test.file, func(t *testing.T) {
			duplicates := 0
			docs, problems := readAll(t, openReal(t, test.file, countingDuplicates(&duplicates)))
			if len(problems) > 0 {
				t.Errorf("%d problems, the first: %s", len(problems), problems[0])
			}
			if len(docs) != test.documents || duplicates != test.duplicates {
				t.Errorf("%d documents and %d duplicates, want %d and %d", len(docs), duplicates, test.documents, test.duplicates)
			}
			types := make(map[string]int)
			composite := 0
			for _, doc := range docs {
				for _, m := range doc.Mentions {
					types[m.Type]++
					if m.Composite {
						composite++
					}
				}
			}
			if diff := cmp.Diff(test.mentions, types); diff != "" {
				t.Errorf("mentions (-want +got):\n%s", diff)
			}
			if composite != test.composite {
				t.Errorf("%d composite mentions, want %d", composite, test.composite)
			}
		})
	}
}

// TestBioCEqualsPubTator reads the same corpus in both formats.
func TestBioCEqualsPubTator(t *testing.T) {
	byID := func(docs []*Record) map[string]*text.Document {
		m := make(map[string]*text.Document)
		for _, doc := range docs {
			m[doc.ID] = doc.Document
		}
		return m
	}
	bioc, _ := readAll(t, openReal(t, "gold/bc5cdr_dev.bioc.xml.gz", Options{}))
	pubtator, _ := readAll(t, openReal(t, "gold/bc5cdr_dev.pubtator.gz", Options{}))
	if len(bioc) != 500 {
		t.Errorf("%d documents, want 500", len(bioc))
	}
	if diff := cmp.Diff(byID(pubtator), byID(bioc)); diff != "" {
		t.Errorf("documents (-pubtator +bioc):\n%s", diff)
	}
}
