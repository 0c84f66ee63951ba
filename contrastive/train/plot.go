package train

import (
	"fmt"
	"io"

	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
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
	err := artifact.Write(path, func(w io.Writer) error { return plot.WriteTrainingCurve(w, points) })
	if err != nil {
		return fmt.Errorf("training curve: %w", err)
	}
	return nil
}
