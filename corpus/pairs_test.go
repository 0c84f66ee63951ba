package corpus

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/parquet-go/parquet-go"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// TestPairs counts pairs of records that contain them twice, or that are superseded, excluded or deleted.
func TestPairs(t *testing.T) {
	abstract := func(texts ...string) (sections [][2]string) {
		for _, text := range texts {
			sections = append(sections, [2]string{"", text})
		}
		return sections
	}
	files := []testFile{
		{name: "a.xml", records: []testRecord{
			{pmid: "1", version: 1, title: "Gout one.", sections: abstract("None. A gout one. Gout two.", "Another gout one.")},
			{pmid: "2", version: 1, title: "A gout one."}, // superseded
			{pmid: "3", version: 1, title: "A gout one."}, // excluded
			{pmid: "10", version: 1, title: "A gout one."},
			{pmid: "11", version: 1, title: "A gout two."}, // deleted
		}, deleted: []string{"11"}},
		{name: "b.xml", records: []testRecord{{pmid: "2", version: 1, title: "The cold one. The gout two."}}},
	}
	o := testOptions(t.TempDir(), writeFiles(t, files))
	mustBuild(t, o)
	want := []pairRow{
		{countedPair{SynonymPair{"D:4", "Gout", "one."}, 1}, []string{"1"}},
		{countedPair{SynonymPair{"D:4", "Gout", "two."}, 1}, []string{"1"}},
		{countedPair{SynonymPair{"D:4", "gout", "one."}, 2}, []string{"1", "10"}}, // twice in record 1, counted once
		{countedPair{SynonymPair{"D:4", "gout", "two."}, 1}, []string{"2"}},
		{countedPair{SynonymPair{"D:7", "cold", "one."}, 1}, []string{"2"}},
	}
	got := must.Get(parquet.ReadFile[pairRow](filepath.Join(o.Dir, pairsName)))
	must.EqualBy(t, cmp.Options{cmpopts.EquateComparable(countedPair{}), cmp.AllowUnexported(pairRow{})}, got, want,
		"pairs")
	n := 0
	c := must.Get(Open(o.Dir))
	for p, err := range c.Pairs(t.Context()) {
		if wantPair := (SynonymPairCount{want[n].SynonymPair, len(want[n].PMIDs)}); p != wantPair || err != nil {
			t.Errorf("pair %d is %v, %v, want %v", n, p, err, wantPair)
		}
		if n++; n == 3 {
			break
		}
	}
}

// TestManyFiles has more files than maxFanIn, so the merge writes intermediate files.
func TestManyFiles(t *testing.T) {
	var files []testFile
	whole := testFile{name: "whole.xml"}
	for i := range 2*maxFanIn + 2 {
		record := testRecord{pmid: fmt.Sprint(1000 - i), version: 1, title: fmt.Sprintf("A gout n%d. The gout m%d.", i%7, i%5)}
		files = append(files, testFile{name: fmt.Sprintf("%d.xml", i), records: []testRecord{record}})
		whole.records = append(whole.records, record)
	}
	many := testOptions(t.TempDir(), writeFiles(t, files))
	mustBuild(t, many)
	one := testOptions(t.TempDir(), writeFiles(t, []testFile{whole}))
	mustBuild(t, one)
	read := func(o Options) []pairRow {
		return must.Get(parquet.ReadFile[pairRow](filepath.Join(o.Dir, pairsName)))
	}
	want := read(one)
	must.Equal(t, len(want), 7+5, "pairs")
	must.EqualBy(t, cmp.Options{cmpopts.EquateComparable(countedPair{}), cmp.AllowUnexported(pairRow{})}, read(many),
		want, "one file and many")
	sentences := func(o Options) []byte {
		return must.Get(os.ReadFile(filepath.Join(o.Dir, sentencesName)))
	}
	if !bytes.Equal(sentences(one), sentences(many)) {
		t.Errorf("%s of many files differs from that of one file", sentencesName)
	}
}

// TestWithoutPairExtractor replaces a corpus with pairs by one without.
func TestWithoutPairExtractor(t *testing.T) {
	o := testOptions(t.TempDir(), writeFiles(t, []testFile{{name: "a.xml", records: []testRecord{{pmid: "1", version: 1, title: "A gout one."}}}}))
	must.Equal(t, mustBuild(t, o).Totals.Pairs, 1, "pairs")
	o.PairExtractor = nil
	if m := mustBuild(t, o); m.Totals.Pairs != 0 || m.Settings.PairExtractor != "" {
		t.Errorf("%d pairs of extractor %q, want none", m.Totals.Pairs, m.Settings.PairExtractor)
	}
	if pairs := readPairs(o.Dir); len(pairs) > 0 {
		t.Errorf("pairs are %v, want none", pairs)
	}
	if _, err := os.Stat(filepath.Join(o.Dir, pairsName)); !os.IsNotExist(err) {
		t.Errorf("%s of the old corpus is still there: %v", pairsName, err)
	}
}
