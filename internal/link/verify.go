package link

import (
	"cmp"
	"errors"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/model"
)

// Verify is like [model.Verify] and also opens the model. It returns the error of a file that is undamaged but that
// linking refuses, such as weights of unknown features. It does not open the encoder. A model that is replaced
// meanwhile is verified again.
func Verify(dir string) (*model.Manifest, error) {
	// read everything: some files are otherwise read on first use
	return artifact.ReadFolder(dir, func(dir string) (*model.Manifest, error) {
		manifest, err := model.Verify(dir)
		if err != nil {
			return manifest, err
		}
		m, err := model.OpenVectors(dir)
		if err != nil {
			return manifest, err
		}
		_, contexts := m.Contexts.Exemplars()
		_, hidden := m.HiddenDefinitions()
		_, tagger := m.Tagger()
		return manifest, errors.Join(contexts, hidden, tagger, checkWeights(m), m.Close())
	})
}

// checkWeights returns the error for the first unusable weights of the model.
func checkWeights(m *model.Model) error {
	for c := m.Calibration; c != nil; c = c.WithoutEncoder {
		calibrated := m.WithCalibration(c)
		_, ranking := weightsOf(calibrated)
		_, senses := SenseFeatures.weightsOf(calibrated, nil)
		_, fit := FitFeatures.weightsOf(calibrated, nil)
		if err := cmp.Or(ranking, senses, fit); err != nil {
			return err
		}
	}
	return nil
}
