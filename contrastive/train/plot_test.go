//go:build torch

package train

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/contrastive"
)

func TestWriteTrainingPNG(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "curve.png")
	valLoss, valAcc := 0.7, 0.5
	entries := []contrastive.LogEntry{{Step: 1, Loss: 0.9}, {Step: 2, NameBatch: true, Loss: 0.3}, {Step: 3, Loss: 0.8, ValLoss: &valLoss, ValAcc: &valAcc}}
	if err := writeTrainingPNG(path, entries); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(path); err != nil || !bytes.HasPrefix(data, []byte("\x89PNG\r\n")) {
		t.Errorf("%d bytes, %v; want a PNG file", len(data), err)
	}
	err := writeTrainingPNG(filepath.Join(dir, "none.png"), nil)
	if err == nil || !strings.Contains(err.Error(), "none.png: the training log has no entries to plot") {
		t.Errorf("error %v, want one that names the file", err)
	}
	if err := writeTrainingPNG(filepath.Join(dir, "none", "curve.png"), entries); err == nil || !strings.Contains(err.Error(), "none") {
		t.Errorf("error %v, want one that names the folder", err)
	}
}
