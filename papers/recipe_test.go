package papers

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/papers/biosyn"
	"github.com/ctxnorm/ctxnorm/papers/bne"
	"github.com/ctxnorm/ctxnorm/papers/bne/wordvec"
	"github.com/ctxnorm/ctxnorm/papers/dilbert"
	"github.com/ctxnorm/ctxnorm/papers/sapbert"
	"github.com/ctxnorm/ctxnorm/text"
)

// recipeData returns four concepts of four names each, two labeled mentions of each, and the names as
// contexts.
func recipeData() contrastive.Data {
	var d contrastive.Data
	var concepts []kb.Concept
	for i := range 4 {
		concept := kb.Concept{ID: kb.ConceptID(fmt.Sprint("C", i)), Name: fmt.Sprint("name ", i)}
		for j := range 3 {
			concept.Synonyms = append(concept.Synonyms, fmt.Sprint("synonym ", j, " of ", i))
		}
		for j := range 2 {
			mention := text.NameExemplar(fmt.Sprint("mention ", j, " of ", i), concept.ID)
			d.Labeled = append(d.Labeled, mention)
			d.LabeledNames = append(d.LabeledNames, mention)
		}
		for _, name := range concept.Names() {
			d.Names = append(d.Names, text.NameExemplar(name, concept.ID))
		}
		concepts = append(concepts, concept)
	}
	d.Contexts = slices.Clone(d.Names)
	d.Dictionary = kb.NewDictionary(concepts)
	return d
}

// wordVectors returns vectors of all words of the names.
func wordVectors(t *testing.T, names []text.Exemplar) *wordvec.Vectors {
	t.Helper()
	config := wordvec.DefaultConfig()
	config.Dim, config.MinCount, config.Epochs, config.Workers = 4, 1, 1, 1
	v, err := wordvec.Train(t.Context(), func(yield func([]string, error) bool) {
		for i := range names {
			if !yield(wordvec.Words(names[i].Surface()), nil) {
				return
			}
		}
	}, config)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// firstBatches returns what a task trains on: its data, and the rows of its first three batches,
// with vectors of 1 for every text.
func firstBatches(t *testing.T, m contrastive.Task) string {
	t.Helper()
	var b bytes.Buffer
	m.WriteData(&b)
	encode := func(queries []*text.Query) ([]float32, int, error) {
		vectors := make([]float32, len(queries))
		for i := range vectors {
			vectors[i] = 1
		}
		return vectors, 1, nil
	}
	for step := range 3 {
		if epoch := m.Describe().EpochSteps; epoch > 0 && step%epoch == 0 {
			if err := m.Resample(context.Background(), step/epoch, encode); err != nil {
				t.Fatal(err)
			}
		}
		batch, err := m.Batch(step)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%T\n", batch.Loss)
		for _, row := range batch.Rows {
			fmt.Fprintf(&b, "%q %v\n", row.Query.Surface(), row.Label)
		}
	}
	return b.String()
}

// TestRecipes: the task of a recipe is the one that its constructor makes of the same data, with
// its configuration and its settings.
func TestRecipes(t *testing.T) {
	d := recipeData()
	made := func(m contrastive.Task, err error) contrastive.Task {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	biocom := contrastive.DefaultConfig()
	biocom.ConceptsPerBatch = 3
	mentions, rest := biosyn.HoldOutNames(d.Names, .1, 1)
	if len(mentions) == 0 {
		t.Fatal("no name is held out")
	}
	vectors := wordVectors(t, d.Names)
	d.WordVectors = filepath.Join(t.TempDir(), "vectors")
	if err := vectors.Save(d.WordVectors); err != nil {
		t.Fatal(err)
	}
	unlabeled := d
	unlabeled.Labeled = nil
	for _, tc := range []struct {
		name   string
		data   contrastive.Data
		direct contrastive.Task
	}{
		{contrastive.BioCoMName, d, made(contrastive.NewBioCoM(biocom, d.Contexts, slices.Concat(d.Names, d.LabeledNames)))},
		{sapbert.Name, d, made(sapbert.New(sapbert.Recipe().Config, sapbert.DefaultSettings(), d.Names))},
		{dilbert.Name, d, made(dilbert.New(dilbert.Recipe().Config, dilbert.DefaultSettings(), d.Labeled, d.Names, d.Dictionary))},
		{biosyn.Name, d, made(biosyn.New(biosyn.Recipe().Config, biosyn.DefaultSettings(), biosyn.DistinctMentions(d.Labeled), d.Names))},
		{biosyn.Name, unlabeled, made(biosyn.New(biosyn.Recipe().Config, biosyn.DefaultSettings(), mentions, rest))},
		{biosyn.BERTRankingName, d, made(biosyn.New(biosyn.Recipe().Config, biosyn.DefaultBERTRanking(), biosyn.DistinctMentions(d.Labeled), d.Names))},
		{bne.Name, d, made(bne.New(bne.Recipe().Config, bne.DefaultSettings(), d.Names, d.Dictionary, vectors))},
	} {
		recipe, err := RecipeOf(tc.name)
		if err != nil {
			t.Fatal(err)
		}
		config := recipe.Config
		if tc.name == contrastive.BioCoMName {
			config.ConceptsPerBatch = 3
		}
		m := made(recipe.New(config, tc.data))
		if diff := cmp.Diff(tc.direct.Describe(), m.Describe()); diff != "" || m.Describe().Recipe != tc.name {
			t.Errorf("%s: plan (-constructor +recipe):\n%s", tc.name, diff)
		}
		if diff := cmp.Diff(firstBatches(t, tc.direct), firstBatches(t, m)); diff != "" {
			t.Errorf("%s: batches (-constructor +recipe):\n%s", tc.name, diff)
		}
	}
	if recipe, err := RecipeOf("guess"); err == nil {
		t.Errorf("there is a recipe guess: %v", recipe)
	}
}

// TestRecipeSettings: settings are valid as they are, each flag and field is there once, and a field
// is a key of the settings in a checkpoint.
func TestRecipeSettings(t *testing.T) {
	for _, recipe := range Recipes() {
		if err := recipe.Validate(); err != nil {
			t.Errorf("%s: %v", recipe.Name, err)
		}
		if err := recipe.Config.Validate(); err != nil {
			t.Errorf("%s: %v", recipe.Name, err)
		}
		config, err := json.Marshal(recipe.Config)
		if err != nil {
			t.Fatal(err)
		}
		for _, field := range slices.Concat(recipe.Needs.ConfigFields, recipe.Needs.UnusedFields) {
			if !bytes.Contains(config, []byte(`"`+field+`":`)) {
				t.Errorf("%s: the configuration has no key %q: %s", recipe.Name, field, config)
			}
		}
		data, err := json.Marshal(recipe.Values)
		if err != nil {
			t.Fatal(err)
		}
		var flags, fields []string
		for _, s := range recipe.Settings {
			flags, fields = append(flags, s.Flag), append(fields, s.Field)
			key := s.Field[1+bytes.LastIndexByte([]byte(s.Field), '.'):]
			if !bytes.Contains(data, []byte(`"`+key+`":`)) {
				t.Errorf("%s has no key %q: %s", recipe.Name, s.Field, data)
			}
		}
		for _, names := range [][]string{flags, fields} {
			slices.Sort(names)
			if len(slices.Compact(slices.Clone(names))) != len(names) {
				t.Errorf("%s has a setting twice: %q", recipe.Name, names)
			}
		}
	}
}
