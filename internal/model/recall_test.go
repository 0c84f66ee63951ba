package model

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/linktest"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// A model that is built with an earlier one has the same vectors as one that is built without, and only
// what is new reaches the encoder.
func TestBuildFromEarlier(t *testing.T) {
	encoder := linktest.GutEncoder()
	earlier := buildGut(t, encoder, nil)
	larger := func(o *BuildOptions) {
		dict := linktest.GutDictionary()
		concepts := []kb.Concept{{ID: "G9", Name: "stomach ache"}}
		for i := range dict.Len() {
			concepts = append(concepts, *dict.At(i))
		}
		o.Dictionary = kb.NewDictionary(concepts)
	}
	want := buildGut(t, encoder, larger)
	counting := &countingEncoder{BagOfWords: encoder}
	recalled, total := 0, 0
	got := buildGut(t, encoder, func(o *BuildOptions) {
		larger(o)
		o.Encoder, o.Earlier = counting, earlier
		o.Recalled = func(known, all int) { recalled, total = known, all }
	})
	if counting.encoded != 1 { // the name of the new concept
		t.Errorf("%d names and contexts were encoded, want 1", counting.encoded)
	}
	if recalled != 11 || total != 12 { // 3 names, 4 contexts and their sentences; and the new name
		t.Errorf("%d of %d vectors are those of the earlier model, want 11 of 12", recalled, total)
	}
	for _, file := range []string{nameVectors, contextVectors, sentenceVectors} {
		if string(read(t, got, file)) != string(read(t, want, file)) {
			t.Errorf("%s differs from that of a model without an earlier one", file)
		}
	}
}

// Vectors of another encoder are not taken over.
func TestBuildFromAnotherEncoder(t *testing.T) {
	other := linktest.GutEncoder()
	other.Name = "other"
	counting := &countingEncoder{BagOfWords: linktest.GutEncoder()}
	buildGut(t, other, func(o *BuildOptions) {
		o.Encoder, o.Earlier = counting, buildGut(t, other, nil)
	})
	if want := 11; counting.encoded != want {
		t.Errorf("%d names, contexts and sentences were encoded, want %d", counting.encoded, want)
	}
}

// A damaged earlier model is an error.
func TestBuildFromDamaged(t *testing.T) {
	encoder := linktest.GutEncoder()
	earlier := buildGut(t, encoder, nil)
	flip(t, earlier, contextVectors)
	o := gutOptions(t, filepath.Join(t.TempDir(), "model"))
	o.Encoder, o.EncoderDir, o.Earlier = text.Encoder(encoder), linktest.EncoderDir(t), earlier
	if _, err := Build(t.Context(), o); err == nil {
		t.Error("no error")
	}
}

func read(t *testing.T, dir, name string) []byte {
	t.Helper()
	data := must(os.ReadFile(pathIn(dir, name)))
	return data
}
