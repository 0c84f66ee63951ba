package model

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/ctxnorm/ctxnorm/internal/fixtures"
	"github.com/ctxnorm/ctxnorm/internal/must"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// wordEncoder counts words, some of them in its vocabulary.
type wordEncoder struct{ *fixtures.BagOfWords }

func (e wordEncoder) CountTokens(s string) (tokens, unknown int) {
	for word := range strings.FieldsSeq(strings.ToLower(s)) {
		tokens++
		if !slices.Contains(e.Vocabulary, word) {
			unknown++
		}
	}
	return tokens, unknown
}

// readsAnything gives every text a vector, like BERT, where [UNK] also has one.
type readsAnything struct{ wordEncoder }

func (e readsAnything) Encode(ctx context.Context, dst []float32, queries []text.Query) error {
	if err := e.wordEncoder.Encode(ctx, dst, queries); err != nil {
		return err
	}
	for i := range queries {
		if row := dst[i*e.Dim() : (i+1)*e.Dim()]; !slices.ContainsFunc(row, func(x float32) bool { return x != 0 }) {
			row[0] = 1
		}
	}
	return nil
}

// Names made up of unknown tokens alone have no vector and are not near each other.
func TestNamesThatTheEncoderCannotRead(t *testing.T) {
	encoder := readsAnything{wordEncoder{&fixtures.BagOfWords{Vocabulary: []string{"gastric", "ulcer"}}}}
	dir := buildGut(t, nil, func(o *BuildOptions) {
		o.Encoder, o.EncoderDir = encoder, fixtures.EncoderDir(t)
		o.Contexts = nil
		o.Dictionary = kb.NewDictionary([]kb.Concept{{ID: "1", Name: "胃癌"}, {ID: "2", Name: "gastric ulcer"}, {ID: "3", Name: "肺癌"}, {ID: "4", Name: "gastric 癌"}})
	})
	m := open(t, dir, encoder)
	want := IndexInfo{
		Names: 4, PerConcept: 25, NameIndex: "flat", ContextIndex: "flat",
		NameTokens: &TokenInfo{Tokens: 6, Unknown: 3}, ContextTokens: &TokenInfo{}, Unread: 2, ContextWords: normalize.ContentWordsVersion, NameForms: nameForms,
	}
	must.Equal(t, m.Manifest.Index, want, "manifest")
	names := must.Get(m.Names.Exemplars())
	for row := range names {
		read := slices.ContainsFunc(m.Vectors.Names.Vectors.Row(row), func(x float32) bool { return x != 0 })
		must.Equal(t, read, strings.Contains(names[row].Text, "gastric"), names[row].Text, "has a vector")
	}
}

// A mention made up of unknown tokens alone finds no name, even behind the encoders that memoize and verify. In a
// sentence it is read.
func TestMentionsThatTheEncoderCannotRead(t *testing.T) {
	encoder := readsAnything{wordEncoder{&fixtures.BagOfWords{Vocabulary: []string{"gastric", "ulcer"}}}}
	dir := buildGut(t, nil, func(o *BuildOptions) {
		o.Encoder, o.EncoderDir = encoder, fixtures.EncoderDir(t)
		o.Contexts = nil
		o.Dictionary = kb.NewDictionary([]kb.Concept{{ID: "1", Name: "gastric"}, {ID: "2", Name: "gastric ulcer"}})
	})
	opened := open(t, dir, encoder)
	for name, m := range map[string]*Model{"opened": opened, "memoized": opened.Memoized()} {
		queries := []text.Query{text.NameExemplar("胃癌").Query, text.NameExemplar("gastric 癌").Query, fixtures.Query(t, "gastric <胃癌> ulcer")}
		vectors, hits, err := m.Vectors.Nearest(t.Context(), queries, &m.Vectors.Names, 2)
		must.Succeed(t, err)
		for i, want := range []bool{false, true, true} {
			read := slices.ContainsFunc(vectors[i*encoder.Dim():(i+1)*encoder.Dim()], func(x float32) bool { return x != 0 })
			if read != want || len(hits[i]) > 0 != want {
				t.Errorf("%s model, %s: has a vector: %v, hits %v, want both: %v", name, queries[i].Text, read, hits[i], want)
			}
		}
	}
}

func TestUnknownShare(t *testing.T) {
	for info, want := range map[TokenInfo]float64{{}: 0, {Tokens: 4, Unknown: 1}: .25} {
		must.Equal(t, info.UnknownShare(), want, info)
	}
}
