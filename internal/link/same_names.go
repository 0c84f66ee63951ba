package link

import (
	"cmp"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/kb"
)

// sortSameNames sorts concepts that have a name of the mention's words, as the features sameWording and
// sameWordsNames rank them: first those with the mention as it is written, of these first those with more names of
// its words. Others stay in their order. of returns the concept.
func sortSameNames[T any](tied []T, dict *kb.Dictionary, mention string, of func(T) kb.ConceptID) {
	if len(tied) < 2 {
		return
	}
	form, words := normalize.Normal(mention), sortedTokens(mention)
	type rank struct{ wording, names int }
	ranks := make(map[kb.ConceptID]rank, len(tied))
	for _, t := range tied {
		var r rank
		for _, name := range dict.Lookup(of(t)).Names() {
			if slices.Equal(sortedTokens(name), words) {
				r.names++
			}
			if normalize.Normal(name) == form {
				r.wording = 1
			}
		}
		ranks[of(t)] = r
	}
	slices.SortStableFunc(tied, func(a, b T) int {
		x, y := ranks[of(a)], ranks[of(b)]
		return cmp.Or(cmp.Compare(y.wording, x.wording), cmp.Compare(y.names, x.names))
	})
}

// sortedTokens returns the canonical tokens of a name in order.
func sortedTokens(name string) []string {
	return slices.Sorted(slices.Values(normalize.CanonicalTokens(name)))
}
