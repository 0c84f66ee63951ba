package calibrate

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// labeledMentions returns 20 labeled documents. All have "sprue", which no name resembles, and each
// has a name of its own.
func labeledMentions(t *testing.T) []text.Exemplar {
	var labeled []text.Exemplar
	add := func(document, marked string, concept kb.ConceptID) {
		q := linktest.Query(t, marked)
		q.Document.ID = document
		q.Mention.Concepts = []kb.ConceptID{concept}
		labeled = append(labeled, text.Exemplar{Query: q})
	}
	for i := range 20 {
		document := fmt.Sprint("gold ", i)
		add(document, "wheat and <sprue>", "G1")
		add(document, fmt.Sprintf("aspirin and <belly%c>", 'a'+i), "G2")
	}
	return labeled
}

func TestLabeledNamesOfHalfAreHeldOut(t *testing.T) {
	labeled := labeledMentions(t)
	distinct := append(slices.Clone(labeled[:2]), labeled[3])
	for i := 5; i < len(labeled); i += 2 {
		distinct = append(distinct, labeled[i])
	}
	var calibration *model.Calibration
	dir := buildCalibrated(t, nil, func(o *model.BuildOptions) {
		o.CorpusSynonyms = model.LabeledSynonyms(distinct)
		o.Contexts = append(o.Contexts, model.LabeledContexts(labeled, o.Dictionary)...)
		o.PerConcept = 100
		o.Calibrate = LearnLabeled(labeled)
	})
	m := modeltest.Open(t, dir, nil)
	calibration = m.Calibration
	queries, smaller, err := splitLabeled(m, labeled, 1)
	if err != nil {
		t.Fatal(err)
	}
	heldOut := make(map[string]bool)
	for i := range queries {
		heldOut[queries[i].ID] = true
	}
	if len(heldOut) == 0 || len(heldOut) == 20 || len(queries) != 2*len(heldOut) {
		t.Fatalf("%d queries of %d documents of 20", len(queries), len(heldOut))
	}
	// "sprue" stays, as other documents have it, and so do the names of the other documents.
	want := []string{"coeliac disease", "gastric ulcer", "gluten enteropathy", "sprue"}
	for i := range 20 {
		if !heldOut[fmt.Sprint("gold ", i)] {
			want = append(want, fmt.Sprintf("belly%c", 'a'+i))
		}
	}
	names := must(smaller.Names.Exemplars())
	var got []string
	for i := range names {
		got = append(got, names[i].Text)
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	contexts := must(smaller.Contexts.Exemplars())
	if all := 4 + len(labeled) - len(queries); len(contexts) != all {
		t.Errorf("%d contexts, want %d", len(contexts), all)
	}
	for i := range contexts {
		if heldOut[contexts[i].ID] {
			t.Errorf("document %s is held out and has a context", contexts[i].ID)
		}
	}
	if calibration.Source != fromGold || calibration.Queries != len(queries) {
		t.Errorf("learned from %d queries of %s, want %d of %s", calibration.Queries, calibration.Source, len(queries), fromGold)
	}
}

// TestLearnLabeledOfFewDocuments: labels that no half of the documents has do not hinder learning.
func TestLearnLabeledOfFewDocuments(t *testing.T) {
	for i := range 3 {
		labeled := labeledMentions(t)[2*i : 2*i+1]
		dir := buildCalibrated(t, nil, func(o *model.BuildOptions) { o.Calibrate = LearnLabeled(labeled) })
		if c := modeltest.Open(t, dir, nil).Calibration; len(c.Weights) == 0 {
			t.Errorf("document %d: no weights", i)
		}
	}
}

// TestLearnLabeledCascade: which mentions need no encoder is learned with labels, too, from the same
// texts as without, and so is the calibration of the model without its encoder.
func TestLearnLabeledCascade(t *testing.T) {
	t.Parallel()
	encoder := linktest.GutEncoder()
	labeled := labeledMentions(t)
	build := func(learn func(context.Context, *model.Model) (*model.Calibration, error)) *model.Calibration {
		dir := buildCalibrated(t, encoder, func(o *model.BuildOptions) {
			o.CorpusSynonyms = model.LabeledSynonyms(labeled[:2])
			o.Contexts = append(o.Contexts, model.LabeledContexts(labeled, o.Dictionary)...)
			o.PerConcept = 100
			for i := range minSenseQueries {
				q := linktest.Query(t, "a gastric ulcer and <sprue>")
				q.Document.ID = fmt.Sprint("text ", i)
				q.Mention.Concepts = []kb.ConceptID{"G1"}
				o.HiddenDefinitions = append(o.HiddenDefinitions, text.Exemplar{Query: q})
			}
			o.Calibrate = learn
		})
		return modeltest.Open(t, dir, encoder).Calibration
	}
	with, without := build(LearnLabeled(labeled)), build(Learn)
	if with.Cascade == nil || without.Cascade == nil || with.Cascade.Mentions != without.Cascade.Mentions || len(with.Cascade.Rows) != len(cascadeBudgets) {
		t.Errorf("cascade %+v with labels, %+v without", with.Cascade, without.Cascade)
	}
	if c := with.WithoutEncoder; c == nil || c.Source != fromGold || c.Queries != with.Queries {
		t.Errorf("calibration without the encoder %+v, want one from %d labels", c, with.Queries)
	}
}
