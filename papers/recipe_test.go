package papers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/papers/biosyn"
	"github.com/ctxnorm/ctxnorm/papers/bne"
	"github.com/ctxnorm/ctxnorm/papers/bne/wordvec"
	"github.com/ctxnorm/ctxnorm/papers/dilbert"
	"github.com/ctxnorm/ctxnorm/text"
)

// recipeData returns four concepts with four names each, two labeled mentions of each, the names as contexts, and
// vectors of the words in the names.
func recipeData(t *testing.T) contrastive.Data {
	var d contrastive.Data
	var concepts []kb.Concept
	for i := range 4 {
		concept := kb.Concept{ID: kb.ConceptID(fmt.Sprint("C", i)), Name: fmt.Sprint("name ", i)}
		for j := range 3 {
			concept.Synonyms = append(concept.Synonyms, fmt.Sprint("synonym ", j, " of ", i))
		}
		for j := range 2 {
			d.Labeled = append(d.Labeled, text.NameExemplar(fmt.Sprint("mention ", j, " of ", i), concept.ID))
		}
		for _, name := range concept.Names() {
			d.Names = append(d.Names, text.NameExemplar(name, concept.ID))
		}
		concepts = append(concepts, concept)
	}
	d.Contexts, d.LabeledNames, d.Dictionary = slices.Clone(d.Names), d.Labeled, kb.NewDictionary(concepts)
	config := wordvec.DefaultConfig()
	config.Dim, config.MinCount, config.Epochs = 3, 1, 1
	vectors, err := wordvec.Train(t.Context(), func(yield func([]string, error) bool) {
		for i := range d.Names {
			if !yield(wordvec.Words(d.Names[i].Surface()), nil) {
				return
			}
		}
	}, config)
	d.WordVectors = filepath.Join(t.TempDir(), "vectors")
	must.Succeed(t, errors.Join(err, vectors.Save(d.WordVectors)))
	return d
}

// encodeWords is a [contrastive.Encode] with vectors that depend on the text.
func encodeWords(queries []*text.Query) (vectors []float32, dim int, err error) {
	for _, q := range queries {
		angle := 0.
		for i, c := range []byte(q.Surface()) {
			angle += float64(c) * float64(1+i)
		}
		sin, cos := math.Sincos(angle)
		vectors = append(vectors, float32(cos), float32(sin))
	}
	return vectors, 2, nil
}

// batchOf returns the batch of a step, with the samples of its epoch.
func batchOf(t *testing.T, task contrastive.Task, step int) *contrastive.Batch {
	t.Helper()
	if epoch := task.Describe().EpochSteps; epoch > 0 && step%epoch == 0 {
		must.Succeed(t, task.Resample(t.Context(), step/epoch, encodeWords))
	}
	return must.Get(task.Batch(step))
}

// variants are recipes, some with other settings or data, so that each objective and sampling is tested.
var variants = []struct {
	name   string
	change func(r *contrastive.Recipe, d *contrastive.Data)
}{
	{contrastive.BioCoMName, func(r *contrastive.Recipe, _ *contrastive.Data) { r.Config.ConceptsPerBatch = 3 }},
	{"sapbert", func(*contrastive.Recipe, *contrastive.Data) {}},
	{dilbert.Name, func(r *contrastive.Recipe, _ *contrastive.Data) { valuesOf[dilbert.Settings](r).TripletsPerBatch = 9 }},
	{dilbert.Name, func(r *contrastive.Recipe, _ *contrastive.Data) {
		s := valuesOf[dilbert.Settings](r)
		s.TripletsPerBatch, s.Positives, s.Sampling, s.Margin = 3, 1, "resampling", .2
	}},
	{biosyn.Name, func(*contrastive.Recipe, *contrastive.Data) {}},
	{biosyn.Name, func(r *contrastive.Recipe, d *contrastive.Data) {
		valuesOf[biosyn.Settings](r).Objective, d.Labeled = biosyn.ObjectiveHardEM, nil
	}},
	{biosyn.BERTRankingName, func(r *contrastive.Recipe, _ *contrastive.Data) {
		s := valuesOf[biosyn.Settings](r)
		s.Objective, s.Candidates.PerMention, s.DenseScale = "pairwise", 6, 3
	}},
	{bne.Name, func(*contrastive.Recipe, *contrastive.Data) {}},
	{bne.Name, func(r *contrastive.Recipe, _ *contrastive.Data) { valuesOf[bne.Settings](r).NamesPerBatch = 5 }},
}

// valuesOf returns the settings of a recipe.
func valuesOf[S any](r *contrastive.Recipe) *S { return r.Values.(*S) }

// recipeOf returns a new recipe with the name.
func recipeOf(name string) *contrastive.Recipe { return Recipes()[slices.Index(RecipeNames(), name)] }

// TestBatches: a task has the plan of its recipe, and its batches depend only on data, settings and seed: an equal task
// makes the same ones.
func TestBatches(t *testing.T) {
	for i, v := range variants {
		var tasks [2]contrastive.Task
		for k := range tasks {
			recipe, d := recipeOf(v.name), recipeData(t)
			v.change(recipe, &d)
			var err error
			if tasks[k], err = recipe.Task(recipe.Config, d); err != nil {
				t.Fatal(err)
			}
		}
		plan := tasks[0].Describe()
		if diff := cmp.Diff(plan, tasks[1].Describe()); diff != "" || plan.Recipe != v.name || plan.Steps < 1 {
			t.Errorf("variant %d of %s: %+v %s", i, v.name, plan, diff)
		}
		var described [2]bytes.Buffer
		for k, task := range tasks {
			task.WriteData(&described[k])
			for step := range 3 {
				for _, row := range batchOf(t, task, step).Rows {
					fmt.Fprintf(&described[k], "%q %v\n", row.Query.Surface(), row.Label)
				}
			}
		}
		must.Equal(t, described[1].String(), described[0].String(), "variant", i, v.name, "another task has other batches")
	}
}

// TestGradients compares the gradient of the loss of each recipe's batches, with respect to the vectors and the
// parameters, with finite differences. It skips points without a derivative, where a triplet passes the margin or a
// pair is no longer mined.
func TestGradients(t *testing.T) {
	const dim, h = 3, 1e-6
	r := rand.New(rand.NewPCG(9, 0))
	for i, variant := range variants {
		recipe, d := recipeOf(variant.name), recipeData(t)
		variant.change(recipe, &d)
		task := must.Get(recipe.Task(recipe.Config, d))
		active := 0
		for step := range 3 {
			b := batchOf(t, task, step)
			v := contrastive.Vectors{Rows: make([]float64, dim*len(b.Rows)), Dim: dim, Labels: make([]contrastive.Label, len(b.Rows))}
			for k := range v.Rows {
				v.Rows[k] = r.NormFloat64() / math.Sqrt(dim)
			}
			for k, row := range b.Rows {
				v.Labels[k] = row.Label
			}
			for range task.Describe().Parameters {
				v.Parameters = append(v.Parameters, r.NormFloat64())
			}
			value := must.Get(b.Loss.Evaluate(v))
			check := func(x, gradient []float64) {
				for k, original := range x {
					at := func(shift float64) float64 {
						x[k] = original + shift
						value := must.Get(b.Loss.Evaluate(v))
						x[k] = original
						return value.Loss
					}
					up, down := at(h), at(-h)
					if math.Abs(up-2*value.Loss+down) > 1e-7 {
						continue
					}
					if want := (up - down) / (2 * h); math.Abs(gradient[k]-want) > 1e-5*(1+math.Abs(want)) {
						t.Fatalf("variant %d of %s, step %d: derivative %d of %d is %v, by finite differences %v", i, variant.name, step, k,
							len(x), gradient[k], want)
					}
					if gradient[k] != 0 {
						active++
					}
				}
			}
			check(v.Rows, value.Rows)
			check(v.Parameters, value.Parameters)
		}
		if active < 20 {
			t.Errorf("variant %d of %s: %d derivatives other than 0 checked, want 20 or more", i, variant.name, active)
		}
	}
}

// TestRecipeSettings: default settings are valid, each flag and field occurs once, and a field is a key of the settings
// in a checkpoint. A value out of range is an error that names the field.
func TestRecipeSettings(t *testing.T) {
	for _, recipe := range Recipes() {
		must.Succeed(t, errors.Join(recipe.Validate(), recipe.Config.Validate()), recipe.Name)
		config := must.Get(json.Marshal(recipe.Config))
		for _, field := range slices.Concat(recipe.Needs.ConfigFields, recipe.Needs.UnusedFields) {
			if !bytes.Contains(config, []byte(`"`+field+`":`)) {
				t.Errorf("%s: the configuration has no key %q: %s", recipe.Name, field, config)
			}
		}
		data := must.Get(json.Marshal(recipe.Values))
		seen := make(map[string]bool)
		for i, s := range recipe.Settings {
			if seen["--"+s.Flag] || seen[s.Field] {
				t.Errorf("%s has the setting %s or its flag twice", recipe.Name, s.Field)
			}
			seen["--"+s.Flag], seen[s.Field] = true, true
			if key := s.Field[1+strings.LastIndexByte(s.Field, '.'):]; !bytes.Contains(data, []byte(`"`+key+`":`)) {
				t.Errorf("%s has no key %q: %s", recipe.Name, s.Field, data)
			}
			if s.Valid == nil {
				continue
			}
			wrong := recipeOf(recipe.Name)
			switch value := wrong.Settings[i].Value.(type) {
			case *int:
				*value = -1
			case *float64:
				*value = math.NaN()
			case *string:
				*value = "guess"
			}
			_, err := wrong.Task(recipe.Config, contrastive.Data{})
			if field, ok := errors.AsType[*files.OptionError](err); !ok || field.Field != "training."+s.Field || field.Want != s.Want {
				t.Errorf("%s: a wrong %s has the error %v", recipe.Name, s.Field, err)
			}
		}
		recipe.Config.LearningRate = 0
		_, err := recipe.Task(recipe.Config, contrastive.Data{})
		must.Fail(t, err, "learning_rate is 0", recipe.Name, "a wrong configuration")
	}
}

// TestInsufficientData: data that a recipe cannot train on causes an error that gives the reason.
func TestInsufficientData(t *testing.T) {
	for want, change := range map[string]func(d *contrastive.Data) string{
		"contexts: sampler: 0 of 0 concepts": func(d *contrastive.Data) string { d.Contexts = nil; return contrastive.BioCoMName },
		"sapbert: 1 of 1 concepts have two names or more, want at least 2": func(d *contrastive.Data) string {
			d.Names = d.Names[:3]
			return "sapbert"
		},
		"1 mentions and 0 names to train on": func(d *contrastive.Data) string {
			d.Labeled, d.Names = d.Labeled[:1], nil
			return biosyn.Name
		},
		"dilbert: none of 0 labeled mentions": func(d *contrastive.Data) string { d.Labeled = nil; return dilbert.Name },
		"has no names of other concepts":      func(d *contrastive.Data) string { d.Labeled, d.Names = d.Labeled[:1], d.Names[:3]; return dilbert.Name },
		"WordVectors is \"\", want a folder of word vectors": func(d *contrastive.Data) string {
			d.WordVectors = ""
			return bne.Name
		},
		"bne: the names have 1 concepts, want at least 2": func(d *contrastive.Data) string { d.Names = d.Names[:2]; return bne.Name },
		"bne: the names have concept C0, which is not in the dictionary": func(d *contrastive.Data) string {
			d.Dictionary = kb.NewDictionary(nil)
			return bne.Name
		},
	} {
		d := recipeData(t)
		recipe := recipeOf(change(&d))
		_, err := recipe.Task(recipe.Config, d)
		must.Fail(t, err, want, recipe.Name)
	}
}
