package lexical

import (
	"fmt"

	"github.com/ctxnorm/ctxnorm/internal/safetensors"
)

// Fields returns the arrays of an index as fields of a file.
func (x *Index) Fields() []safetensors.Field {
	return []safetensors.Field{
		{Name: "names", Data: &x.names}, {Name: "concepts", Data: &x.concepts}, {Name: "order", Data: &x.order},
		{Name: "scales", Data: &x.scales}, {Name: "words", Data: &x.words}, {Name: "shares", Data: &x.shares},
		{Name: "groups", Data: &x.groups}, {Name: "rows", Data: &x.rows}, {Name: "lexicon", Data: &x.lexicon},
		{Name: "factors", Data: &x.factors}, {Name: "squares", Data: &x.squares}, {Name: "inverses", Data: &x.inverses},
		{Name: "grams", Data: &x.grams}, {Name: "having", Data: &x.having}, {Name: "texts", Data: &x.texts},
		{Name: "idf", Data: &x.idf}, {Name: "synonyms", Data: &x.synonyms}, {Name: "weights", Data: &x.weights},
		{Name: "joined.", Data: &x.joined},
	}
}

// Check returns an error if the lengths of the arrays in a file do not match.
func (x *Index) Check() error {
	rows, words, grams := x.names.Len(), x.lexicon.Len(), x.texts.Len()
	for _, lengths := range [][]int{
		{rows, len(x.concepts), len(x.order), len(x.scales), x.words.Len()}, {len(x.shares), len(x.words.Values())},
		{words, x.rows.Len(), len(x.factors), len(x.squares), len(x.inverses), x.grams.Len(), x.synonyms.Len()},
		{grams + 1, x.having.Len() + 1, len(x.idf)}, {len(x.weights), len(x.synonyms.Values())},
	} {
		for _, length := range lengths {
			if length != lengths[0] {
				return fmt.Errorf("want arrays of %d elements, got %v", lengths[0], lengths)
			}
		}
	}
	return nil
}
