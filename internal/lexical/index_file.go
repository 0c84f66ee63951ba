package lexical

import (
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/kb"
)

// fields returns what a file has of an index.
func (x *Index) fields() []safetensors.Field {
	return []safetensors.Field{
		{Name: "names", Data: &x.names}, {Name: "concepts", Data: &x.concepts}, {Name: "order", Data: &x.order},
		{Name: "scales", Data: &x.scales}, {Name: "words", Data: &x.words}, {Name: "shares", Data: &x.shares},
		{Name: "groups", Data: &x.groups}, {Name: "rows", Data: &x.rows}, {Name: "lexicon", Data: &x.lexicon},
		{Name: "factors", Data: &x.factors}, {Name: "squares", Data: &x.squares}, {Name: "inverses", Data: &x.inverses},
		{Name: "grams", Data: &x.grams}, {Name: "having", Data: &x.having}, {Name: "texts", Data: &x.texts},
		{Name: "idf", Data: &x.idf}, {Name: "synonyms", Data: &x.synonyms}, {Name: "weights", Data: &x.weights},
		{Name: "codes.hashes", Data: &x.codes.hashes}, {Name: "codes.rows", Data: &x.codes.rows},
	}
}

// Arrays returns the index as arrays to write, whose names begin with a prefix.
func (x *Index) Arrays(prefix string) []safetensors.Array {
	return safetensors.Arrays(prefix, x.fields())
}

// ViewIndex returns the index that [Index.Arrays] wrote, in the mapped file, which must stay open while the index is
// used. ids returns the ID of a concept.
func ViewIndex(f *safetensors.File, prefix string, ids func(concept int) kb.ConceptID) (*Index, error) {
	x := &Index{ids: ids}
	if err := safetensors.ViewFields(f, prefix, x.fields()); err != nil {
		return nil, err
	}
	rows, words, grams := x.names.Len(), x.lexicon.Len(), x.texts.Len()
	for _, lengths := range [][]int{
		{rows, len(x.concepts), len(x.order), len(x.scales), x.words.Len()}, {len(x.shares), len(x.words.Values())},
		{words, x.rows.Len(), len(x.factors), len(x.squares), len(x.inverses), x.grams.Len(), x.synonyms.Len()},
		{grams + 1, x.having.Len() + 1, len(x.idf)}, {len(x.weights), len(x.synonyms.Values())},
		{len(x.codes.hashes), len(x.codes.rows)},
	} {
		for _, length := range lengths {
			if length != lengths[0] {
				return nil, artifact.Damaged(f.Path(), "%s: arrays that should have %d elements have %v", prefix, lengths[0], lengths)
			}
		}
	}
	x.ofSubstances = sync.OnceValue(x.substanceNames)
	return x, nil
}
