package train

import (
	"fmt"

	"github.com/google/renameio/v2"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/plot"
)

// WriteTrainingPNG draws the entries of a training log into the file at path, which is
// replaced atomically. [plot.WriteTrainingCurve] says what the chart shows. It
// returns an error when there are no entries.
func WriteTrainingPNG(path string, entries []contrastive.LogEntry) error {
	points := make([]plot.TrainingPoint, len(entries))
	for i, e := range entries {
		points[i] = plot.TrainingPoint{Step: e.Step, Names: e.NameBatch, Loss: e.Loss, ValLoss: e.ValLoss, ValAcc: e.ValAcc}
	}
	file, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644))
	if err != nil {
		return fmt.Errorf("training curve: %w", err)
	}
	defer file.Cleanup()
	if err := plot.WriteTrainingCurve(file, points); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := file.CloseAtomicallyReplace(); err != nil {
		return fmt.Errorf("training curve: %w", err)
	}
	return nil
}
