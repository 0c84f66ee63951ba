package corpus

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
)

// TestTextSample compares with sorting all hashes, for random records with repeated PMIDs in chunks. Each chunk keeps
// its own sample, and the samples are merged in two steps.
func TestTextSample(t *testing.T) {
	const seed, ofChunk, ofCorpus = 7, 6, 10
	prune := func(size int, records []record) []record {
		s := textSample{seed: seed, size: size}
		kept := slices.Clone(records)
		for i := range kept {
			if !s.add(&kept[i]) {
				kept[i].Text = ""
			}
		}
		for i := range kept {
			s.prune(&kept[i])
		}
		return kept
	}
	dull := func(size int, records []record) []record {
		hash := func(r *record) uint64 { return sampling.Hash(seed, "text", r.PMID) }
		var hashes []uint64
		for i := range records {
			if records[i].Text != "" {
				hashes = append(hashes, hash(&records[i]))
			}
		}
		slices.Sort(hashes)
		kept := slices.Clone(records)
		for i := range kept {
			if size == 0 || len(hashes) >= size && hash(&kept[i]) > hashes[size-1] {
				kept[i].Text = ""
			}
		}
		return kept
	}
	for run := range 200 {
		random := rand.New(rand.NewPCG(uint64(run), 1))
		var chunks [][]record
		for range 2 + random.IntN(4) {
			var chunk []record
			for range random.IntN(20) {
				r := record{recordHead: recordHead{PMID: fmt.Sprint(random.IntN(60)), Record: int32(len(chunk))}}
				if random.IntN(4) > 0 {
					r.Text = "text of " + r.PMID
				}
				chunk = append(chunk, r)
			}
			if want, got := dull(ofChunk, chunk), prune(ofChunk, chunk); !slices.Equal(want, got) {
				t.Fatalf("run %d: a chunk keeps %v, want %v", run, got, want)
			}
			chunks = append(chunks, prune(ofChunk, chunk))
		}
		atOnce := prune(ofCorpus, slices.Concat(chunks...))
		first := prune(ofCorpus, slices.Concat(chunks[:2]...))
		if merged := prune(ofCorpus, slices.Concat(append([][]record{first}, chunks[2:]...)...)); !slices.Equal(atOnce, merged) {
			t.Fatalf("run %d: merged in two steps the sample is %v, at once %v", run, merged, atOnce)
		}
		for _, r := range prune(0, chunks[0]) {
			if r.Text != "" {
				t.Fatalf("run %d: a sample of no texts has that of %s", run, r.PMID)
			}
		}
	}
}

func TestTexts(t *testing.T) {
	paths := writeFiles(t, []testFile{{name: "a.xml", records: []testRecord{
		{pmid: "1", version: 1, title: "Gout.", sections: [][2]string{{"", "It hurts."}}},
		{pmid: "2", version: 1, title: "No names here."},
		{pmid: "3", version: 1, title: "Left out."},
		{pmid: "4", version: 1, title: "", sections: [][2]string{{"AIM", "Tumours of mice."}, {"END", "None."}}},
	}}})
	dir := filepath.Join(t.TempDir(), "corpus")
	must.Get(Build(context.Background(), Options{
		Inputs: paths, Dir: dir, Tagger: testTagger, SentencesPerName: 2, Exclude: map[string]bool{"3": true},
	}))
	var texts []string
	c := must.Get(Open(dir))
	for _, doc := range collect(c.Texts(t.Context())) {
		texts = append(texts, doc.Text)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	for doc, err := range c.Texts(ended) {
		must.FailWith(t, err, context.Canceled)
		must.Equal(t, doc, nil, "text after the end of its context")
	}
	want := []string{"Gout.\nIt hurts.", "No names here.", "Tumours of mice. None."}
	must.Equal(t, texts, want, "texts")
}
