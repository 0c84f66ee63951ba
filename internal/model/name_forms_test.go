package model

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/internal/sense"
	"github.com/ctxnorm/ctxnorm/matcher"
)

// TestNameForms notices that forms and tokens of names are others than those that models store, and checks that what a
// model has of another version is made anew.
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
	if got, want := len(arrays), len(m.stored.Names()); got != want {
		t.Errorf("%d arrays, want %d: %s", got, want, raise)
	}
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
	if diff := cmp.Diff(must.Get(want.Tagger()).Tag(nil, text), must.Get(other.Tagger()).Tag(nil, text)); diff != "" {
		t.Errorf("tagger of another version (-want +got):\n%s", diff)
	}
	for row := range int32(want.Names.Len()) {
		name := want.Names.Text(row)
		if diff := cmp.Diff(want.dictionaryIndexes.Exact().Lookup(name), other.dictionaryIndexes.Exact().Lookup(name)); diff != "" {
			t.Errorf("%s is of other concepts (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff(want.Inventory().ConceptsOf(name), other.Inventory().ConceptsOf(name)); diff != "" {
			t.Errorf("%s is a long form of other concepts (-want +got):\n%s", name, diff)
		}
	}
}

// sameArray reports whether a file has an array, but for fractions, which are not the same on all machines.
func sameArray(f *safetensors.File, a safetensors.Array) bool {
	stored := reflect.New(reflect.TypeOf(a.Data))
	err := safetensors.ViewFields(f, "", []safetensors.Field{{Name: a.Name, Data: stored.Interface()}})
	kind := stored.Type().Elem().Elem().Kind()
	return err == nil && (kind == reflect.Float32 || kind == reflect.Float64 || reflect.DeepEqual(stored.Elem().Interface(), a.Data))
}
