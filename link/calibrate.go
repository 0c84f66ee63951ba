package link

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"

	"ctxnorm"
)

// Calibration is what was learnt about ranking: calibration.json.
type Calibration struct {
	Weights Weights `json:"weights"`
	Source  string  `json:"source,omitempty"` // [FromHeldOutNames] or [FromGold]
	Queries int     `json:"queries"`          // that the weights were learnt from
	Found   int     `json:"found"`            // of these, with the right concept among the candidates
	Acc1    float64 `json:"acc1"`             // of Found, ranked first by the weights learnt
	// CrossAcc1 is Acc1 by ten-fold cross-validation, in which queries of equal
	// wording are in one fold.
	CrossAcc1 float64 `json:"cross_validated_acc1"`
	// Abstention says what a least probability makes of the queries; nil where there
	// were none.
	Abstention *Abstention `json:"abstention,omitempty"`
}

// calibrate learns the weights of all that a model has, and what its probabilities are
// worth on queries whose concept it may not have.
func (l *trainingSet) calibrate(ctx context.Context, m *Model, seed uint64) (*Calibration, error) {
	m = m.memoized() // the queries are asked again about the model with less in it
	proposals, err := l.generate(ctx, m, AllParts)
	if err != nil {
		return nil, err
	}
	choices := l.examples(m, proposals)
	start := prior(m, AllParts)
	c := &Calibration{Source: l.source, Queries: len(l.queries), Found: len(choices)}
	if c.Weights, err = fitWeights(choices, start); err != nil {
		return nil, err
	}
	crossed, err := fitCVFolds(choices, start)
	if err != nil {
		return nil, err
	}
	right, crossRight := 0, 0
	for i := range choices {
		if choices[i].top1Correct(&c.Weights) {
			right++
		}
		if choices[i].top1Correct(&crossed[choices[i].cvFold]) {
			crossRight++
		}
	}
	found := float64(max(1, c.Found))
	c.Acc1, c.CrossAcc1 = float64(right)/found, float64(crossRight)/found
	c.Abstention, err = l.measureAbstention(ctx, m, seed, &crossed)
	return c, err
}

// prior weights are what was learnt from half of MEDIC and 109,176 records of PubMed,
// rounded: with an encoder's names, and without. A model keeps them where its corpus
// has nothing to say.
func prior(m *Model, parts Parts) Weights {
	f := features{
		lexical: 2, tokenSetMatch: 3, textWords: 2, contextVote: 1,
		subtreeScore: 3, bestChildScore: -1.5, subtreeTermF1: 2, noName: 1.5,
	}
	if m.Encoder == nil {
		parts &^= PartNames | PartContexts
	}
	if parts.Has(PartNames) {
		f[nameCosine], f[nameCosineTop3], f[relativeCosine] = 2.5, 2.5, .5
		f[lexical], f[noName] = .5, 5
	}
	f.mask(parts)
	return Weights(f)
}

func (c *Calibration) write(path string) error {
	data, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	return renameio.WriteFile(path, append(data, '\n'), 0o666)
}

// readCalibration reads what was learnt for a model, or gives it the prior weights
// where nothing was.
func readCalibration(dir string, m *Model) (*Calibration, error) {
	if _, listed := m.Manifest.Files[calibrationFile]; !listed {
		return &Calibration{Weights: prior(m, AllParts)}, nil
	}
	path := filepath.Join(dir, calibrationFile)
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var c Calibration
	if err := json.Unmarshal(data, &c); err != nil {
		return nil, &FileError{path, err.Error() + "; ctxnorm calibrate learns the weights anew"}
	}
	return &c, nil
}

// Gold gives the mentions of annotated documents, with the concepts of the model that
// are right.
type Gold func(*Model) ([]ctxnorm.Exemplar, error)

// calibrateBy learns from gold, or without labels where that is nil.
func calibrateBy(ctx context.Context, m *Model, gold Gold) (*Calibration, error) {
	seed := m.Manifest.Dictionary.Seed
	if gold == nil {
		lessons, err := silverSet(m, seed)
		if err != nil {
			return nil, err
		}
		return lessons.calibrate(ctx, m, seed)
	}
	mentions, err := gold(m)
	if err != nil {
		return nil, err
	}
	return goldSet(m, mentions).calibrate(ctx, m, seed)
}
