package link

import (
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/assertion"
	"github.com/ctxnorm/ctxnorm/internal/lexical"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// unlike is the score for every name below which a whole mention is not a name itself.
const unlike = .6

// Narrowed returns the document with each mention narrowed to the phrase that names a concept, without a statement of
// status, an addition of a classification or words that frame it: "no evidence of gout", "gout, unspecified site",
// "gout, no asthma" and "known gout" become gout, and so does a cell "no asthma, gout". A mention stays whole if it is
// at least as similar to a name, like "history of stroke" if that is one. If all stay whole, it returns doc itself.
func Narrowed(doc *text.Document, names *model.DictionaryIndexes) *text.Document {
	narrowed := doc
	for i := range doc.Mentions {
		surface := doc.Mentions[i].Of(doc.Text)
		rests, denial := assertion.Remainders(surface)
		if isCell := len(surface) == len(doc.Text); isCell {
			if second := assertion.SecondItem(surface); second > 0 {
				rests = append(rests, text.Span{Start: second, End: len(surface)})
			}
		}
		name, _, _ := normalize.WithoutAdditions(surface, nil)
		if at := strings.Index(surface, name); at >= 0 && name != "" {
			rests = append(rests, text.Span{Start: at, End: at + len(name)})
		}
		if len(rests) == 0 && denial == nil && assertion.Bare(surface) == nil || len(doc.Mentions[i].Fragments) > 0 {
			continue
		}
		named := nameFinder{names.Lexical(), make(map[string]lexical.NameHit)} // built for the first mention with a status
		if denial != nil {
			behind := strings.TrimLeft(surface[denial.Named.End:], " ")
			isClause := strings.ContainsAny(behind[:1], ",;.(-/")
			if isClause || named.best(denial.Denied.Of(surface)).Score >= unlike {
				rests = append(rests, denial.Named)
			}
		}
		best, most := text.Span{End: len(surface)}, named.best(surface).Score
		for _, rest := range rests {
			isSame := normalize.Normal(rest.Of(surface)) == normalize.Normal(best.Of(surface)) // "?gout"
			if score := named.best(rest.Of(surface)).Score; score > most || isSame || most < unlike {
				best, most = rest, score
			}
		}
		for _, whole := range []text.Span{best, {End: len(surface)}} {
			for _, part := range assertion.Bare(whole.Of(surface)) {
				part = text.Span{Start: whole.Start + part.Start, End: whole.Start + part.End}
				if part != best && named.byPart(part.Of(surface), best.Of(surface)) {
					best = part
				}
			}
		}
		if best.Len() == len(surface) {
			continue
		}
		if narrowed == doc {
			narrowed = &text.Document{ID: doc.ID, Text: doc.Text, Group: doc.Group, Mentions: slices.Clone(doc.Mentions)}
		}
		m := &narrowed.Mentions[i]
		m.Start, m.End = m.Start+best.Start, m.Start+best.End
	}
	return narrowed
}

// nameFinder finds the names most similar to the parts of a mention, each once.
type nameFinder struct {
	index *lexical.Index
	found map[string]lexical.NameHit
}

// best returns the name most similar to a text, with its score rounded.
func (f nameFinder) best(text string) lexical.NameHit {
	hit, known := f.found[text]
	if !known {
		hit = bestName(f.index, text)
		hit.Score = linked.Rounded(hit.Score)
		f.found[text] = hit
	}
	return hit
}

// byPart reports whether a part of a mention names what the whole mentions: it is more similar to a name, which does
// not have the opposite of the rest ("mild asthma", "severe asthma"), or it only lacks an article.
func (f nameFinder) byPart(part, whole string) bool {
	ofPart, ofWhole := f.best(part), f.best(whole)
	if slices.Equal(normalize.CanonicalTokens(part), normalize.CanonicalTokens(whole)) {
		return normalize.Normal(ofWhole.Name) != normalize.Normal(whole) // "in situ carcinoma" is a name
	}
	return ofPart.Score > max(ofWhole.Score, unlike) && !normalize.ExcludeEachOther(ofPart.Name, whole)
}
