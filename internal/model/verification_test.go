package model

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/knnindex"
	"github.com/ctxnorm/ctxnorm/text"
)

// buildComplete builds a model with a file of every kind.
func buildComplete(t testing.TB, encoder *fixtures.BagOfWords) string {
	t.Helper()
	table := mine.AbbreviationTable{{Short: "CD", Long: []mine.LongForm{{Text: "celiac disease", Count: 4, Share: 1}}}}
	log := filepath.Join(t.TempDir(), "curve.jsonl")
	must.Succeed(t, os.WriteFile(log, []byte("{}\n"), 0o666))
	return buildGut(t, encoder, func(o *BuildOptions) {
		o.Index, o.Abbreviations, o.TrainingLog, o.Space = knnindex.KindHNSW, table, log, wordSpace(t)
		o.CorpusSynonyms = []mine.Synonym{{Concept: "G2", Text: "children belly", Count: 2, Origin: text.Origin{Mined: "also known as"}}}
		o.Calibrate = func(context.Context, *Model) (*Calibration, error) {
			return &Calibration{Weights: map[string]float64{"nameCosine": .5}}, nil
		}
	})
}

// answer opens a model and uses everything that an answer can come from.
func answer(dir string, encoder text.Encoder) (err error) {
	m, err := Open(dir, func(string, string) (text.Encoder, error) { return encoder, nil })
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	doc := &text.Document{Text: "a gastric ulcer"}
	queries := []text.Query{{Document: doc, Mention: text.Mention{Span: text.Span{Start: 2, End: 15}}, Sentence: text.Span{End: 15}}}
	if v := m.Vectors; v != nil {
		for _, rows := range []*VectorIndex{&v.Names, &v.Contexts} {
			if _, _, err := v.Nearest(context.Background(), queries, rows, 3); err != nil {
				return err
			}
		}
	}
	if _, err := m.Profiles(); err != nil {
		return err
	}
	_, err = m.Tagger()
	return err
}

// TestNoAnswerFromDamage flips a bit at the start, in the middle and at the end of every file of a model, truncates it,
// and removes it: the model never answers from it, and the error names the file, as does that of Verify.
func TestNoAnswerFromDamage(t *testing.T) {
	encoder := fixtures.GutEncoder()
	dir := buildComplete(t, encoder)
	must.Succeed(t, answer(dir, encoder))
	manifest := must.Get(ReadManifest(dir))
	names := manifest.Files.Names()
	if len(names) < 16 {
		t.Fatalf("the model has only the files %v", names)
	}
	check := func(name string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		data := must.Get(os.ReadFile(path))
		for _, at := range []int{0, len(data) / 3, len(data) / 2, len(data) - 1, len(data), -1} {
			damaged := append([]byte(nil), data...)
			switch {
			case at == len(data):
				must.Succeed(t, os.WriteFile(path, data[:at-1], 0o666))
			case at < 0:
				must.Succeed(t, os.Remove(path))
			default:
				damaged[at] ^= 0x10
				must.Succeed(t, os.WriteFile(path, damaged, 0o666))
			}
			_, err := Verify(dir)
			must.Fail(t, err, filepath.Base(name), name, "changed", at, "Verify")
			err = answer(dir, encoder)
			fault, isDamage := errors.AsType[*files.DamagedError](err)
			switch {
			case strings.HasPrefix(name, trainingFolder+"/") && 0 <= at && at < len(data):
				if isDamage {
					t.Errorf("%s is refused, though no answer depends on it: %v", name, fault)
				}
			case !isDamage || fault.Path != path && !strings.Contains(err.Error(), filepath.Base(name)):
				t.Errorf("%s changed at %d: error is %v, want one of the file", name, at, err)
			}
		}
		must.Succeed(t, os.WriteFile(path, data, 0o666))
	}
	for _, name := range names {
		check(name)
	}
	check(manifestFile)
}

// TestManifestIsRefused tries manifests with a valid checksum that do not match the folder.
func TestManifestIsRefused(t *testing.T) {
	dir := buildGut(t, nil, nil)
	for name, change := range map[string]func(*Manifest){
		"lists \"../../secret\"":            func(m *Manifest) { m.Files["../../secret"] = artifact.Digest{} },
		"does not list dictionary/concepts": func(m *Manifest) { delete(m.Files, conceptsFile) },
		"does not list index/contexts":      func(m *Manifest) { delete(m.Files, contextExemplars) },
		", want ":                           func(m *Manifest) { d := m.Files[conceptsFile]; d.CRC32C = ""; m.Files[conceptsFile] = d },
		"index/x: is missing":               func(m *Manifest) { m.Files["index/x"] = artifact.Digest{Size: -1} },
		fmt.Sprintf("model format is 99, want %d: another version", FormatVersion): func(m *Manifest) { m.Format = 99 },
	} {
		m := must.Get(ReadManifest(dir))
		change(m)
		path := filepath.Join(dir, manifestFile)
		old := must.Get(os.ReadFile(path))
		must.Succeed(t, artifact.WriteCheckedJSON(path, m))
		must.Fail(t, answer(dir, nil), name)
		must.Succeed(t, os.WriteFile(path, old, 0o666))
	}
}

// TestCalibrationSealsNoDamage writes a calibration into a model with a damaged tagger: the manifest still reveals the
// damage.
func TestCalibrationSealsNoDamage(t *testing.T) {
	dir := buildGut(t, nil, nil)
	m := open(t, dir, nil)
	flip(t, dir, taggerFile)
	must.Succeed(t, m.WriteCalibration(&Calibration{Weights: map[string]float64{"nameCosine": 1}}))
	if _, err := Verify(dir); err == nil || !strings.Contains(err.Error(), taggerFile) || strings.Contains(err.Error(), CalibrationFile) {
		t.Errorf("Verify: %v, want an error of the tagger alone", err)
	}
}

// TestVerifyWhileReplaced replaces a model by two others in turn while it is being verified: its files are never
// compared with the manifest of another model.
func TestVerifyWhileReplaced(t *testing.T) {
	const replacements = 40
	dir := buildGut(t, nil, nil)
	done := make(chan error, 1)
	go func() {
		for n := range replacements {
			o := gutOptions(t, dir)
			o.PerConcept = 1 + n%2
			if _, err := Build(t.Context(), o); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	for n := 0; ; n++ {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			return
		default:
		}
		if _, err := Verify(dir); err != nil {
			t.Errorf("verification %d: %v", n, err)
			<-done
			return
		}
	}
}

// A model that is replaced while it is being opened, and that then cannot be closed, is not returned with the error.
func TestReplacedWhileOpening(t *testing.T) {
	encoder, link := fixtures.GutEncoder(), filepath.Join(t.TempDir(), "model") // replaced in one step
	dir, other := buildGut(t, encoder, nil), buildGut(t, encoder, nil)
	must.Succeed(t, errors.Join(os.Symlink(dir, link), os.Symlink(other, link+".new")))
	m, err := Open(link, func(string, string) (text.Encoder, error) {
		return unclosable{encoder}, os.Rename(link+".new", link)
	})
	if m != nil || !errors.Is(err, errUnclosable) {
		t.Errorf("Open returned %v, %v, want no model and %v", m, err, errUnclosable)
	}
}

var errUnclosable = errors.New("the encoder cannot be closed")

type unclosable struct{ text.Encoder }

func (unclosable) Close() error { return errUnclosable }

// Data read after the folder was replaced belongs to another model and is not used.
func TestReplacedAfterOpening(t *testing.T) {
	dir, other := buildGut(t, nil, func(*BuildOptions) {}), buildGut(t, nil, func(*BuildOptions) {})
	m := open(t, dir, nil)
	must.Succeed(t, os.Rename(dir, dir+".old"))
	must.Succeed(t, os.Rename(other, dir))
	if _, err := m.Tagger(); err == nil || !strings.HasPrefix(err.Error(), dir+" was replaced") {
		t.Errorf("the tagger of another model is read: error %v", err)
	}
	must.Get(open(t, dir, nil).Tagger())
}
