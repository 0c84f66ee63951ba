//go:build torch

package train

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/encoder"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/tensor"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// corpusOf makes exemplars of a few concepts: contexts with words that are typical of their concept, and bare names.
func corpusOf(concepts, contexts int, seed uint64) (inContext, names []text.Exemplar) {
	words := [][]string{
		strings.Fields("breast cancer tumor carcinoma cells"),
		strings.Fields("renal kidney failure acute chronic"),
		strings.Fields("heart high blood pressure stroke"),
		strings.Fields("head ache fever pain severe"),
		strings.Fields("asthma cough lung therapy drug"),
		strings.Fields("diabetes mellitus type liver injury"),
	}
	r := rand.New(rand.NewPCG(seed, 0))
	for c := range concepts {
		own := words[c%len(words)]
		id := []kb.ConceptID{concept(c)}
		for i := range contexts {
			doc := &text.Document{ID: fmt.Sprintf("%d-%d", c, i)}
			for range 2 { // two mentions per sentence
				for range 1 + r.IntN(6) {
					doc.Text += own[r.IntN(len(own))] + " "
				}
				name := own[r.IntN(len(own))]
				span := text.Span{Start: len(doc.Text), End: len(doc.Text) + len(name)}
				doc.Text += name + " "
				doc.Mentions = append(doc.Mentions, text.Mention{Span: span, Name: name, Concepts: id})
			}
			inContext = append(inContext, text.Exemplar{Query: text.Query{
				Document: doc, Mention: doc.Mentions[i%2], Sentence: text.Span{End: len(doc.Text)},
			}})
		}
		for _, word := range own {
			names = append(names, text.NameExemplar(word, id...))
		}
	}
	return inContext, names
}

func concept(i int) kb.ConceptID { return kb.ConceptID(fmt.Sprintf("C%d", i)) }

// tinyTraining is a training of the checked-in model that takes a second.
func tinyTraining(t testing.TB, steps int) Training {
	t.Helper()
	c := contrastive.DefaultConfig()
	c.Steps = steps
	c.ConceptsPerBatch = 4
	c.LearningRate = 3e-3
	c.Precision = contrastive.PrecisionFloat32
	c.ValidateEvery, c.CheckpointEvery = 5, 5
	c.SynonymReplaceProb = 0.2
	c.WeightInterpolation = 0.1
	dir := t.TempDir()
	held, _ := corpusOf(6, 4, 2)
	return Training{
		Base: fixtures.TinyBERT(), Out: filepath.Join(dir, "encoder"), Checkpoints: filepath.Join(dir, "checkpoints"),
		LogFile: filepath.Join(dir, "curve.jsonl"),
		Task:    tinyBioCoM(t, c), Validation: held, Workers: 1,
	}
}

// tinyBioCoM returns the task of tinyTraining with another configuration.
func tinyBioCoM(t testing.TB, c contrastive.Config) contrastive.Task {
	t.Helper()
	contexts, names := corpusOf(6, 8, 1)
	return must.Get(contrastive.NewBioCoM(c, contexts, names))
}

// configure changes the configuration of a tinyTraining.
func configure(t testing.TB, training *Training, change func(*contrastive.Config)) {
	t.Helper()
	c := training.Task.Describe().Config
	change(&c)
	training.Task = tinyBioCoM(t, c)
}

// TestTrainLearns trains the tiny model: the accuracy improves, the weights with the best validation are written, and
// the folder opens.
func TestTrainLearns(t *testing.T) {
	for _, freeze := range []bool{true, false} {
		training := tinyTraining(t, 60)
		configure(t, &training, func(c *contrastive.Config) { c.FreezeEmbeddings = freeze })
		var points []contrastive.LogEntry
		training.Progress = func(p contrastive.LogEntry, steps int) { points = append(points, p) }
		before := accuracyOf(t, fixtures.TinyBERT(), training.Validation)
		summary := must.Get(Train(context.Background(), training))
		after := accuracyOf(t, training.Out, training.Validation)
		t.Logf("frozen tables %v: accuracy %.2f before, %.2f after; best %+v", freeze, before, after, *summary.Best)
		if after < before+0.1 {
			t.Errorf("frozen tables %v: accuracy %.3f before and %.3f after training", freeze, before, after)
		}
		if len(points) != 60 || summary.Steps != 60 {
			t.Errorf("%d points and %d steps, want 60", len(points), summary.Steps)
		}
		if after != summary.Best.Accuracy {
			t.Errorf("the written encoder has accuracy %v, want %v of the best validation", after, summary.Best.Accuracy)
		}
		onFile := must.Get(contrastive.ReadTrainingLog(training.LogFile))
		if diff := cmp.Diff(points, onFile); diff != "" {
			t.Errorf("curve (-progress +file):\n%s", diff)
		}
	}
}

func openEncoder(t testing.TB, dir string) *encoder.Encoder {
	t.Helper()
	e := must.Get(encoder.Open(dir, encoder.Options{Precision: contrastive.PrecisionFloat32}))
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// accuracyOf returns validation's accuracy, computed with an Encoder.
func accuracyOf(t testing.TB, dir string, exemplars []text.Exemplar) float64 {
	t.Helper()
	e := openEncoder(t, dir)
	queries := make([]text.Query, len(exemplars))
	labels := make([]contrastive.Label, len(exemplars))
	for i := range exemplars {
		queries[i] = exemplars[i].Query
		labels[i] = contrastive.LabelOf(exemplars[i].Mention.Concepts)
	}
	vectors := make([]float32, len(queries)*e.Dim())
	must.Succeed(t, e.Encode(t.Context(), vectors, queries))
	return nearestAccuracy(vectors, labels, e.Dim())
}

// TestMemory: after training and encoding, all tensors are freed.
func TestMemory(t *testing.T) {
	training := tinyTraining(t, 200)
	configure(t, &training, func(c *contrastive.Config) { c.CheckpointEvery, c.ValidateEvery = 50, 50 })
	var atStep40 int
	training.Progress = func(p contrastive.LogEntry, _ int) {
		switch p.Step {
		case 40:
			atStep40 = tensor.Live()
		case 200:
			if n := tensor.Live(); n > atStep40 {
				t.Errorf("%d tensors after 40 steps and %d after 200", atStep40, n)
			}
		}
	}
	before := tensor.Live()
	must.Get(Train(t.Context(), training))
	e := must.Get(encoder.Open(training.Out, encoder.Options{}))
	open := tensor.Live()
	queries := fixtures.RandomSentences(100, 1)
	must.Succeed(t, e.Encode(t.Context(), make([]float32, len(queries)*e.Dim()), queries))
	if n := tensor.Live(); n != open {
		t.Errorf("%d tensors before encoding and %d after", open, n)
	}
	must.Succeed(t, e.Close())
	if n := tensor.Live(); n != before {
		t.Errorf("%d tensors before training and %d after everything was closed", before, n)
	}
}

// curveOf reads the training log without the fields that depend on the clock.
func curveOf(t testing.TB, path string) []contrastive.LogEntry {
	t.Helper()
	points := must.Get(contrastive.ReadTrainingLog(path))
	for i := range points {
		points[i].SentencesPerSecond, points[i].Seconds = 0, 0
	}
	return points
}
