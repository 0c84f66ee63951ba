package ctxnorm

import (
	"context"
	"iter"
	"maps"
	"path/filepath"
	"slices"

	"github.com/dustin/go-humanize/english"

	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/lsa"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/recognize"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/internal/sense"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/text"
)

// readInputs reads the corpus, if there is one, and the labeled mentions.
func (t *training) readInputs(ctx context.Context) (err error) {
	b := &t.made
	b.Dictionary = t.Dictionary.Fraction(t.DictionaryFraction, t.Seed)
	if t.DictionaryFraction < 1 {
		t.Observer.logf("%d of %d names are used (fraction %g, seed %d)",
			b.Dictionary.CountNames(), t.Dictionary.CountNames(), t.DictionaryFraction, t.Seed)
	}
	b.DictionaryInfo = model.DictionaryInfo{Source: filepath.Base(t.DictionaryPath), Fraction: t.DictionaryFraction,
		Seed: t.Seed}
	if t.Recipe.Needs.LabelsAreNames {
		t.labeled = model.LabeledSynonyms(t.Labeled)
	}
	var report *matcher.FilterReport
	b.Tagger, report, err = matcher.NewExtendedTagger(ctx, model.LookedFor(b.Dictionary, t.labeled), b.Dictionary,
		matcher.DefaultNameFilter())
	if err != nil {
		return err
	}
	t.Observer.logFilter(report)
	t.compareAnnotated()
	if t.Corpus != "" {
		if err := t.readCorpus(ctx); err != nil {
			return err
		}
	}
	if len(t.labeled) > 0 {
		b.Contexts = append(b.Contexts, model.LabeledContexts(t.Labeled, b.Dictionary)...)
	}
	return nil
}

// compareAnnotated compares the names in the annotated documents with their marked mentions. Names that are mostly
// unmarked are no mentions. If most names are unmarked, the documents do not mark all mentions and are not used.
func (t *training) compareAnnotated() {
	const leastMarked = .5 // share of names
	marked, names := 0, 0
	lead := make(map[string]int) // phrase -> unmarked occurrences minus marked ones
	for _, doc := range t.Annotated {
		for _, found := range link.TagDocument(doc, t.made.Tagger).Mentions {
			if found.LongForm != "" {
				continue
			}
			phrase := normalize.Phrase(found.Of(doc.Text))
			names++
			lead[phrase]++
			if slices.ContainsFunc(doc.Mentions, func(m text.Mention) bool { return m.Start < found.End && found.Start < m.End }) {
				marked++
				lead[phrase] -= 2
			}
		}
	}
	if len(t.Annotated) == 0 {
		return
	}
	t.Observer.logf("the annotated documents mark %d of %d names in them", marked, names)
	if float64(marked) < leastMarked*float64(names) {
		t.Observer.logf("they are not used to learn which phrases are mentions")
		t.Annotated = nil
		return
	}
	maps.DeleteFunc(lead, func(_ string, lead int) bool { return lead < 2 })
	if t.made.NoMentions = slices.Sorted(maps.Keys(lead)); len(lead) > 0 {
		t.Observer.logf("  mostly unmarked, and not found in texts: %q", t.made.NoMentions)
	}
}

// readCorpus reads the corpus: its pairs, its sentences, which it tags with the names in use, and its texts.
func (t *training) readCorpus(ctx context.Context) (err error) {
	if t.corpus, err = corpus.Open(t.Corpus); err != nil {
		return err
	}
	for pair, err := range t.corpus.Pairs(ctx) {
		if err != nil {
			return err
		}
		t.pairs = append(t.pairs, pair)
	}
	b, table := &t.made, mine.NewAbbreviationTable(t.pairs)
	if t.CorpusSynonyms {
		b.CorpusSynonyms, b.Abbreviations = mine.Synonyms(t.pairs, b.Dictionary), table
		t.Observer.logf("%s: %s and %s that texts define", t.Corpus, english.Plural(len(b.CorpusSynonyms), "synonym", ""),
			english.Plural(len(b.Abbreviations), "abbreviation", ""))
	}
	names := sense.NewNames(ctx, b.Dictionary)
	tagger := longFormTagger{b.Tagger, names.Inventory(b.Abbreviations, b.CorpusSynonyms)}
	mayMean := names.Inventory(table, b.CorpusSynonyms).MayMean
	if err := t.readContexts(ctx, tagger, mayMean); err != nil {
		return err
	}
	if err := t.learnSpace(ctx); err != nil {
		return err
	}
	b.HiddenDefinitions, err = hideDefinitions(t.corpus.Texts(ctx), tagger, t.Seed)
	if err != nil {
		return err
	}
	t.Observer.logf("%s: %d definitions of ambiguous short forms to learn from", t.Corpus, len(b.HiddenDefinitions))
	return nil
}

// readContexts tags the sentences of the corpus with the names in use. It uses short forms that their record does not
// define if the definitions in other records leave hardly any doubt.
func (t *training) readContexts(ctx context.Context, tagger longFormTagger,
	mayMean func(form string, concepts []kb.ConceptID) bool) (err error) {
	dropped := 0
	accept := func(surface string, concepts []kb.ConceptID) bool {
		if mayMean(surface, concepts) {
			return true
		}
		dropped++
		return false
	}
	b := &t.made
	if b.Contexts, err = model.ContextExemplars(t.corpus.Documents(ctx), tagger, accept); err != nil {
		return err
	}
	about := t.corpus.Manifest()
	named := len(model.WithConcepts(b.Contexts))
	b.Corpus = model.CorpusInfo{SHA256: about.SentencesSHA256(), Sentences: about.Totals.Sampled, Mentions: named}
	t.Observer.logf("%s: %s in %s", t.Corpus, english.Plural(named, "mention", ""),
		english.Plural(about.Totals.Sampled, "sentence", ""))
	t.Observer.logf("%s: defined short forms for something outside the dictionary: %d", t.Corpus, len(b.Contexts)-named)
	t.Observer.logf("%s: dropped %s of short forms that their records do not define and other records define in "+
		"several ways", t.Corpus, english.Plural(dropped, "mention", ""))
	return nil
}

// longFormTagger is a tagger that also recognizes long forms that differ from the dictionary in spelling or word order.
type longFormTagger struct {
	*matcher.Tagger
	inventory *sense.Inventory
}

// LookupLongForm implements [model.Tagger].
func (t longFormTagger) LookupLongForm(long string) (name string, concepts []kb.ConceptID) {
	if name, concepts = t.Tagger.LookupLongForm(long); concepts == nil {
		concepts = t.inventory.ConceptsOf(long)
	}
	return name, concepts
}

// learnSpace learns from the texts of the corpus which words occur together.
func (t *training) learnSpace(ctx context.Context) (err error) {
	texts := 0
	words := func(yield func([]string, error) bool) {
		for doc, err := range t.corpus.Texts(ctx) {
			if err != nil {
				yield(nil, err)
				return
			}
			if texts++; !yield(normalize.ContentWords(doc.Text), nil) {
				return
			}
		}
	}
	if t.made.Space, err = lsa.Train(ctx, words, lsa.Dim, lsa.MinTexts, t.Seed); err != nil {
		return err
	}
	if t.made.Space == nil {
		t.Observer.logf("%s: %d texts are too few to learn which words stand together; contexts decide less", t.Corpus,
			texts)
	} else {
		t.Observer.logf("%s: learned which words stand together, of %d words in %d texts", t.Corpus, t.made.Space.Len(),
			texts)
	}
	return nil
}

// learnRecognizer learns from the texts of the corpus to find mentions that are not names.
func (t *training) learnRecognizer(ctx context.Context) (err error) {
	if t.NoRecognizer || t.corpus == nil {
		return nil
	}
	b := &t.made
	b.Recognizer, err = recognize.Train(ctx, recognize.Options{
		Dictionary: b.Dictionary, Documents: t.corpus.Texts(ctx), Annotated: t.Annotated, Seed: t.Seed,
		Tag: func(doc *text.Document) *text.Document { return link.TagDocument(doc, b.Tagger) },
		Progress: func(done, total int) {
			t.Observer.progress(Progress{Task: "recognizer", Unit: "steps", Done: int64(done), Total: int64(total)})
		},
	})
	if err != nil {
		return err
	}
	if b.Recognizer == nil {
		t.Observer.logf("%s: the texts are too few to learn how to recognize mentions that are no names", t.Corpus)
		return nil
	}
	_, completeness, _ := b.Recognizer.Learned()
	t.Observer.logf("%s: learned to recognize mentions, of which the dictionary seems to name %.0f %%", t.Corpus,
		100*completeness)
	return nil
}

// hideDefinitions returns the ambiguous short forms that texts define, each at an occurrence after its hidden
// definition, with the concepts of the long form. If there are several occurrences, a hash selects one.
func hideDefinitions(texts iter.Seq2[*text.Document, error], tagger longFormTagger,
	seed uint64) ([]text.Exemplar, error) {
	var all []text.Exemplar
	for doc, err := range texts {
		if err != nil {
			return nil, err
		}
		seen := make(map[string]bool)
		for _, d := range abbrev.Find(doc.Text) {
			short := normalize.SingularShortForm(d.Short.Of(doc.Text))
			if seen[short] || !tagger.inventory.HasConcept(short) || len(tagger.inventory.Senses(short)) < 2 {
				continue
			}
			seen[short] = true
			hidden, ok := abbrev.Hide(doc.Text, short)
			places := abbrev.SpansOf(hidden, short)
			if !ok || len(places) == 0 {
				continue
			}
			place := sampling.Hash(seed, "hidden definition", doc.ID, short) % uint64(len(places))
			m := text.Mention{Span: places[place], LongForm: d.Long.Of(doc.Text)}
			m.Name, m.Concepts = tagger.LookupLongForm(m.LongForm)
			all = append(all, text.Exemplar{Query: text.Query{
				Document: &text.Document{ID: doc.ID, Text: hidden, Mentions: []text.Mention{m}},
				Mention:  m, Sentence: text.Span{Start: 0, End: len(hidden)},
			}})
		}
	}
	return all, nil
}

const (
	// validationShare is the fraction of the concepts, or of the documents, that is held out to validate training.
	validationShare = .02
	// maxValidationContexts limits the contexts to encode in each of the twenty validations: 20 x 512 is a tenth of the
	// sentences encoded in 2,000 steps.
	maxValidationContexts = 512
	// maxValidationNames limits the names, which are a fourth as long.
	maxValidationNames = 1024
)

func splitNames(names []text.Exemplar, seed uint64) (training, validation []text.Exemplar) {
	return split(names, maxValidationNames, seed, func(ex *text.Exemplar) string {
		return string(ex.Mention.Concepts[0])
	})
}

func splitContexts(contexts []text.Exemplar, seed uint64) (training, validation []text.Exemplar) {
	return split(contexts, maxValidationContexts, seed, func(ex *text.Exemplar) string { return ex.ID })
}

// split holds out the exemplars of validationShare of the groups, at most limit of them. It holds out nothing if these
// are too few to distinguish concepts.
func split(exemplars []text.Exemplar, limit int, seed uint64,
	group func(*text.Exemplar) string) (training, validation []text.Exemplar) {
	for i := range exemplars {
		if sampling.Unit(seed, "validation", group(&exemplars[i])) < validationShare {
			validation = append(validation, exemplars[i])
		} else {
			training = append(training, exemplars[i])
		}
	}
	if len(validation) > limit {
		validation = model.SampleContexts(validation, limit, seed)
	}
	if !haveNegatives(validation) {
		return exemplars, nil
	}
	return training, validation
}

// haveNegatives reports whether at least two concepts have at least two exemplars each.
func haveNegatives(exemplars []text.Exemplar) bool {
	count := make(map[ConceptID]int)
	pairs := 0
	for i := range exemplars {
		for _, id := range exemplars[i].Mention.Concepts {
			if count[id]++; count[id] == 2 {
				pairs++
			}
		}
	}
	return pairs >= 2
}
