package link

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
)

// FuzzModelFile replaces a file of a model by any content, to which the manifest fits. The
// model is refused, or links: nothing panics.
func FuzzModelFile(f *testing.F) {
	encoder := linktest.GutEncoder()
	dir := completeModel(f, encoder)
	manifest, err := model.ReadManifest(dir)
	if err != nil {
		f.Fatal(err)
	}
	names := slices.DeleteFunc(manifest.Files.Names(), func(name string) bool { return filepath.Dir(name) == "encoder" })
	contents := make([][]byte, len(names))
	for i, name := range names {
		if contents[i], err = os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			f.Fatal(err)
		}
		f.Add(i, contents[i])
	}
	f.Fuzz(func(t *testing.T, i int, content []byte) {
		if i < 0 || i >= len(names) {
			return
		}
		path := filepath.Join(dir, filepath.FromSlash(names[i]))
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := os.WriteFile(path, contents[i], 0o666); err != nil {
				t.Fatal(err)
			}
		}()
		modeltest.Seal(t, dir)
		_, _ = linkAll(t, dir, encoder, RankOptions{Evidence: i%2 == 0}, float64(i%3)/100) // an error is as right as a result
	})
}
