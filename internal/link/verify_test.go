package link

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/modeltest"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// unusedByLinking reports whether linking never reads a file of a model.
func unusedByLinking(name string) bool {
	return strings.HasPrefix(name, "training/") || name == "index/hidden-definitions.parquet"
}

// TestVerifyAndLinkAgree damages each file of a model in turn, with the original manifest and with one that matches the
// damage, and runs Verify and linking. If linking rejects a file, so does Verify, with the same file name; if Verify
// accepts a model, linking works. With the original manifest both reject every file that affects answers.
func TestVerifyAndLinkAgree(t *testing.T) {
	encoder := fixtures.GutEncoder()
	dir := completeModel(t, encoder)
	ask := func() (link, verify error) {
		_, link = linkAll(t, dir, encoder, MethodOptions{}, 0)
		_, verify = Verify(dir)
		return link, verify
	}
	if link, verify := ask(); link != nil || verify != nil {
		t.Fatalf("the whole model: link says %v, verify %v", link, verify)
	}
	manifest := must.Get(model.ReadManifest(dir))
	manifestPath := filepath.Join(dir, "manifest.json")
	oldManifest := must.Get(os.ReadFile(manifestPath))
	for _, name := range append(manifest.Files.Names(), "manifest.json") {
		path := filepath.Join(dir, filepath.FromSlash(name))
		old := must.Get(os.ReadFile(path))
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
				must.Succeed(t, os.Remove(path))
				if damage.content != nil {
					must.Succeed(t, os.WriteFile(path, damage.content, 0o666))
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
					must.Succeed(t, os.WriteFile(path, content, 0o666))
				}
			}
		}
	}
}

// FuzzModelFile replaces a file of a model by arbitrary content with a matching manifest. It is rejected or links
// without a panic.
func FuzzModelFile(f *testing.F) {
	encoder := fixtures.GutEncoder()
	dir := completeModel(f, encoder)
	manifest := must.Get(model.ReadManifest(dir))
	names := slices.DeleteFunc(manifest.Files.Names(), func(name string) bool { return filepath.Dir(name) == "encoder" })
	contents := make([][]byte, len(names))
	for i, name := range names {
		contents[i] = must.Get(os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))))
		f.Add(i, contents[i])
	}
	f.Fuzz(func(t *testing.T, i int, content []byte) {
		if i < 0 || i >= len(names) {
			return
		}
		path := filepath.Join(dir, filepath.FromSlash(names[i]))
		must.Succeed(t, os.WriteFile(path, content, 0o666))
		defer func() {
			must.Succeed(t, os.WriteFile(path, contents[i], 0o666))
		}()
		modeltest.Seal(t, dir)
		_, _ = linkAll(t, dir, encoder, MethodOptions{Evidence: i%2 == 0}, float64(i%3)/100) // an error is as right as a result
	})
}

// TestDamagedContextsAreReportedWhenRead damages a column that is first read when evidence is needed, after the file
// was compared with the manifest.
func TestDamagedContextsAreReportedWhenRead(t *testing.T) {
	encoder := fixtures.GutEncoder()
	dir := modeltest.Build(t, encoder, nil)
	path := filepath.Join(dir, "index", "contexts.parquet")
	m := modeltest.Open(t, dir, encoder)
	damageColumn(t, path, "text")
	queries := []text.Query{fixtures.Query(t, "wheat causes <tropical sprue> here")}
	for _, evidence := range []bool{false, true} {
		ranker, err := newRanker(m, MethodOptions{Evidence: evidence})
		must.Succeed(t, err)
		_, err = ranker.Link(t.Context(), queries, 3)
		if !evidence && err != nil {
			t.Errorf("without evidence: %v", err)
		}
		if evidence && (err == nil || !strings.Contains(err.Error(), path+": ")) {
			t.Errorf("with evidence: error %v, want one that names %s", err, path)
		}
	}
	for what, read := range map[string]func() error{
		"held-out contexts": func() error {
			_, err := NewCandidateGenerator(m, AllComponents, map[string]bool{"gout": true})
			return err
		},
		"a smaller model": func() error {
			smaller := m.HoldOut(func(id kb.ConceptID) bool { return id == "G2" })
			_, err := smaller.Contexts.Exemplars()
			return err
		},
	} {
		must.Fail(t, read(), path, what)
	}
}

// damageColumn overwrites the pages of a column in a Parquet file.
func damageColumn(t testing.TB, path, column string) {
	t.Helper()
	data := must.Get(os.ReadFile(path))
	file := must.Get(parquet.OpenFile(bytes.NewReader(data), int64(len(data))))
	for _, group := range file.Metadata().RowGroups {
		for _, chunk := range group.Columns {
			if m := chunk.MetaData; strings.Join(m.PathInSchema, ".") == column {
				pages := data[m.DataPageOffset : m.DataPageOffset+m.TotalCompressedSize]
				for i := range pages {
					pages[i] = 0xff
				}
			}
		}
	}
	must.Succeed(t, os.WriteFile(path, data, 0o666))
}
