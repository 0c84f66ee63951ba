package link

import (
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/assertion"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// Narrowed returns the document with each mention narrowed to the phrase that names a concept, without a statement of
// status or an addition of a classification: "no evidence of gout", "gout, unspecified site" and "gout, no asthma"
// become gout, and so does a cell "no asthma, gout". A mention stays whole if it is at least as similar to a name, like
// "history of stroke" if that is a name. If all mentions stay whole, Narrowed returns doc itself.
func Narrowed(doc *text.Document, names *model.DictionaryIndexes) *text.Document {
	const unlike = .6 // a whole mention with a lower score for every name is not a name itself
	narrowed := doc
	for i := range doc.Mentions {
		given := doc.Mentions[i].Of(doc.Text)
		bare := assertion.Bare(given)
		if bare.Len() < len(given) {
			whole, part := bestName(names.Lexical(), given), bestName(names.Lexical(), bare.Of(given))
			isArticle := slices.Equal(normalize.CanonicalTokens(given), normalize.CanonicalTokens(bare.Of(given))) &&
				normalize.Normal(whole.Name) != normalize.Normal(given) // not "in situ carcinoma"
			if !isArticle && part.Score <= whole.Score || normalize.ExcludeEachOther(part.Name, given) { // "mild asthma"
				bare = text.Span{End: len(given)}
			}
		}
		surface := bare.Of(given)
		rests, denial := assertion.Remainders(surface)
		if isCell := len(given) == len(doc.Text); isCell {
			if second := assertion.SecondItem(surface); second > 0 {
				rests = append(rests, text.Span{Start: second, End: len(surface)})
			}
		}
		name, _, _ := normalize.WithoutAdditions(surface, nil)
		if at := strings.Index(surface, name); at >= 0 && name != "" {
			rests = append(rests, text.Span{Start: at, End: at + len(name)})
		}
		if len(rests) == 0 && denial == nil && surface == given || len(doc.Mentions[i].Fragments) > 0 {
			continue
		}
		index := names.Lexical() // built for the first mention with a status
		if denial != nil {
			behind := strings.TrimLeft(surface[denial.Named.End:], " ")
			isClause := strings.ContainsAny(behind[:1], ",;.(-/")
			if isClause || bestName(index, denial.Denied.Of(surface)).Score >= unlike {
				rests = append(rests, denial.Named)
			}
		}
		best, most := text.Span{End: len(surface)}, linked.Rounded(bestName(index, surface).Score)
		for _, rest := range rests {
			isSame := normalize.Normal(rest.Of(surface)) == normalize.Normal(best.Of(surface)) // "?gout"
			if score := linked.Rounded(bestName(index, rest.Of(surface)).Score); score > most || isSame || most < unlike {
				best, most = rest, score
			}
		}
		if best.Len() == len(given) {
			continue
		}
		if narrowed == doc {
			narrowed = &text.Document{ID: doc.ID, Text: doc.Text, Group: doc.Group, Mentions: slices.Clone(doc.Mentions)}
		}
		m := &narrowed.Mentions[i]
		m.Start, m.End = m.Start+bare.Start+best.Start, m.Start+bare.Start+best.End
	}
	return narrowed
}
