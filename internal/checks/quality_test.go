package checks

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/must"
)

const (
	qualityFile = "examples/quality.golden"
	goldFile    = "examples/gold.jsonl"
)

// qualityModels configure the models whose quality is recorded, by the title of their section.
var qualityModels = map[string]func(*testing.T, *ctxnorm.TrainOptions){
	"strings and hierarchy (--encoder none)": func(_ *testing.T, o *ctxnorm.TrainOptions) { o.EncoderKind = ctxnorm.NoEncoder },
}

// TestQuality compares the quality of linking examples/gold.jsonl with half of the dictionary's names with
// examples/quality.golden, so that a change of the ranking becomes a reviewed difference. The file has a section for
// each model; this build checks those that it can make.
func TestQuality(t *testing.T) {
	golden := must.Get(txtar.ParseFile(qualityFile))
	for _, title := range slices.Sorted(maps.Keys(qualityModels)) {
		t.Run(title, func(t *testing.T) {
			o := exampleOptions(t, t.TempDir())
			o.DictionaryFraction = .5
			qualityModels[title](t, &o)
			must.Succeed(t, ctxnorm.Train(t.Context(), o))
			got := measureQuality(t, o.Model, o.Dictionary)
			section := slices.IndexFunc(golden.Files, func(f txtar.File) bool { return f.Name == title })
			if section < 0 {
				t.Fatalf("%s has no section", qualityFile)
			}
			if *update {
				golden.Files[section].Data = []byte(got)
				return
			}
			must.Equal(t, strings.TrimSpace(got), strings.TrimSpace(string(golden.Files[section].Data)),
				"quality, which make quality writes anew", qualityFile)
		})
	}
	if *update {
		must.Succeed(t, os.WriteFile(qualityFile, txtar.Format(golden), 0o666))
	}
}

// measureQuality returns Acc@1, Acc@5 and MRR under the policy strict, without a threshold and with the model's own
// threshold, and the rank of each gold mention.
func measureQuality(t *testing.T, dir string, dict *ctxnorm.Dictionary) string {
	m := must.Get(ctxnorm.Open(t.Context(), dir, ctxnorm.OpenOptions{Encoder: ctxnorm.EncoderOptions{Precision: "float32", Workers: 1}}))
	defer m.Close()
	set := eval.DictionaryConceptSet(dict)
	gold := must.Get(eval.ReadGold([]string{goldFile}, nil, set, files.Limits{}))
	policy := must.Get(eval.PolicyByName("strict"))
	var b strings.Builder
	for _, threshold := range []struct {
		name string
		min  float64
	}{{"no threshold", ctxnorm.AlwaysAnswer}, {"default threshold", 0}} {
		linker := must.Get(m.Linker(ctxnorm.LinkOptions{MinProbability: threshold.min}))
		predictions := must.Get(eval.Predict(t.Context(), linker, gold.Mentions, set, nil))
		result := eval.NewResult("", predictions, policy, nil, 1)
		fmt.Fprintf(&b, "%-18s", threshold.name)
		for _, name := range []string{"Acc@1", "Acc@5", "MRR"} {
			metric := eval.MetricNamed(result.Metrics, name)
			fmt.Fprintf(&b, "  %s %s", name, metric.Fraction())
		}
		b.WriteByte('\n')
		if threshold.min == 0 {
			continue
		}
		for i := range predictions {
			p := &predictions[i]
			fmt.Fprintf(&b, "    %-30s rank %d of %v\n", p.Mention.Query.Surface(), 1+slices.IndexFunc(p.Ranked, func(c eval.Candidate) bool {
				return slices.Contains(p.Mention.Gold, c.Concept)
			}), p.Mention.Gold)
		}
	}
	return b.String()
}
