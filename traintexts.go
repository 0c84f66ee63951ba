package ctxnorm

import (
	"context"
	"iter"
	"strings"

	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/lsa"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/recognize"
	"github.com/ctxnorm/ctxnorm/internal/sampling"
	"github.com/ctxnorm/ctxnorm/text"
)

// readTexts learns from the texts of the corpus which words stand together, and collects
// definitions of ambiguous short forms.
func (o *TrainOptions) readTexts(ctx context.Context, in *trainingInputs, c *corpus.Corpus,
	tagger longFormTagger) error {
	texts := 0
	words := func(yield func([]string, error) bool) {
		for doc, err := range c.Texts() {
			if err != nil {
				yield(nil, err)
				return
			}
			if texts++; !yield(normalize.ContentWords(doc.Text), nil) {
				return
			}
		}
	}
	config := lsa.DefaultConfig()
	config.Seed = o.Seed
	var err error
	if in.space, err = lsa.Train(ctx, words, config); err != nil {
		return err
	}
	if in.space == nil {
		o.Observer.logf("%s: %d texts are too few to learn which words stand together; contexts decide less", o.Corpus,
			texts)
	} else {
		o.Observer.logf("%s: learned which words stand together, of %d words in %d texts", o.Corpus, in.space.Len(),
			texts)
	}
	in.hidden, err = hideDefinitions(c.Texts(), tagger, o.Seed)
	if err != nil {
		return err
	}
	o.Observer.logf("%s: %d definitions of ambiguous short forms to learn from", o.Corpus, len(in.hidden))
	return nil
}

// learnRecognizer learns to find mentions that are no names from the texts of the corpus.
func (o *TrainOptions) learnRecognizer(ctx context.Context, in *trainingInputs) error {
	if o.NoRecognizer || in.corpus == nil {
		return nil
	}
	var err error
	in.recognizer, err = recognize.Train(ctx, recognize.Options{
		Dictionary: in.dict, Documents: in.corpus.Texts(), Seed: o.Seed,
		Tag: func(doc *text.Document) *text.Document { return link.TagDocument(doc, in.tagger) },
		Progress: func(done, total int) {
			o.Observer.progress(Progress{Task: "recognizer", Unit: "steps", Done: int64(done), Total: int64(total)})
		},
	})
	if err != nil {
		return err
	}
	if in.recognizer == nil {
		o.Observer.logf("%s: the texts are too few to learn how to recognize mentions that are no names", o.Corpus)
		return nil
	}
	learned := in.recognizer.Summary(5)
	others := ""
	if len(learned.NewEnds) > 0 {
		others = "; others end in words such as " + strings.Join(learned.NewEnds, ", ")
	}
	o.Observer.logf("%s: learned to recognize mentions, of which the dictionary seems to name %.0f %%%s", o.Corpus,
		100*learned.Completeness, others)
	return nil
}

// hideDefinitions returns the ambiguous short forms that texts define, each where it stands
// in its text after the definition was hidden, with the concepts of the long form. Of several
// places, a hash chooses.
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
