package link

import (
	"context"
	"errors"
	"path/filepath"
)

// Recalibrate learns the weights of the model in dir anew, in its place, and gives
// them. They are learnt from gold, or without labels where gold is nil. The manifest is
// sealed again.
func Recalibrate(ctx context.Context, dir string, openEncoder OpenEncoder, gold Gold) (_ *Calibration, err error) {
	m, err := openUncalibrated(dir, openEncoder)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	calibration, err := calibrateBy(ctx, m, gold)
	if err != nil {
		return nil, err
	}
	if err := calibration.write(filepath.Join(dir, calibrationFile)); err != nil {
		return nil, err
	}
	return calibration, m.Manifest.seal(dir)
}
