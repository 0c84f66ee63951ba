package model

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/internal/sense"
	"github.com/ctxnorm/ctxnorm/matcher"
)

// TestNameForms fails if forms and tokens of names differ from those that models store. It also checks that a model
// with another version computes them anew.
func TestNameForms(t *testing.T) {
	const raise = "raise nameForms, and make the model in testdata anew, see FormatVersion"
	dir := filepath.Join("..", "..", "testdata", "v0.1.0", "model")
	m := open(t, dir, nil)
	names := newNames(m.Dictionary, m.corpusSynonyms)
	arrays := must.Get(nameArrays(t.Context(), &names, &m.Contexts, sense.NewNames(t.Context(), m.Dictionary)))
	for _, array := range arrays {
		if !sameArray(m.stored, array) {
			t.Errorf("%s is not what the model in testdata has: %s", array.Name, raise)
		}
	}
	must.Equal(t, len(arrays), len(m.stored.Names()), "arrays")
	tagger, _, err := matcher.NewTagger(m.Dictionary, matcher.DefaultNameFilter())
	must.Succeed(t, err)
	path := filepath.Join(t.TempDir(), "tagger.idx")
	must.Succeed(t, tagger.Write(path))
	stored := must.Get(os.ReadFile(filepath.Join(dir, filepath.FromSlash(taggerFile))))
	if !bytes.Equal(must.Get(os.ReadFile(path)), stored) {
		t.Error("the tagger is not that in testdata: ", raise)
	}

	want := open(t, buildGut(t, nil, nil), nil)
	dir = buildGut(t, nil, nil)
	manifest := *want.Manifest
	manifest.Index.NameForms++
	must.Succeed(t, errors.Join(os.Remove(filepath.Join(dir, manifestFile)),
		os.Truncate(filepath.Join(dir, filepath.FromSlash(taggerFile)), 0), writeManifest(dir, &manifest)))
	other := open(t, dir, nil)
	if indexes, err := other.StoredIndexes(); indexes != nil || err != nil {
		t.Errorf("indexes of another version: %v, %v", indexes, err)
	}
	const text = "Gastric ulcer and a hernia."
	must.Equal(t, must.Get(other.Tagger()).Tag(nil, text), must.Get(want.Tagger()).Tag(nil, text),
		"tagger of another version")
	for row := range int32(want.Names.Len()) {
		name := want.Names.Text(row)
		must.Equal(t, other.dictionaryIndexes.Exact().Lookup(name), want.dictionaryIndexes.Exact().Lookup(name), name,
			"is of other concepts")
		must.Equal(t, other.Inventory().ConceptsOf(name), want.Inventory().ConceptsOf(name), name,
			"is a long form of other concepts")
	}
}

// sameArray reports whether a file has an array. It ignores fractions, which differ between machines.
func sameArray(f *safetensors.File, a safetensors.Array) bool {
	stored := reflect.New(reflect.TypeOf(a.Data))
	err := safetensors.ViewFields(f, "", []safetensors.Field{{Name: a.Name, Data: stored.Interface()}})
	kind := stored.Type().Elem().Elem().Kind()
	return err == nil && (kind == reflect.Float32 || kind == reflect.Float64 || reflect.DeepEqual(stored.Elem().Interface(), a.Data))
}
