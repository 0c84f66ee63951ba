package corpus

import (
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/pubmed"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/abbrev"
)

// definitionTagger tags the sentences of one record after another, with the short forms
// that the record defines tagged by their definition: "AD" is a mention of eczema in a
// record that defines it as atopic dermatitis, in all of its sentences.
//
// If the long form is no name of the dictionary, the mention has no concepts. Such a
// mention is left out where the short form could not be taken for a name either.
type definitionTagger struct {
	tagger      Tagger
	found       []abbrev.Definition // of all sections of the record
	ends        []int               // section -> end of its definitions in found
	definitions abbrev.Definitions  // of the record
	senses      map[string]sense    // by long form
	occurrences []abbrev.Occurrence // of a sentence
	tagged      []text.Mention      // of a sentence, by the dictionary
	defined     []text.Mention      // of a sentence, by definition
}

// sense is what a long form means in the dictionary.
type sense struct {
	name     string         // the long form in normal form
	concepts []kb.ConceptID // none if it is no name
}

// setRecord finds the definitions in the title and all sections of a record.
func (t *definitionTagger) setRecord(rec *pubmed.Record) {
	t.found, t.ends = t.found[:0], t.ends[:0]
	t.definitions.Reset()
	clear(t.senses)
	add := func(body string) {
		found := abbrev.Find(body)
		t.definitions.Add(body, found)
		t.found = append(t.found, found...)
		t.ends = append(t.ends, len(t.found))
	}
	add(rec.Title)
	for i := range rec.Sections {
		add(rec.Sections[i].Text)
	}
}

// ofSection returns the definitions in a section of the record, 0 for the title. They
// are valid until the next record.
func (t *definitionTagger) ofSection(number int) []abbrev.Definition {
	start := 0
	if number > 0 {
		start = t.ends[number-1]
	}
	return t.found[start:t.ends[number]]
}

// tag appends the mentions of a sentence of the record to dst.
func (t *definitionTagger) tag(dst []text.Mention, sentence string) []text.Mention {
	if len(t.found) == 0 {
		return t.tagger.Tag(dst, sentence)
	}
	t.occurrences = t.definitions.Occurrences(t.occurrences[:0], sentence)
	t.defined = t.defined[:0]
	for _, o := range t.occurrences {
		meant := t.senseOf(o.Long)
		if meant.name == "" || len(meant.concepts) == 0 && !t.tagger.MayStandFor(o.Of(sentence)) {
			continue
		}
		t.defined = append(t.defined, text.Mention{Span: o.Span, Name: meant.name, LongForm: o.Long, Concepts: meant.concepts})
	}
	if len(t.defined) == 0 {
		return t.tagger.Tag(dst, sentence)
	}
	t.tagged = t.tagger.Tag(t.tagged[:0], sentence)
	return abbrev.Overlay(dst, t.tagged, t.defined)
}

// senseOf looks up a long form of the record.
func (t *definitionTagger) senseOf(long string) sense {
	meant, known := t.senses[long]
	if !known {
		meant.name, meant.concepts = t.tagger.LookupLongForm(long)
		if t.senses == nil {
			t.senses = make(map[string]sense)
		}
		t.senses[long] = meant
	}
	return meant
}
