package link

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/lexical"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/sense"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// reading is one way to read a mention, with what decides how it is ranked.
type reading struct {
	linked.Reading
	outside bool // the text is no name of the dictionary: a long form that is none, or an unknown sense
	// concepts are those that have the long form as a name; nil for other readings.
	concepts []kb.ConceptID
}

const (
	// minReading is the probability below which a reading is not followed up.
	minReading = .02
	// maxReadings is the number of readings of a mention that are followed up.
	maxReadings = 4
)

// mentionReader reads mentions: it expands the short forms that their documents define, and lists
// what the others may stand for.
type mentionReader struct {
	expandDefined bool                     // expand short forms that the document defines
	senses        *disambiguator           // reads those that it does not define; nil to leave them as they are
	weights       []float64                // of [SenseFeatures]
	names         *model.DictionaryIndexes // of the dictionary
	// reads words of English that are none of its names, and adjectives by their nouns, see [lexical.Index.Paraphrase];
	// nil to leave them as they are
	paraphrase *lexical.Index
	// reads what a substance induced, as the document says, by its name: see [lexical.Index.InducedBySubstance]
	causes bool
}

// read returns the readings of each query, the most probable first, none for a placeholder.
func (r *mentionReader) read(ctx context.Context, queries []text.Query) ([][]reading, error) {
	readings := make([][]reading, len(queries))
	documents := make(map[*text.Document]documentStatements)
	var forms []SenseQuery
	var shorts []string // of each form
	var at []int        // query of each form
	for i := range queries {
		q := &queries[i]
		document, ok := documents[q.Document]
		if !ok {
			document = r.statements(q.Document)
			documents[q.Document] = document
		}
		long, expanded := document.definitions.Expand(q.Surface(), q.Mention.Start)
		if !expanded && isPlaceholder(long) && r.names.Exact().Lookup(long) == nil {
			continue
		}
		if !expanded && r.paraphrase != nil {
			long = r.inOtherWords(long, document.induced)
		}
		readings[i] = []reading{{Reading: linked.Reading{Text: long, Probability: 1}, outside: expanded &&
			isTaggedOutside(&q.Mention)}}
		if !expanded && long == q.Surface() {
			readings[i][0].Text = r.singularShortForm(long)
		}
		if expanded && r.isOwnName(q.Surface(), long) {
			readings[i][0].Probability = .5
			readings[i] = append(readings[i], reading{Reading: linked.Reading{Text: q.Surface(), Probability: .5}})
		}
		if expanded || r.senses == nil {
			continue
		}
		if short, senses := r.ambiguous(q.Surface()); senses != nil {
			forms, shorts, at = append(forms, SenseQuery{q, senses}), append(shorts, short), append(at, i)
		}
	}
	if len(forms) == 0 {
		return readings, nil
	}
	probabilities, err := r.senses.probabilities(ctx, forms, r.weights)
	if err != nil {
		return nil, err
	}
	for n := range forms {
		readings[at[n]] = expandSenses(&forms[n], shorts[n], probabilities[n])
	}
	return readings, nil
}

// isOwnName reports whether a short form that a document defines is a name, and its long form is none, and whether no
// text of the corpus defines it otherwise: then "C7 deficiency (C7D)" is what the dictionary calls C7D. Only a [*Ranker]
// sums over both.
func (r *mentionReader) isOwnName(short, long string) bool {
	if r.paraphrase == nil || r.senses == nil || r.names.Exact().Lookup(long) != nil || r.names.Exact().Lookup(short) == nil {
		return false
	}
	senses := r.senses.model.Inventory().Senses(short)
	return len(senses) == 1 && senses[0].OwnName
}

// singularShortForm returns the singular of a short form of two letters in the plural, if it is a name of the
// dictionary and the plural is none: "MIs" is MI. The canonical form of longer ones is the singular already.
func (r *mentionReader) singularShortForm(surface string) string {
	singular := normalize.SingularShortForm(surface)
	if singular == surface || normalize.CanonicalWord(normalize.Normal(surface)) == normalize.Normal(singular) ||
		r.names.Exact().Lookup(surface) != nil || r.names.Exact().Lookup(singular) == nil {
		return surface
	}
	return singular
}

// isTaggedOutside reports whether [abbrev.Tagger] found a mention by a definition whose long form is no name of
// the dictionary.
func isTaggedOutside(m *text.Mention) bool { return m.LongForm != "" && len(m.Concepts) == 0 }

// documentStatements is what a document says that changes how its mentions are read.
type documentStatements struct {
	definitions *abbrev.Expander
	induced     inducedPhrases
}

// statements returns what a document says, as far as the reader uses it.
func (r *mentionReader) statements(doc *text.Document) documentStatements {
	defining := ""
	if r.expandDefined {
		defining = doc.Text
	}
	s := documentStatements{definitions: abbrev.NewExpander(defining)}
	if r.causes {
		s.induced = newInducedPhrases(doc.Text)
	}
	return s
}

// inOtherWords returns the name that says what a mention says: that of its sense in medicine, of its noun or of the
// disease of the part of the body, and the one that says that a substance induced it, if the mention or its document
// does. It returns the mention, without what induced it, if no name says so.
func (r *mentionReader) inOtherWords(mention string, induced inducedPhrases) string {
	name, bySubstance := r.paraphrase.WithoutCause(r.readEnglish(mention))
	name = cmp.Or(r.paraphrase.Paraphrase(name), name)
	if bySubstance || induced.has(name) {
		return cmp.Or(r.paraphrase.InducedBySubstance(name), name)
	}
	return name
}

// ambiguous returns the first short form of a mention that is in the inventory, as written,
// with its senses. It leaves alone a short form within a longer mention if a name of the
// dictionary contains it: "HIV infection" is closer to more names than its expansion is.
func (r *mentionReader) ambiguous(surface string) (short string, senses []sense.Sense) {
	none := abbrev.NewExpander("")
	none.ExpandOr(surface, 0, func(s string) (string, bool) {
		if short != "" || !normalize.LooksLikeShortForm(s) { // most texts need no inventory, which takes time to make
			return "", false
		}
		if strings.TrimSuffix(surface, "s") != strings.TrimSuffix(s, "s") && r.names.HasWord(normalize.Normal(s)) {
			return "", false
		}
		if senses = r.senses.model.Inventory().Senses(s); senses != nil {
			short = s
		}
		return s, senses != nil
	})
	return short, senses
}

// expandSenses returns the readings of a mention by the senses of its short form. The last probability is that of an
// unknown sense: there the mention stays as it is written, as it does where the short form itself is a name.
func expandSenses(form *SenseQuery, short string, probabilities []float64) []reading {
	surface := form.Surface()
	var readings []reading
	none := abbrev.NewExpander("")
	for i, p := range probabilities {
		one := reading{Reading: linked.Reading{Text: surface, Probability: p}, outside: i == len(form.Senses) ||
			len(form.Senses[i].Concepts) == 0}
		if i < len(form.Senses) {
			one.concepts = form.Senses[i].Concepts
			one.Text, _ = none.ExpandOr(surface, 0, func(s string) (string, bool) {
				return form.Senses[i].LongForm, s == short
			})
		}
		readings = append(readings, one)
	}
	slices.SortStableFunc(readings, func(a, b reading) int { return cmp.Compare(b.Probability, a.Probability) })
	kept := readings[:1]
	for _, reading := range readings[1:min(maxReadings, len(readings))] {
		if reading.Probability >= minReading {
			kept = append(kept, reading)
		}
	}
	sum := 0.
	for _, reading := range kept {
		sum += reading.Probability
	}
	for i := range kept {
		kept[i].Probability /= sum
	}
	return kept
}

// ExpandAbbreviations returns queries with the abbreviations in their mentions expanded: by
// the definitions of their documents, or by the most probable reading in the model.
func ExpandAbbreviations(ctx context.Context, m *model.Model, queries []text.Query) ([]text.Query, error) {
	resolver, err := NewMentionResolver(m, nil, AllComponents)
	if err != nil {
		return nil, err
	}
	readings, err := resolver.reader.read(ctx, queries)
	if err != nil {
		return nil, err
	}
	expanded := make([]text.Query, len(queries))
	for i := range queries {
		expanded[i] = queries[i]
		if len(readings[i]) > 0 {
			expanded[i] = withSurface(&queries[i], readings[i][0].Text)
		}
	}
	return expanded, nil
}

// isPlaceholder reports whether a mention is what tables and forms have in place of one: a sign, a number, a letter, or
// a word that says that nothing is known or was found, such as "n/a". It is NIL unless it is a name of the dictionary.
func isPlaceholder(surface string) bool {
	normal := normalize.Normal(surface)
	if utf8.RuneCountInString(normal) == 1 {
		first, _ := utf8.DecodeRuneInString(normal)
		return !normalize.IsUnspacedScript(first)
	}
	return language.Rules.Placeholders[normal] || !strings.ContainsFunc(normal, unicode.IsLetter)
}

// readEnglish returns the name of a word's sense in medicine: "cerebral stroke" for "stroke". It returns the word
// itself if it has none or is a name.
func (r *mentionReader) readEnglish(word string) string {
	name := englishName(word)
	if name == "" || r.paraphrase.HasName(word) {
		return word
	}
	return name
}

// englishName returns the name of the sense of a word in medicine, empty if it has none.
func englishName(surface string) string {
	if senses := sense.English(surface); senses != nil {
		return senses[0].Name
	}
	return ""
}

// englishWordOf returns the text of the mention, or the word that stood there if it was replaced by
// the name of its sense.
func englishWordOf(q *text.Query) string {
	if q.Original != nil {
		if word := q.Original.Surface(); englishName(word) == q.Surface() {
			return word
		}
	}
	return q.Surface()
}
