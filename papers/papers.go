// Package papers lists the recipes for training and the methods of linking: the program's own, and those of the
// packages below, which implement the systems of other papers. To add a system, write a package with a
// [contrastive.Recipe] or a [link.Method], and add a line here.
package papers

import (
	"github.com/ctxnorm/ctxnorm/contrastive"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/papers/biosyn"
	"github.com/ctxnorm/ctxnorm/papers/bne"
	"github.com/ctxnorm/ctxnorm/papers/dilbert"
	"github.com/ctxnorm/ctxnorm/papers/sapbert"
)

// Recipes returns new recipes with the settings of their papers, the default first.
func Recipes() []*contrastive.Recipe {
	return []*contrastive.Recipe{
		contrastive.BioCoMRecipe(), sapbert.Recipe(), dilbert.Recipe(), biosyn.Recipe(), biosyn.BERTRankingRecipe(),
		bne.Recipe(),
	}
}

// RecipeNames returns the names of the recipes, the default first.
func RecipeNames() []string {
	var names []string
	for _, r := range Recipes() {
		names = append(names, r.Name)
	}
	return names
}

// Methods returns the linking methods, the default first.
func Methods() []link.Method {
	return []link.Method{
		link.Ranked(),
		{
			Name: "weighted", Summary: "names and contexts vote by similarity",
			Vectors: link.VectorsRequired, Evidence: true, Votes: true, New: newVoter(true, .7),
		},
		{
			Name: "count", Summary: "contexts vote, as in the paper",
			Vectors: link.VectorsRequired, Evidence: true, Literal: true, Votes: true, New: newVoter(false, 0),
		},
		{Name: "lexical", Summary: "strings", StringScores: true, New: newLexical},
		{Name: "tfidf", Summary: "strings, the paper's baseline", StringScores: true, Literal: true, New: newTFIDF},
		{
			Name: "exact", Summary: "names as they are written",
			New: func(src link.Source, o link.MethodOptions) (link.Linker, error) {
				return newExact(src.Model.DictionaryIndexes(), o.MatchCase), nil
			},
		},
		sapbert.Nearest(), biosyn.Hybrid(),
	}
}

// MethodOf returns the linking method with the name, and whether there is one.
func MethodOf(name string) (link.Method, bool) {
	for _, m := range Methods() {
		if m.Name == name {
			return m, true
		}
	}
	return link.Method{}, false
}

// MethodNames returns the names of the linking methods that have a property, or of all if has is nil.
func MethodNames(has func(link.Method) bool) []string {
	var names []string
	for _, m := range Methods() {
		if has == nil || has(m) {
			names = append(names, m.Name)
		}
	}
	return names
}
