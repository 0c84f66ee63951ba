package calibrate

import (
	"context"
	"errors"
	"slices"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// Learn learns the calibration of a model without annotation, from names that it holds out of the dictionary. The same
// model always gets the same calibration. Learn can be used as [model.BuildOptions.Calibrate].
func Learn(ctx context.Context, m *model.Model) (*model.Calibration, error) {
	return learn(ctx, m, silverSet)
}

// Recalibrate learns the calibration of the model in dir again, writes it there with a new manifest, and returns it. It
// learns from the results of known: the model extended by a memory, and annotated mentions with their gold concepts,
// which must have IDs of the model's dictionary. If there are no annotated mentions, it learns without annotation. The
// old calibration may be unreadable.
//
// The model is locked meanwhile. If another process is writing it, Recalibrate calls waiting and waits, or returns an
// [*files.LockedError] if waiting is nil. It rejects a folder that [model.CheckTarget] rejects.
func Recalibrate(ctx context.Context, dir string, openEncoder model.OpenEncoder,
	known func(context.Context, *model.Model) (*model.Model, []text.Exemplar, error),
	waiting func(*files.LockedError)) (_ *model.Calibration, err error) {
	if _, err := artifact.ReadFolder(dir, model.ReadManifest); err != nil {
		return nil, err // before a lock file is created next to something that is not a model
	}
	lock, err := artifact.LockFolder(ctx, dir, waiting)
	if err != nil {
		return nil, err
	}
	defer lock.Release()
	if err := model.CheckTarget(dir); err != nil {
		return nil, err
	}
	m, err := model.OpenUncalibrated(dir, openEncoder)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	if err := m.CheckEncoder(); err != nil { // without it, the learned weights would belong to another model
		return nil, err
	}
	extended, gold, err := known(ctx, m)
	if err != nil {
		return nil, err
	}
	train := silverSet
	if len(gold) > 0 {
		train = func(m *model.Model) (*trainingSet, error) { return goldSet(ctx, m, gold) }
	}
	calibration, err := learn(ctx, extended, train)
	if err != nil {
		return nil, err
	}
	return calibration, m.WriteCalibration(calibration)
}

// learn learns three things: the calibration of the model, the calibration of the model without its encoder, and the
// mentions that the latter answers equally well. train makes the training set of a model.
func learn(ctx context.Context, m *model.Model,
	train func(*model.Model) (*trainingSet, error)) (*model.Calibration, error) {
	stage := func(m *model.Model) (*model.Calibration, error) {
		set, err := train(m)
		if err != nil {
			return nil, err
		}
		return set.calibrate(ctx)
	}
	c, err := stage(m)
	if err != nil || m.Vectors == nil {
		return c, err
	}
	if c.WithoutEncoder, err = stage(m.WithoutEncoder()); err != nil {
		return nil, err
	}
	c.Cascade, err = learnCascade(ctx, m.WithCalibration(c))
	return c, err
}

// calibrate returns a calibration. Each step adds its results to it.
func (t *trainingSet) calibrate(ctx context.Context) (*model.Calibration, error) {
	t.model = t.model.Memoized() // abstention is measured on the same queries
	c := &model.Calibration{Source: t.source, Queries: len(t.queries)}
	for _, step := range []func(context.Context, *model.Calibration) error{
		t.learnWeights, t.learnSenses, t.learnFit, t.learnLongForms, t.measureAbstention,
	} {
		if err := step(ctx, c); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// learnWeights learns the weights of all components of the model, starting from the prior.
func (t *trainingSet) learnWeights(ctx context.Context, c *model.Calibration) error {
	examples, err := t.examples(ctx, link.AllComponents)
	if err != nil {
		return err
	}
	if t.weights, err = fitWeights(&examples, t.prior); err != nil {
		return err
	}
	correct := 0
	for i := range examples.answered {
		e := &examples.answered[i]
		correct += count(e.gold[best(e.candidates[:len(e.candidates)-1], t.weights)]) // without NIL
	}
	c.Weights, c.Found = link.RankingFeatures.ByName(t.weights), len(examples.answered)
	c.Acc1 = float64(correct) / float64(max(1, c.Found))
	return nil
}

// seedOf returns the seed of the samples from which the model's weights are learned.
func seedOf(m *model.Model) uint64 { return m.Manifest.Dictionary.Seed }

// heldOutConcepts is the fraction of concepts that are held out to measure abstention.
const heldOutConcepts = .1

// thresholds is the number of minimum probabilities at which abstention is measured: 0, .01, ... .99.
const thresholds = 100

// measureAbstention holds concepts out of the model, counts how the queries are answered without them, and chooses the
// default threshold. It does nothing without queries.
func (t *trainingSet) measureAbstention(ctx context.Context, c *model.Calibration) error {
	if len(t.queries) == 0 {
		return nil
	}
	smaller := t.model.HoldOut(func(id kb.ConceptID) bool { return isHeldOut(seedOf(t.model), id) })
	generator, err := link.NewCandidateGenerator(smaller, link.AllComponents, t.heldOutNames)
	if err != nil {
		return err
	}
	candidates, err := generator.Generate(ctx, t.queries)
	if err != nil {
		return err
	}
	answers := make([]firstAnswer, len(candidates))
	for i := range candidates {
		q := &t.queries[i]
		answers[i] = firstAnswerOf(&candidates[i], goldPositions(smaller, q), t.weights)
	}
	c.Abstention = countAnswers(answers)
	c.MinProbability = c.Abstention.BestThreshold()
	return nil
}

// isHeldOut reports whether a concept is in the sample of held-out concepts, by hash.
func isHeldOut(seed uint64, id kb.ConceptID) bool {
	return sampling.Unit(seed, "held-out concept", string(id)) < heldOutConcepts
}

// firstAnswer describes the first candidate of a query.
type firstAnswer struct {
	probability float64 // negative if there are no candidates
	correct     bool
	isNIL       bool // whether the right answer is NIL
}

// firstAnswerOf returns the candidate that the weights rank first. Candidates are ordered by concept, so ties go to the
// first ID.
func firstAnswerOf(candidates *link.Candidates, gold []int32, weights []float64) firstAnswer {
	answer := firstAnswer{probability: -1, isNIL: len(gold) == 0}
	probabilities, _ := candidates.Probabilities(weights)
	for i, p := range probabilities {
		if p > answer.probability {
			answer.probability, answer.correct = p, slices.Contains(gold, candidates.Concepts[i].Concept)
		}
	}
	return answer
}

// countAnswers counts the answered queries at each minimum probability.
func countAnswers(answers []firstAnswer) *model.Abstention {
	a := &model.Abstention{Queries: len(answers), Rows: make([]model.ThresholdRow, thresholds)}
	for i := range a.Rows {
		row := &a.Rows[i]
		row.MinProbability = float64(i) / thresholds
		for _, answer := range answers {
			switch {
			case answer.probability < row.MinProbability:
				row.NILCorrect += count(answer.isNIL)
			default:
				row.Answered++
				row.Correct += count(answer.correct)
			}
		}
	}
	for _, answer := range answers {
		a.NIL += count(answer.isNIL)
	}
	return a
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// LearnLabeled returns a function like [Learn] for a model with labeled mentions among its names and contexts. It
// learns from the mentions of half of the documents, with a model that lacks everything that only these documents add.
// So its names are as complete for these documents as they will be for new documents, which use known names and unknown
// ones. The prior is learned from held-out names, so that a few labels change it a little and a thousand override it.
// As in Learn, the running text of the corpus teaches which mentions need no encoder, because labeled documents are
// selected.
func LearnLabeled(labeled []text.Exemplar) func(context.Context, *model.Model) (*model.Calibration, error) {
	return func(ctx context.Context, m *model.Model) (*model.Calibration, error) {
		return learn(ctx, m, func(m *model.Model) (*trainingSet, error) { return labeledSet(ctx, m, labeled) })
	}
}

// labeledSet returns a training set of the mentions in half of the labeled documents.
func labeledSet(ctx context.Context, m *model.Model, labeled []text.Exemplar) (*trainingSet, error) {
	queries, smaller, err := splitLabeled(m, labeled)
	if err != nil {
		return nil, err
	}
	if len(queries) == 0 { // there is one document, or all are in the other half by chance
		return silverSet(m)
	}
	silver, err := silverSet(smaller)
	if err != nil {
		return nil, err
	}
	set, err := goldSet(ctx, smaller, queries)
	if err != nil {
		return nil, err
	}
	set.prior, err = silver.fitWeights(ctx, link.AllComponents)
	return set, err
}

// splitLabeled returns the mentions of half of the documents, sampled by hash, and a copy of the model without
// everything that only they add to it.
func splitLabeled(m *model.Model, labeled []text.Exemplar) (queries []text.Exemplar, smaller *model.Model, err error) {
	heldOut := func(document string) bool { return sampling.Hash(seedOf(m), "labels", document)%2 == 0 }
	for i := range labeled {
		if heldOut(labeled[i].ID) {
			queries = append(queries, labeled[i])
		}
	}
	smaller, err = m.WithoutLabels(labeled, heldOut)
	return queries, smaller, err
}
