package link

import (
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm/mine"
	"github.com/ctxnorm/ctxnorm/model"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/abbrev"
	"github.com/ctxnorm/ctxnorm/text/normalize"
)

// ExpandAbbreviations returns queries with the abbreviations in their mentions expanded,
// as a [MentionResolver] with [ComponentDocumentAbbreviations] and
// [ComponentCorpusAbbreviations] links them.
func ExpandAbbreviations(m *model.Model, queries []text.Query) []text.Query {
	var corpus *corpusAbbreviations
	if m.Abbreviations != nil {
		corpus = &corpusAbbreviations{m.Abbreviations, m.DictionaryIndexes()}
	}
	return expandAbbreviations(queries, true, corpus)
}

// expandAbbreviations returns queries with the abbreviations in their mentions expanded.
// It uses the definitions of their documents if defined is set, and then those of the
// corpus unless corpus is nil. It finds the definitions of a document once.
func expandAbbreviations(queries []text.Query, defined bool, corpus *corpusAbbreviations) []text.Query {
	if !defined && corpus == nil {
		return queries
	}
	expanded := make([]text.Query, len(queries))
	expanders := make(map[*text.Document]*abbreviationExpander)
	for i := range queries {
		doc := queries[i].Document
		expander, ok := expanders[doc]
		if !ok {
			expander = newAbbreviationExpander(doc, defined, corpus)
			expanders[doc] = expander
		}
		expanded[i] = expander.expand(&queries[i])
	}
	return expanded
}

// abbreviationExpander expands the abbreviations of one document.
type abbreviationExpander struct {
	defined *abbrev.Expander
	corpus  *corpusAbbreviations // nil for none
	words   documentWords
}

func newAbbreviationExpander(doc *text.Document, defined bool, corpus *corpusAbbreviations) *abbreviationExpander {
	definitions := ""
	if defined {
		definitions = doc.Text
	}
	return &abbreviationExpander{abbrev.NewExpander(definitions), corpus, documentWords{text: doc.Text}}
}

// expand returns the query with its mention expanded, or the query itself.
func (e *abbreviationExpander) expand(q *text.Query) text.Query {
	var undefined func(short string) (string, bool)
	if e.corpus != nil {
		undefined = func(short string) (string, bool) { return e.corpus.longForm(short, q.Surface(), &e.words) }
	}
	long, ok := e.defined.ExpandOr(q.Surface(), undefined)
	if !ok {
		return *q
	}
	return q.WithSurface(long)
}

// A short form takes its most frequent long form without support from the document if at
// least this many records define it so, and at least this share of the records that
// define it. On the dev sets of NCBI Disease, BC5CDR and MedMentions, any count from 2
// to 10 and any share from .3 to .8 gave the same result but for one or two mentions.
const (
	dominantCount = 5
	dominantShare = .5
)

// minExpansion is the number of bytes by which a long form must be longer than its short
// form. The table also has expansions such as "QTc" for QT.
const minExpansion = 4

// corpusAbbreviations expands short forms that the document does not define. It takes
// their long forms from the table of a corpus and chooses among them by the words of the
// document.
type corpusAbbreviations struct {
	table *mine.AbbreviationTable
	names *model.DictionaryIndexes // used from the first short form of the table on
}

// longForm returns the long form of short, which occurs in the mention surface of a
// document:
//
//  1. the most frequent long form whose content words all occur in the document;
//  2. otherwise the most frequent of all, if most definitions in the corpus agree and
//     short is not a name of the dictionary.
//
// It keeps a short form within a longer mention if a name of the dictionary contains it:
// "HIV infection" is closer to more names than its expansion is.
func (c *corpusAbbreviations) longForm(short, surface string, doc *documentWords) (string, bool) {
	if !normalize.LooksLikeShortForm(short) {
		return "", false
	}
	longForms := slices.DeleteFunc(slices.Clone(c.table.Lookup(short)), func(l mine.LongForm) bool {
		return len(l.Text) < len(short)+minExpansion
	})
	if len(longForms) == 0 || strings.TrimSuffix(surface, "s") != strings.TrimSuffix(short, "s") && c.names.Words()[normalize.Normal(short)] {
		return "", false
	}
	for _, long := range longForms {
		if doc.containAll(long.Text) {
			return long.Text, true
		}
	}
	mostFrequent := longForms[0]
	if mostFrequent.Count < dominantCount || mostFrequent.Share < dominantShare || len(c.names.Exact().Lookup(short)) > 0 {
		return "", false
	}
	return mostFrequent.Text, true
}

// documentWords is the set of content words of a text, computed when it is first used.
type documentWords struct {
	text  string
	words map[string]bool
}

// containAll reports whether the phrase has content words and all of them are in the
// text.
func (d *documentWords) containAll(phrase string) bool {
	if d.words == nil {
		d.words = wordSet(contentWords(d.text))
	}
	words := contentWords(phrase)
	return len(words) > 0 && !slices.ContainsFunc(words, func(word string) bool { return !d.words[word] })
}
