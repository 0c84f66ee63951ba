package link

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
)

// unusedByLinking reports whether no answer depends on a file of a model.
func unusedByLinking(name string) bool {
	return strings.HasPrefix(name, "training/") || name == "index/hidden-definitions.parquet"
}

// TestVerifyAndLinkAgree damages each file of a model in turn, with its manifest as it was and with
// one that fits the damage, and asks Verify and linking. What linking refuses, Verify refuses by the
// name of the same file; what Verify passes is linked with. With the old manifest both refuse every
// file that answers depend on.
func TestVerifyAndLinkAgree(t *testing.T) {
	encoder := linktest.GutEncoder()
	dir := completeModel(t, encoder)
	ask := func() (link, verify error) {
		_, link = linkAll(t, dir, encoder, RankOptions{}, 0)
		_, verify = Verify(dir)
		return link, verify
	}
	if link, verify := ask(); link != nil || verify != nil {
		t.Fatalf("the whole model: link says %v, verify %v", link, verify)
	}
	manifest := must(model.ReadManifest(dir))
	manifestPath := filepath.Join(dir, "manifest.json")
	oldManifest := must(os.ReadFile(manifestPath))
	for _, name := range append(manifest.Files.Names(), "manifest.json") {
		path := filepath.Join(dir, filepath.FromSlash(name))
		old := must(os.ReadFile(path))
		flipped := append([]byte(nil), old...)
		flipped[len(old)/2] ^= 0x10
		for _, damage := range []struct {
			what    string
			content []byte // the file is removed if it is nil
		}{
			{"flipped", flipped}, {"cut short", old[:len(old)/2]}, {"empty", []byte{}}, {"missing", nil},
			{"other JSON", []byte(`{"weights": {"kith": 1}}`)},
		} {
			for _, sealed := range []bool{false, true} {
				if sealed && name == "manifest.json" {
					continue
				}
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
				if damage.content != nil {
					if err := os.WriteFile(path, damage.content, 0o666); err != nil {
						t.Fatal(err)
					}
				}
				if sealed {
					modeltest.Seal(t, dir)
				}
				link, verify := ask()
				fault, isDamage := errors.AsType[*files.DamagedError](link)
				missed := link != nil && verify == nil
				other := isDamage && verify != nil && !strings.Contains(verify.Error(), fault.Path)
				answered := !sealed && !unusedByLinking(name) && link == nil
				if missed || other || answered || !sealed && verify == nil {
					t.Errorf("%s %s, in the manifest: %v\nlink says %v\nverify says %v",
						name, damage.what, sealed, link, verify)
				}
				for path, content := range map[string][]byte{path: old, manifestPath: oldManifest} {
					if err := os.WriteFile(path, content, 0o666); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
}
