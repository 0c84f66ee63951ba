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
// model gets the same calibration. It is a [model.BuildOptions.Calibrate].
func Learn(ctx context.Context, m *model.Model) (*model.Calibration, error) {
	return learn(ctx, m, silverSet)
}

// Recalibrate learns the calibration of the model in dir anew, writes it there with a new manifest, and returns it. It
// learns from what known returns: the model with what a memory adds to it, and annotated mentions with their gold
// concepts, which must have the IDs of the model's dictionary. It learns without annotation if there are none. The old
// calibration need not be readable.
//
// The model is locked meanwhile. If another process is writing it, Recalibrate calls waiting and waits, or returns an
// [*files.LockedError] if waiting is nil. It refuses a folder that [model.CheckTarget] refuses.
func Recalibrate(ctx context.Context, dir string, openEncoder model.OpenEncoder,
	known func(context.Context, *model.Model) (*model.Model, []text.Exemplar, error),
	waiting func(*files.LockedError)) (_ *model.Calibration, err error) {
	if _, err := artifact.ReadFolder(dir, model.ReadManifest); err != nil {
		return nil, err // before anything is made beside what is no model
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
	if err := m.CheckEncoder(); err != nil { // weights learned without it would not be those of the model
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

// learn learns the calibration of the model, that of the model without its encoder, and which mentions
// the latter answers as well. train makes the training set of a model.
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

// calibrate returns the calibration to which each step adds what it learns.
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

// learnWeights learns the weights of all components of the model, which examples move from the prior.
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
	t.foldWeights, err = fitCVFolds(&examples, t.prior)
	return err
}

// seedOf returns the seed of the samples that a model is learned from.
func seedOf(m *model.Model) uint64 { return m.Manifest.Dictionary.Seed }

// heldOutConcepts is the share of concepts that are held out to measure abstention.
const heldOutConcepts = .1

// thresholds is the number of minimum probabilities that abstention is measured at: 0, .01, ... .99.
const thresholds = 100

// measureAbstention holds concepts out of the model, counts how the queries are answered without them, each by the
// weights of its fold, and chooses the default threshold. Without queries there is none.
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
		answers[i] = firstAnswerOf(&candidates[i], goldPositions(smaller, q), t.foldWeights[cvFold(q)])
	}
	c.Abstention = countAnswers(answers)
	c.MinProbability = c.Abstention.BestThreshold()
	return nil
}

// isHeldOut reports whether a concept is in the sample, by hash, of held-out concepts.
func isHeldOut(seed uint64, id kb.ConceptID) bool {
	return sampling.Unit(seed, "held-out concept", string(id)) < heldOutConcepts
}

// firstAnswer is the first candidate of a query.
type firstAnswer struct {
	probability float64 // negative without candidates
	correct     bool
	isNIL       bool // whether the right answer is NIL
}

// firstAnswerOf returns the candidate that the weights rank first. Candidates are ordered by concept, so the first of
// equal ones is the first by ID.
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

// countAnswers counts the queries that are answered at each minimum probability.
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

// LearnLabeled returns a function like [Learn] for a model that has labeled mentions among its names and contexts. It
// learns from the mentions of half of the documents, with a model that lacks what these documents alone add to it: so
// its names are as complete for them as they will be for new documents, which use known names and unknown ones. What is
// learned from held-out names is the prior, so that a few labels move it a little and a thousand decide. Which mentions
// need no encoder is learned, as by Learn, from the running text of the corpus, since labels are of chosen documents.
func LearnLabeled(labeled []text.Exemplar) func(context.Context, *model.Model) (*model.Calibration, error) {
	return func(ctx context.Context, m *model.Model) (*model.Calibration, error) {
		return learn(ctx, m, func(m *model.Model) (*trainingSet, error) { return labeledSet(ctx, m, labeled) })
	}
}

// labeledSet returns the training set of half of the labeled documents.
func labeledSet(ctx context.Context, m *model.Model, labeled []text.Exemplar) (*trainingSet, error) {
	queries, smaller, err := splitLabeled(m, labeled)
	if err != nil {
		return nil, err
	}
	if len(queries) == 0 { // one document, or two by chance in one half
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

// splitLabeled returns the mentions of half of the documents, sampled by hash, and a copy of the
// model without what only they add to it.
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
