//go:build torch

package bne

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
)

// FuzzOpenModel opens an encoder with any content of its form and weights.
func FuzzOpenModel(f *testing.F) {
	dir := filepath.Join(f.TempDir(), "encoder")
	must.Succeed(f, small(f).Write(dir))
	var files [2][]byte
	for i, name := range []string{formFile, weightsFile} {
		data := must.Get(os.ReadFile(filepath.Join(dir, name)))
		files[i] = data
	}
	form, weights := files[0], files[1]
	f.Add(form, weights)
	f.Add([]byte(`{"format": 1, "character_dim": 4096, "hidden": 4096, "characters": "ab"}`), weights)
	f.Add([]byte(`{"format": 1, "character_dim": -1, "hidden": 9223372036854775807}`), weights)
	f.Add(form, weights[:len(weights)-1])
	f.Add(form, binary.LittleEndian.AppendUint64(nil, 1<<62))
	f.Fuzz(func(t *testing.T, form, weights []byte) {
		for name, content := range map[string][]byte{formFile: form, weightsFile: weights} {
			must.Succeed(t, os.WriteFile(filepath.Join(dir, name), content, 0o600))
		}
		m, err := openModel(dir)
		if err != nil {
			return
		}
		m.Read("renal failure")
		m.Drop()
	})
}
