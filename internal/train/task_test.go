//go:build torch

package train

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/papers/biosyn"
	"github.com/ctxnorm/ctxnorm/papers/bne"
	"github.com/ctxnorm/ctxnorm/papers/bne/wordvec"
	"github.com/ctxnorm/ctxnorm/papers/dilbert"
	"github.com/ctxnorm/ctxnorm/papers/sapbert"
	"github.com/ctxnorm/ctxnorm/text"
)

// resampling is a task whose batches depend on the encoder at the start of the epoch, with raw vectors and two trained
// parameters: each batch moves a text toward the text that was nearest to it, scaled by the parameters.
type resampling struct {
	contrastive.Plan
	queries []*text.Query
	nearest []int
	epochs  []int // epochs in which Resample was called
}

const resamplingEpoch = 5

func newResampling(c contrastive.Config) *resampling {
	m := &resampling{Plan: contrastive.Plan{
		Recipe: "resampling", Config: c, Settings: map[string]int{"epoch": resamplingEpoch}, Steps: c.Steps,
		EpochSteps: resamplingEpoch, RawVectors: true, Parameters: []contrastive.Parameter{
			{Name: "scale", Initial: 1, LearningRate: .01}, {Name: "offset", Initial: -.5, LearningRate: .05},
		},
	}}
	_, names := corpusOf(6, 0, 1)
	for i := range names {
		m.queries = append(m.queries, &names[i].Query)
	}
	return m
}

func (m *resampling) WriteData(w io.Writer) { fmt.Fprint(w, len(m.queries)) }

func (m *resampling) Resample(_ context.Context, epoch int, encode contrastive.Encode) error {
	vectors, dim, err := encode(m.queries)
	if err != nil {
		return err
	}
	m.epochs = append(m.epochs, epoch)
	m.nearest = make([]int, len(m.queries))
	for i := range m.queries {
		best := math.Inf(1)
		for j := range m.queries {
			d := 0.0
			for k := range dim {
				difference := float64(vectors[i*dim+k] - vectors[j*dim+k])
				d += difference * difference
			}
			if i != j && d < best {
				best, m.nearest[i] = d, j
			}
		}
	}
	return nil
}

func (m *resampling) Batch(step int) (*contrastive.Batch, error) {
	b := &contrastive.Batch{Names: true, Loss: scaledDistance{}}
	for k := range 3 {
		i := (3*step + k) % len(m.queries)
		b.Rows = append(b.Rows, contrastive.Row{Query: m.queries[i]}, contrastive.Row{Query: m.queries[m.nearest[i]]})
	}
	return b, nil
}

// scaledDistance is the sum of (scale (x - y) - offset)^2 over the pairs of a batch.
type scaledDistance struct{}

func (scaledDistance) Evaluate(v contrastive.Vectors) (contrastive.LossValue, error) {
	value := contrastive.LossValue{Rows: make([]float64, len(v.Rows)), Parameters: make([]float64, 2)}
	for i := 0; i < len(v.Labels); i += 2 {
		x, y := v.Row(i), v.Row(i+1)
		for k := range x {
			e := v.Parameters[0]*(x[k]-y[k]) - v.Parameters[1]
			value.Loss += e * e
			value.Rows[i*v.Dim+k] += 2 * e * v.Parameters[0]
			value.Rows[(i+1)*v.Dim+k] -= 2 * e * v.Parameters[0]
			value.Parameters[0] += 2 * e * (x[k] - y[k])
			value.Parameters[1] -= 2 * e
		}
	}
	return value, nil
}

// TestResume stops a training of each task, at the start, in the middle and at the end of epochs, and continues it:
// weights, parameters and log are those of an uninterrupted training, bit for bit.
func TestResume(t *testing.T) {
	of := func(make func(c contrastive.Config) (contrastive.Task, error)) func() Training {
		return func() (training Training) {
			training = tinyTraining(t, 24)
			c := training.Task.Describe().Config
			c.Pooling = contrastive.PoolMean
			training.Task = must.Get(make(c))
			return training
		}
	}
	newResampling := func(c contrastive.Config) (contrastive.Task, error) { return newResampling(c), nil }
	for name, test := range map[string]struct {
		make  func() Training
		stops []int
	}{
		contrastive.BioCoMName: {func() Training { return tinyTraining(t, 24) }, []int{3, 4, 11, 20}},
		"biosyn":               {func() Training { return tinyBioSyn(t, nil) }, []int{1, 4, 7}},
		bne.Name: {func() (training Training) {
			training = of(newBNE(t))()
			training.Base = wordVectorsOf(t)
			_, training.Validation = corpusOf(6, 0, 1)
			return training
		}, []int{3, 5, 9, 20}},
		"resampling": {of(newResampling), []int{3, 5, 9, 20}},
		"sapbert":    {of(newSapBERT), []int{3, 5, 9, 20}},
		"dilbert":    {of(newDILBERT), []int{3, 5, 9, 20}},
	} {
		t.Run(name, func(t *testing.T) {
			whole, broken := test.make(), test.make()
			want := must.Get(Train(t.Context(), whole))
			for _, stopAfter := range test.stops {
				ctx, cancel := context.WithCancel(context.Background())
				broken.Task = test.make().Task // nothing is left from the run before
				broken.Progress = func(p contrastive.LogEntry, _ int) {
					if p.Step == stopAfter {
						cancel()
					}
				}
				if _, err := Train(ctx, broken); !errors.Is(err, context.Canceled) {
					t.Fatalf("stopped after %d: %v", stopAfter, err)
				}
				cancel()
			}
			broken.Progress, broken.Task = nil, test.make().Task
			got := must.Get(Train(t.Context(), broken))
			if last := test.stops[len(test.stops)-1]; got.Resumed != last {
				t.Errorf("resumed after %d steps, want %d", got.Resumed, last)
			}
			if !cmp.Equal(fixtures.BERTWeights(t, whole.Out), fixtures.BERTWeights(t, broken.Out)) {
				t.Error("weights differ from those of a training that was not interrupted")
			}
			if diff := cmp.Diff(want.Parameters, got.Parameters); diff != "" {
				t.Errorf("parameters (-whole +broken):\n%s", diff)
			}
			for _, p := range whole.Task.Describe().Parameters {
				if got.Parameters[p.Name] == p.Initial {
					t.Errorf("%s is still %v: it was not trained", p.Name, p.Initial)
				}
			}
			curve := curveOf(t, whole.LogFile)
			if diff := cmp.Diff(curve, curveOf(t, broken.LogFile)); diff != "" {
				t.Errorf("curve (-whole +broken):\n%s", diff)
			}
			if first, last := meanLoss(curve[:len(curve)/4]), meanLoss(curve[3*len(curve)/4:]); last >= first {
				t.Errorf("the loss is %.3f at first and %.3f at last, want it to fall", first, last)
			}
		})
	}
}

func meanLoss(entries []contrastive.LogEntry) (mean float64) {
	for _, e := range entries {
		mean += e.Loss / float64(len(entries))
	}
	return mean
}

func newSapBERT(c contrastive.Config) (contrastive.Task, error) {
	_, names := corpusOf(6, 0, 1)
	r := sapbert.Recipe()
	*r.Values.(*sapbert.Settings) = sapbert.Settings{PairsPerBatch: 8, PairsPerConcept: 6, Epochs: 1}
	return r.Task(c, contrastive.Data{Names: names})
}

// newDILBERT returns DILBERT with resampling, on mentions of two words of a concept. Its epochs have 15
// newDILBERT returns DILBERT with resampling, on mentions made of two words of a concept. Its epochs have 15 steps.
func newDILBERT(c contrastive.Config) (contrastive.Task, error) {
	_, names := corpusOf(6, 0, 1)
	var mentions []text.Exemplar
	concepts := make(map[kb.ConceptID]*kb.Concept)
	for i := range names {
		id := names[i].Mention.Concepts[0]
		if concepts[id] == nil {
			concepts[id] = &kb.Concept{ID: id}
		} else {
			mentions = append(mentions, text.NameExemplar(names[i-1].Surface()+" "+names[i].Surface(), id))
		}
		concepts[id].Synonyms = append(concepts[id].Synonyms, names[i].Surface())
	}
	var all []kb.Concept
	for _, concept := range concepts {
		all = append(all, *concept)
	}
	r := dilbert.Recipe()
	s := r.Values.(*dilbert.Settings)
	s.Sampling, s.Positives, s.Negatives, s.TripletsPerBatch = "resampling", 2, 3, 10
	return r.Task(c, contrastive.Data{Labeled: mentions, Names: names, Dictionary: kb.NewDictionary(all)})
}

// wordVectorsOf returns the folder of vectors for the words of the names, trained on sentences of a concept's words.
func wordVectorsOf(t testing.TB) string {
	t.Helper()
	contexts, _ := corpusOf(6, 8, 1)
	config := wordvec.DefaultConfig()
	config.Dim, config.MinCount, config.Epochs = 8, 1, 2
	v := must.Get(wordvec.Train(t.Context(), func(yield func([]string, error) bool) {
		for i := range contexts {
			if !yield(wordvec.Words(contexts[i].Text), nil) {
				return
			}
		}
	}, config))
	dir := filepath.Join(t.TempDir(), "word-vectors")
	must.Succeed(t, v.Save(dir))
	return dir
}

// newBNE returns a function that makes BNE with small layers and dropout.
func newBNE(t testing.TB) func(c contrastive.Config) (contrastive.Task, error) {
	folder := wordVectorsOf(t)
	return func(c contrastive.Config) (contrastive.Task, error) {
		_, names := corpusOf(6, 0, 1)
		concepts := make([]kb.Concept, 6)
		for i := range names {
			id := names[i].Mention.Concepts[0]
			at := slices.IndexFunc(concepts, func(c kb.Concept) bool { return c.ID == id || c.ID == "" })
			concepts[at].ID = id
			concepts[at].Synonyms = append(concepts[at].Synonyms, names[i].Surface())
		}
		r := bne.Recipe()
		s := r.Values.(*bne.Settings)
		s.NamesPerBatch, s.CharacterDim, s.HiddenDim, s.Dropout = 10, 5, 6, .2
		c.WeightInterpolation = 0
		return r.Task(c, contrastive.Data{Names: names, Dictionary: kb.NewDictionary(concepts), WordVectors: folder})
	}
}

// tinyBioSyn returns a training of BioSyn on the names of a small corpus: every third name is a labeled mention.
func tinyBioSyn(t testing.TB, change func(*biosyn.Settings)) Training {
	t.Helper()
	r := biosyn.Recipe()
	r.Config.LearningRate = 3e-3
	r.Config.Precision = contrastive.PrecisionFloat32
	r.Config.CheckpointEvery, r.Config.ValidateEvery = 2, -1
	s := r.Values.(*biosyn.Settings)
	s.Candidates.PerMention = 6
	s.MentionsPerBatch, s.Epochs = 4, 4
	s.DenseScale = 10
	if change != nil {
		change(s)
	}
	_, all := corpusOf(6, 0, 1)
	var mentions, names []text.Exemplar
	for i := range all {
		if i%3 == 0 {
			mentions = append(mentions, all[i])
		} else {
			names = append(names, all[i])
		}
	}
	task := must.Get(r.Task(r.Config, contrastive.Data{Labeled: mentions, Names: names}))
	training := tinyTraining(t, 1)
	training.Task, training.Validation = task, nil
	return training
}
