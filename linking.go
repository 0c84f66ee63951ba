package ctxnorm

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/internal/assertion"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/papers"
	"github.com/ctxnorm/ctxnorm/text/formats"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// Method is the name of a linking method. Besides those below there are: exact, which looks up the mention among the
// names; tfidf, by TF-IDF vectors of character n-grams, the paper's baseline; nearest, which takes the concepts of the
// nearest names without context, like the published methods based on names; weighted, in which the nearest names and
// contexts vote, weighted by similarity; count, in which the nearest contexts vote, one vote each, like BioCoM; and
// biosyn, the similarity of names by vectors and by TF-IDF, with the weights learned by its recipe.
type Method string

const (
	// MethodRanked ranks by all features of a mention: names, contexts, strings and the hierarchy, with learned
	// weights. Its probabilities are calibrated.
	MethodRanked Method = "ranked"
	// MethodLexical compares words, their spelling variants and synonyms.
	MethodLexical Method = "lexical"
)

// NeedsEncoder reports whether the method compares vectors if the model has them.
func (m Method) NeedsEncoder() bool {
	method, _ := m.value()
	return method.Vectors != link.VectorsUnused
}

// value returns the method with that name, by default [MethodRanked], and whether it exists.
func (m Method) value() (link.Method, bool) {
	return papers.MethodOf(string(cmp.Or(m, MethodRanked)))
}

// AlwaysAnswer, as [LinkOptions].MinProbability, turns off NIL by probability.
const AlwaysAnswer = -1

// LinkOptions configure how mentions are linked. The zero value is the recommended setting.
type LinkOptions struct {
	// Method is the linking method. The default is [MethodRanked], or [MethodLexical] for a model made from a
	// dictionary.
	Method Method
	// TopK is the largest number of candidates of a mention. The default is 5.
	TopK int
	// MinProbability is the lowest probability of a first candidate: a mention whose best candidate has less is NIL,
	// and gets no candidates. 0, the default, uses the thresholds chosen by the model's calibration: one that hardly
	// costs a right answer, and for a mention that is its whole text, such as a cell to code, one below which answers
	// are more often wrong than right. [AlwaysAnswer] uses no threshold. Methods other than [MethodRanked] are not
	// calibrated and have no threshold.
	MinProbability float64
	minCell        float64 // for a mention that is its whole text, if higher
	// Coverage is the fraction of mentions, above 0 and at most 1, whose concept is in the dictionary. It selects the
	// threshold with the most correct results on such texts, according to the model's calibration; MinProbability must
	// then be 0. 0, the default, means that the coverage is unknown.
	Coverage float64
	// MinScore is the lowest score of a candidate of [MethodLexical] and tfidf, the similarity of strings from 0 to 1:
	// a mention without such a candidate is NIL. 0, the default, links every mention to the most similar name. Other
	// methods do not use it.
	MinScore float64
	// Evidence adds the exemplars that support each candidate.
	Evidence bool
	// Literal links short forms as written, and "breast and ovarian cancer" as one name. By default a short form is
	// linked by the long form that its document defines, or else by the most likely one in the corpus, and the
	// sub-mentions of a composite mention are linked one by one.
	Literal bool
	// ExactBudget is the fraction of answers, 0 to 1, that may be lost in exchange for speed: mentions that are clear
	// without vectors skip the encoder. NIL instead of a concept that the full ranking finds costs the concept's
	// probability, any other change costs one answer. With 0, the default, every mention is ranked with the encoder.
	ExactBudget float64
	// Tag links the names of the dictionary found in a text, including their plurals and spelling variants, and the
	// short forms that the text defines, instead of its mentions.
	Tag bool
	// Recognize also links mentions that are not names, found by the model's recognizer. It implies Tag. Such a mention
	// is NIL unless its first candidate has a probability of at least .4, or more if the dictionary names most mentions
	// of texts; by strings it needs a score of .8. If the model has no recognizer, the error is [ErrNoRecognizer].
	Recognize bool
	// FindMore is added to the scores of possible mentions, in log odds: with a value above 0, Recognize finds more
	// mentions, below 0 fewer. 0, the default, is the model's own choice.
	FindMore float64
	// Admit, if not nil, is called once before mentions are linked, with their number. With [LinkOptions.Tag], the
	// number is not known earlier. Linking stops if it returns an error.
	Admit func(mentions int) error `json:"-"`
	// Assertion adds what the text says about each mention: that it is negated, uncertain, in the past, hypothetical or
	// about another person. The rules are those of ConText. Without Assertion, only mentions that contain such words
	// themselves get it, and one that is negated ("no gout") or about another person is NIL.
	Assertion bool
	// Xrefs adds to each candidate its identifiers in other vocabularies, as far as the dictionary lists them.
	Xrefs bool
	// Case treats names with capitals as proper names: a mention in lower case does not match them ("apple" is not
	// Apple Inc.). It is for dictionaries of companies, brands or places, and for methods that need no vectors.
	Case bool
	// Neighbors is the number of nearest exemplars that vote with the methods weighted and count. 0, the default,
	// stands for 15, as in the paper (BioCoM, equation 1).
	Neighbors int
}

// LinkRecords links the mentions of documents, or with [LinkOptions.Tag] those that it finds in them. It returns a
// document for each record, in order, with a linked mention for each mention; a [formats.Writer] writes both. The
// documents are linked together, so that the encoder's batches are full.
func (m *Model) LinkRecords(ctx context.Context, records []*formats.Record, o LinkOptions) ([]*LinkedDocument, error) {
	o, method, err := o.withDefaults(m)
	if err != nil {
		return nil, err
	}
	var resolver *link.MentionResolver
	var docs []linkable
	err = parallel.Do( // concurrently, because the first call builds the index of names and reads the tagger
		func() (err error) { resolver, err = m.linker(&o, &method); return err },
		func() (err error) { docs, err = m.toLink(ctx, records, &o); return err },
	)
	if err != nil {
		return nil, err
	}
	queriesOf := make([][]Query, len(docs))
	if err := parallel.For(ctx, len(docs), 0, func(i int) { queriesOf[i] = docs[i].queries() }); err != nil {
		return nil, err
	}
	queries := slices.Concat(queriesOf...)
	if o.Admit != nil {
		if err := o.Admit(len(queries)); err != nil {
			return nil, err
		}
	}
	mentions, err := resolver.LinkMentions(ctx, queries, o.TopK)
	if err != nil {
		return nil, err
	}
	if err := link.NameCandidates(ctx, mentions, m.Dictionary()); err != nil {
		return nil, err
	}
	if o.Xrefs {
		link.CrossReference(mentions, m.Dictionary())
	}
	results := make([]*LinkedDocument, len(docs))
	for i, doc := range docs {
		n := len(doc.Mentions)
		results[i] = &LinkedDocument{ID: doc.ID, Text: doc.Text, Mentions: mentions[:n:n], Tagged: o.Tag}
		mentions = mentions[n:]
	}
	err = parallel.For(ctx, len(docs), 0, func(i int) {
		if o.Recognize {
			judgeRecognized(results[i], docs[i].Document, leastFound(&o, &method, m.stored.Manifest.Recognizer.Completeness))
		}
		if o.Tag {
			dropUnnamed(results[i], docs[i].Document, leastFound(&o, &method, 0))
		}
		docs[i].judgeStatus(results[i], o.Assertion)
		if docs[i].back != nil {
			toWritten(results[i], records[i].Document, docs[i].back)
		}
		records[i].AddAnnotations(results[i])
	})
	if err != nil {
		return nil, err
	}
	return results, nil
}

// linkable is the document of a record in the form in which it is linked: uniform, with mentions narrowed to the names
// in them, see [link.Narrowed].
type linkable struct {
	*Document
	whole *Document       // with the mentions as given or found
	back  func(Span) Span // see [link.Uniform]; nil for the document itself
}

// queries returns the queries of the mentions. Corrections apply to whole mentions.
func (d *linkable) queries() []Query {
	queries := link.Queries(d.Document)
	if d.Document == d.whole {
		return queries
	}
	for i, whole := range link.Queries(d.whole) {
		if whole.Mention.Span != queries[i].Mention.Span {
			queries[i].Original = &whole
		}
	}
	return queries
}

// judgeStatus adds to linked mentions what the text says about them, if requested or expressed by the mention itself.
// If it is not requested, a mention that is negated or about another person is NIL, because the concept alone would
// mean the opposite. Narrowed mentions become whole again.
func (d *linkable) judgeStatus(result *LinkedDocument, asked bool) {
	if !asked && d.Document == d.whole {
		return
	}
	for i, says := range assertion.Classify(d.Document) {
		m, whole := &result.Mentions[i], d.whole.Mentions[i].Span
		if from := m.Start; from > 0 && whole.Len() == len(d.Text) && from == assertion.SecondItem(d.Text) {
			at := strings.IndexAny(d.Text, ",;") + 1
			item := Document{Text: d.Text[at:], Mentions: []Mention{{Span: Span{Start: from - at, End: m.End - at}}}}
			says = assertion.Classify(&item)[0]
		}
		isWhole := m.Span == whole
		if !isWhole {
			m.ResolvedText = cmp.Or(m.ResolvedText, m.Text)
			m.Span, m.Text = whole, whole.Of(d.Text)
		}
		if asked || !isWhole {
			m.Assertion = says
		}
		if !asked && (m.Negated || m.OtherPerson) && m.Corrected == nil {
			m.Reject()
		}
	}
}

// toLink returns the documents of records with the mentions to link.
func (m *Model) toLink(ctx context.Context, records []*formats.Record, o *LinkOptions) ([]linkable, error) {
	find := func(doc *Document) *Document { return doc }
	if o.Tag {
		var err error
		if find, err = m.finder(o); err != nil {
			return nil, err
		}
	}
	narrows := !o.Tag && o.ResolverComponents() != 0
	docs := make([]linkable, len(records))
	err := parallel.ForErr(ctx, len(records), 0, func(i int) error {
		if !o.Tag {
			if err := checkMentions(records[i].Document); err != nil {
				return err
			}
		}
		var err error
		d := &docs[i]
		if d.whole, d.back = link.Uniform(records[i].Document, m.hasWord(&err)); err != nil {
			return err
		}
		d.whole = find(d.whole)
		if d.Document = d.whole; narrows {
			d.Document = link.Narrowed(d.whole, m.stored.DictionaryIndexes())
		}
		return nil
	})
	return docs, err
}

// hasWord returns a function that looks up words of the model's names. It sets err if the tagger cannot be read, which
// happens at the first lookup.
func (m *Model) hasWord(err *error) func(word string) bool {
	return func(word string) bool {
		tagger, failed := m.Tagger()
		*err = failed
		return failed == nil && tagger.HasWord(word)
	}
}

// toWritten moves the mentions of a uniform document, see [link.Uniform], to the document as written: given mentions to
// their original places, and found ones to the places returned by back.
func toWritten(doc *LinkedDocument, written *Document, back func(Span) Span) {
	doc.Text = written.Text
	for i := range doc.Mentions {
		m := &doc.Mentions[i]
		place := Mention{Span: back(m.Span)}
		if !doc.Tagged {
			place = written.Mentions[i]
		}
		m.Span, m.Fragments, m.Text = place.Span, place.Fragments, place.Of(written.Text)
	}
}

// finder returns the function that finds the mentions of a document.
func (m *Model) finder(o *LinkOptions) (func(*Document) *Document, error) {
	tagger, err := m.Tagger()
	if err != nil {
		return nil, err
	}
	annotate := func(doc *Document) *Document { return doc }
	if o.Recognize {
		recognizer, err := m.stored.Recognizer()
		if err != nil {
			return nil, err
		}
		annotate = func(doc *Document) *Document { return recognizer.Annotate(doc, o.FindMore) }
	}
	return func(doc *Document) *Document {
		found := link.TagDocument(doc, tagger, abbrev.FindImplied(doc.Text, m.stored.DictionaryIndexes().Genera)...)
		if o.Case {
			link.WithoutOtherCase(found, m.Dictionary())
		}
		found = annotate(found)
		m.stored.DropNoMentions(found)
		return link.WithLists(found, tagger)
	}, nil
}

// leastFound returns the lowest certainty of the answer for a found mention that is not a name, given the fraction of
// mentions in texts that the dictionary names. It returns 0 if the answers have no threshold. It is uncertain whether
// such a phrase is a mention at all, so it must be clearer than a marked one. And the more mentions the dictionary names,
// the less likely a phrase that it lacks means one of its concepts. Both numbers were measured on half of MEDIC and also
// hold for the whole, which has .7. By strings, 40 of 470 short forms below linked.Certain are right.
func leastFound(o *LinkOptions, method *link.Method, completeness float64) float64 {
	if method.StringScores {
		return linked.Certain
	}
	if !method.Calibrated || o.MinProbability <= 0 {
		return 0
	}
	const least, namedOdds = .38, .33
	named := namedOdds * completeness
	return max(least, named/(named+1-completeness))
}

// judgeRecognized sets the source of the mentions of a linked document. Recognized mentions are NIL if their best
// candidate does not have the least probability.
func judgeRecognized(result *LinkedDocument, doc *Document, least float64) {
	for i := range result.Mentions {
		m, found := &result.Mentions[i], &doc.Mentions[i]
		if !found.Recognized {
			m.Source = linked.SourceDictionary
			continue
		}
		m.Source, m.RecognitionScore = linked.SourceRecognized, found.Score
		if len(m.SubMentions) == 0 && len(m.Candidates) > 0 && m.Candidates[0].Certainty() < least {
			m.Reject()
		}
		if len(m.Candidates) > 0 {
			m.Broader = nil
		}
	}
}

// dropUnnamed drops the short forms whose long form is not a name, unless the long form, or each part of it, is linked
// with the least certainty.
func dropUnnamed(result *LinkedDocument, doc *Document, least float64) {
	kept := 0
	for i, mention := range doc.Mentions {
		m := result.Mentions[i]
		isUncertain := func(c *linked.Candidate) bool { return c == nil || c.Certainty() < least }
		if !link.Unnamed(mention) || !slices.ContainsFunc(m.Best(), isUncertain) {
			doc.Mentions[kept], result.Mentions[kept] = mention, m
			kept++
		}
	}
	doc.Mentions, result.Mentions = doc.Mentions[:kept], result.Mentions[:kept]
}

// Find returns the document with the mentions in its text: the names of the dictionary, and with
// [LinkOptions.Recognize] other phrases. Other options have no effect. It leaves out a short form whose long form is
// not a name.
func (m *Model) Find(doc *Document, o LinkOptions) (*Document, error) {
	find, err := m.finder(&o)
	if err != nil {
		return nil, err
	}
	found := link.FindIn(doc, m.hasWord(&err), find)
	found.Mentions = slices.DeleteFunc(found.Mentions, link.Unnamed)
	return found, err
}

// Link is [Model.LinkRecords] for documents that do not come from a file.
func (m *Model) Link(ctx context.Context, docs []*Document, o LinkOptions) ([]*LinkedDocument, error) {
	records := make([]*formats.Record, len(docs))
	for i, doc := range docs {
		records[i] = formats.NewRecord(doc)
	}
	return m.LinkRecords(ctx, records, o)
}

// LinkText links the mentions of one text, each marked as in "He had a [ENT] cardiac infarct [/ENT]." The returned
// document has the text without the markers. With [LinkOptions].Tag or Recognize, the text must not be marked.
func (m *Model) LinkText(ctx context.Context, s string, o LinkOptions) (*LinkedDocument, error) {
	doc := &Document{Text: s}
	if !o.Tag && !o.Recognize {
		var err error
		if doc, err = formats.ParseMarked(s); err != nil {
			return nil, err
		}
	}
	linked, err := m.Link(ctx, []*Document{doc}, o)
	if err != nil {
		return nil, err
	}
	return linked[0], nil
}

// Annotate is [Model.LinkText] with [LinkOptions].Tag.
func (m *Model) Annotate(ctx context.Context, s string, o LinkOptions) (*LinkedDocument, error) {
	o.Tag = true
	return m.LinkText(ctx, s, o)
}

// checkMentions rejects spans that are outside the text or cut a character.
func checkMentions(doc *Document) error {
	cuts := func(at int) bool { return at < len(doc.Text) && !utf8.RuneStart(doc.Text[at]) }
	within := func(s, outer Span) bool {
		return outer.Start <= s.Start && s.Start < s.End && s.End <= outer.End && !cuts(s.Start) && !cuts(s.End)
	}
	for i, mention := range doc.Mentions {
		s := mention.Span
		if !within(s, Span{Start: 0, End: len(doc.Text)}) {
			return fmt.Errorf("document %q: mention %d is the bytes %d to %d of a text of %d bytes, want a span of whole characters within it",
				doc.ID, i, s.Start, s.End, len(doc.Text))
		}
		rest := s
		for j, f := range mention.Fragments {
			if !within(f, rest) || j == 0 && f.Start > s.Start {
				return fmt.Errorf("document %q: fragment %d of mention %d is the bytes %d to %d, want fragments of whole characters, in order, from %d to %d",
					doc.ID, j, i, f.Start, f.End, s.Start, s.End)
			}
			rest.Start = f.End
		}
		if len(mention.Fragments) > 0 && rest.Start < s.End {
			return fmt.Errorf("document %q: the fragments of mention %d end at byte %d, want %d", doc.ID, i, rest.Start, s.End)
		}
	}
	return nil
}

// withDefaults fills in empty fields and rejects invalid ones. It also returns the method.
func (o LinkOptions) withDefaults(m *Model) (LinkOptions, link.Method, error) {
	o.Tag = o.Tag || o.Recognize
	if o.Method == "" && m.dictionaryOnly {
		o.Method = MethodLexical
	}
	o.Method, o.TopK = cmp.Or(o.Method, MethodRanked), cmp.Or(o.TopK, 5)
	method, ok := papers.MethodOf(string(o.Method))
	if !ok {
		return o, method, files.CheckOption(false, "Method", o.Method, strings.Join(papers.MethodNames(nil), ", "))
	}
	if err := o.check(m, &method); err != nil {
		return o, method, err
	}
	if o.MinProbability == AlwaysAnswer || !method.Calibrated {
		o.MinProbability = 0
		return o, method, nil
	}
	if o.MinProbability == 0 {
		if o.Coverage == 0 {
			o.minCell = m.stored.Calibration.CellThreshold()
		}
		var err error
		if o.MinProbability, err = m.stored.Calibration.Threshold(o.Coverage); err != nil {
			return o, method, files.CheckOption(false, "Coverage", o.Coverage, "0: "+err.Error())
		}
	}
	o.Coverage = 0 // it has become the threshold
	return o, method, nil
}

// check rejects options that are invalid or have no effect on the method.
func (o *LinkOptions) check(m *Model, method *link.Method) error {
	check, of := files.CheckOption, " with the method "+method.Name
	byStrings := papers.MethodNames(func(m link.Method) bool { return m.Vectors == link.VectorsUnused })
	isUnit := func(x float64) bool { return x >= 0 && x <= 1 } // not NaN
	err := cmp.Or(
		check(!m.dictionaryOnly || method.Vectors == link.VectorsUnused, "Method", o.Method,
			strings.Join(byStrings, ", ")+" for a dictionary without a model"),
		check(o.TopK >= 1, "TopK", o.TopK, "at least 1"),
		check(o.MinProbability == AlwaysAnswer || isUnit(o.MinProbability), "MinProbability", o.MinProbability,
			"0 to 1, or AlwaysAnswer"),
		check(o.MinProbability <= 0 || method.Calibrated, "MinProbability", o.MinProbability,
			"0"+of+", which is not calibrated"),
		check(isUnit(o.Coverage), "Coverage", o.Coverage, "0 to 1"),
		check(o.Coverage == 0 || method.Calibrated, "Coverage", o.Coverage, "0"+of+", which is not calibrated"),
		check(o.Coverage == 0 || o.MinProbability == 0, "Coverage", o.Coverage,
			"0 beside a lowest probability, which it chooses"),
		check(isUnit(o.MinScore), "MinScore", o.MinScore, "0 to 1"),
		check(o.MinScore == 0 || method.StringScores, "MinScore", o.MinScore,
			"0"+of+", whose scores are not similarities of strings"),
		check(!o.Case || method.Vectors != link.VectorsRequired, "Case", o.Case,
			"false"+of+", which compares vectors alone"),
		check(isUnit(o.ExactBudget), "ExactBudget", o.ExactBudget, "0 to 1"),
		check(o.Neighbors >= 0, "Neighbors", o.Neighbors, "0 or more"),
		check(o.Neighbors == 0 || method.Votes, "Neighbors", o.Neighbors, "0"+of+", in which exemplars do not vote"),
	)
	if err == nil && method.Vectors == link.VectorsRequired && !m.stored.HasEncoder() {
		err = ErrNoVectors
	}
	return err
}

// Linker returns the linker behind [Model.Link], for use with package eval or with your own queries. Its parameter k is
// the largest number of candidates, regardless of TopK.
func (m *Model) Linker(o LinkOptions) (*link.MentionResolver, error) {
	o, method, err := o.withDefaults(m)
	if err != nil {
		return nil, err
	}
	return m.linker(&o, &method)
}

// linkerKey holds the options that a linker depends on.
type linkerKey struct {
	method      string
	options     link.MethodOptions
	exactBudget float64
	components  link.Components
}

// linker returns the linker for options with defaults filled in.
func (m *Model) linker(o *LinkOptions, method *link.Method) (*link.MentionResolver, error) {
	key := linkerKey{method.Name, link.MethodOptions{MinProbability: o.MinProbability, MinCell: o.minCell, MinScore: o.MinScore,
		Evidence: o.Evidence, MatchCase: o.Case, Neighbors: o.Neighbors}, o.ExactBudget, o.ResolverComponents()}
	m.mu.Lock()
	defer m.mu.Unlock()
	if linker, ok := m.linkers[key]; ok {
		return linker, nil
	}
	linker, err := method.New(link.Source{Model: m.stored, Names: m.names}, key.options)
	if err != nil {
		return nil, err
	}
	resolver, err := link.NewMentionResolver(m.stored, linker, key.components)
	if err != nil {
		return nil, err
	}
	if err := resolver.AddCascade(key.exactBudget); err != nil {
		return nil, err
	}
	resolver.Corrections = m.corrections
	m.linkers[key] = resolver
	return resolver, nil
}

// ResolverComponents returns the components that resolve mentions before they are linked. The paper's method and its
// baseline link mentions as written.
func (o *LinkOptions) ResolverComponents() link.Components {
	if method, _ := o.Method.value(); method.Literal {
		return 0
	}
	if o.Literal {
		return link.AllComponents &^ (link.ComponentDocumentAbbreviations | link.ComponentCorpusAbbreviations | link.ComponentComposites)
	}
	return link.AllComponents
}
