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
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/sense"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// reading is one interpretation of a mention, with the fields that decide how it is ranked.
type reading struct {
	linked.Reading
	outside bool // the text is not a name of the dictionary: an unlisted long form or an unknown sense
	// concepts have the long form as a name; nil for other readings.
	concepts []kb.ConceptID
	members  []string // the sub-mentions of a composite mention, in other words where the reader paraphrases
}

const (
	// minReading is the probability below which a reading is dropped.
	minReading = .02
	// maxReadings is the maximum number of readings of a mention.
	maxReadings = 4
)

// mentionReader determines the readings of mentions: it expands short forms that their documents define, and lists the
// senses of other short forms.
type mentionReader struct {
	expandDefined bool                     // expand short forms that the document defines
	senses        *disambiguator           // reads short forms that the document does not define; nil leaves them unchanged
	weights       []float64                // of [SenseFeatures]
	names         *model.DictionaryIndexes // names of the dictionary
	// replaces English words that are not names, and adjectives by their nouns, see [NameIndex.paraphrase]; nil
	// leaves them unchanged
	paraphrase *NameIndex
	// whether to read a disease that a substance induced, according to the document, by its name, see
	// [NameIndex.inducedBySubstance]
	causes bool
	splits bool // composite mentions
}

// read returns the readings of each query, most probable first. A placeholder has no readings.
func (r *mentionReader) read(ctx context.Context, queries []text.Query) ([][]reading, error) {
	readings := make([][]reading, len(queries))
	documents := make(map[*text.Document]documentStatements)
	var forms []SenseQuery
	var shorts []string // the short form of each element of forms
	var at []int        // the index of its query
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
		members, meaning := r.members(long, document.induced), long
		if members == nil {
			meaning = r.inOtherWords(long, document.induced)
		}
		readings[i] = []reading{{Reading: linked.Reading{Text: r.singularShortForm(meaning), Probability: 1},
			outside: expanded && meaning == long && isTaggedOutside(&q.Mention), members: members}}
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
		senses := expandSenses(&forms[n], shorts[n], probabilities[n])
		senses[0].members = r.members(senses[0].Text, nil)
		readings[at[n]] = senses
	}
	return readings, nil
}

// isOwnName reports whether a short form that a document defines is a name of the dictionary, its long form is not, and
// no text of the corpus defines the short form otherwise. In that case "C7 deficiency (C7D)" is the concept that the
// dictionary calls C7D. Only a [*Ranker] can sum over both readings.
func (r *mentionReader) isOwnName(short, long string) bool {
	if r.paraphrase == nil || r.senses == nil || r.names.Exact().Lookup(long) != nil || r.names.Exact().Lookup(short) == nil {
		return false
	}
	senses := r.senses.model.Inventory().Senses(short)
	return len(senses) == 1 && senses[0].OwnName
}

// singularShortForm returns the singular of a plural short form of two letters if only the singular is a name of the
// dictionary: "MI" for "MIs". Longer ones stay unchanged, because their canonical form is already the singular.
func (r *mentionReader) singularShortForm(surface string) string {
	singular := normalize.SingularShortForm(surface)
	if singular == surface || normalize.CanonicalWord(normalize.Normal(surface)) == normalize.Normal(singular) ||
		r.names.Exact().Lookup(surface) != nil || r.names.Exact().Lookup(singular) == nil {
		return surface
	}
	return singular
}

// isTaggedOutside reports whether [abbrev.Tagger] found a mention by a definition with a long form outside the
// dictionary.
func isTaggedOutside(m *text.Mention) bool { return m.LongForm != "" && len(m.Concepts) == 0 }

// documentStatements holds the definitions and causes in a document that change how its mentions are read.
type documentStatements struct {
	definitions *abbrev.Expander
	induced     inducedPhrases
}

// statements returns the statements of a document, limited to those that the reader uses.
func (r *mentionReader) statements(doc *text.Document) documentStatements {
	s := documentStatements{definitions: new(abbrev.Expander)}
	if r.expandDefined {
		s.definitions = abbrev.NewExpander(doc.Text, abbrev.FindImplied(doc.Text, r.names.Genera)...)
	}
	if r.causes {
		s.induced = newInducedPhrases(doc.Text)
	}
	return s
}

// members returns the sub-mentions of a composite mention, each in other words, or nil.
func (r *mentionReader) members(mention string, induced inducedPhrases) []string {
	if !r.splits {
		return nil
	}
	members := splitComposite(r.names, mention)
	for i, member := range members {
		members[i] = r.inOtherWords(member, induced)
	}
	return members
}

// inOtherWords returns a name of the dictionary that means the same as the mention: the name of the word's medical
// sense, of the noun of an adjective, or of the disease of a body part. If the mention or its document attributes it to
// a substance, inOtherWords prefers a substance-induced name. Without such a name it returns the mention without its
// cause. A reader that does not paraphrase returns every mention as it is.
func (r *mentionReader) inOtherWords(mention string, induced inducedPhrases) string {
	if r.paraphrase == nil {
		return mention
	}
	disease := r.paraphrase.withoutCause(r.readEnglish(mention), induced)
	name := r.paraphrase.paraphrase(disease)
	if induced.has(disease) || induced.has(name) {
		return r.paraphrase.inducedBySubstance(name)
	}
	return name
}

// ambiguous returns the first short form of a mention that is in the inventory, as written, with its senses. It skips a
// short form within a longer mention if some name of the dictionary contains it: "HIV infection" is closer to more
// names than its expansion.
func (r *mentionReader) ambiguous(surface string) (short string, senses []sense.Sense) {
	new(abbrev.Expander).ExpandOr(surface, 0, func(s string) (string, bool) {
		if short != "" || !normalize.LooksLikeShortForm(s) { // the inventory is slow to build, and most texts do not need it
			return "", false
		}
		if strings.TrimSuffix(surface, "s") != strings.TrimSuffix(s, "s") &&
			r.names.Lexical().LongestWith(normalize.CanonicalWord(normalize.Normal(s))) > 1 {
			return "", false
		}
		if senses = r.senses.model.Inventory().Senses(s); senses != nil {
			short = s
		}
		return s, senses != nil
	})
	return short, senses
}

// expandSenses returns the readings of a mention, one for each sense of its short form. The last probability is that of
// an unknown sense, for which the mention stays as written. So it does if the short form itself is a name.
func expandSenses(form *SenseQuery, short string, probabilities []float64) []reading {
	surface := form.Surface()
	var readings []reading
	for i, p := range probabilities {
		one := reading{Reading: linked.Reading{Text: surface, Probability: p}, outside: i == len(form.Senses) ||
			len(form.Senses[i].Concepts) == 0}
		if i < len(form.Senses) {
			one.concepts = form.Senses[i].Concepts
			one.Text, _ = new(abbrev.Expander).ExpandOr(surface, 0, func(s string) (string, bool) {
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

// ExpandAbbreviations returns the queries with the abbreviations in their mentions expanded, by the definitions in
// their documents or else by the most probable reading in the model.
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

// isPlaceholder reports whether a mention is what tables and forms contain in place of one: a sign, a number, a letter,
// or a word for "unknown" or "not found", such as "n/a". A placeholder is NIL unless it is a name of the dictionary.
func isPlaceholder(surface string) bool {
	normal := normalize.Normal(surface)
	if utf8.RuneCountInString(normal) == 1 {
		first, _ := utf8.DecodeRuneInString(normal)
		return !normalize.IsUnspacedScript(first)
	}
	return language.Rules.Placeholders[normal] || !strings.ContainsFunc(normal, unicode.IsLetter)
}

// readEnglish returns the name of a word's medical sense: "cerebral stroke" for "stroke". It returns the word itself if
// that has no such sense or is a name.
func (r *mentionReader) readEnglish(word string) string {
	name := englishName(word)
	if name == "" || r.paraphrase.lexical.HasName(word) {
		return word
	}
	return name
}

// englishName returns the name of a word's medical sense, or "" if it has none.
func englishName(surface string) string {
	if senses := sense.English(surface); senses != nil {
		return senses[0].Name
	}
	return ""
}

// englishWordOf returns the text of the mention, or the original word if that was replaced by the name of its sense.
func englishWordOf(q *text.Query) string {
	if q.Original != nil {
		if word := q.Original.Surface(); englishName(word) == q.Surface() {
			return word
		}
	}
	return q.Surface()
}
