package corpus

import (
	"context"

	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/internal/sentence"
	"github.com/ctxnorm/ctxnorm/pubmed"
	"github.com/ctxnorm/ctxnorm/text"
)

// batchBytes is the amount of text in a batch: large enough that sending it to a
// worker costs nothing, small enough that one file keeps all cores busy.
const batchBytes = 256 << 10

// batch is some records of one file on their way to a worker.
type batch struct {
	to      *chunkBuilder
	bytes   int // of text
	records []*pubmed.Record
	numbers []int32 // of the records, in the file
}

func (b *batch) add(rec *pubmed.Record, number int32) {
	b.records = append(b.records, rec)
	b.numbers = append(b.numbers, number)
	b.bytes += len(rec.Title)
	for _, s := range rec.Sections {
		b.bytes += len(s.Text)
	}
}

// work tags batches until the channel is closed. When ctx is done, it discards them.
func (p *pipeline) work(ctx context.Context, batches <-chan batch) {
	w := worker{extractor: p.PairExtractor, definitions: definitionTagger{Tagger: abbrev.NewTagger(p.Tagger)}}
	for b := range batches {
		if ctx.Err() == nil {
			w.tag(&b)
			p.progress.addTagged(w.records)
		}
		b.to.pending.Done()
	}
}

// maxHeld is the number of mentions from which a worker hands over what it found, also within a record: so the memory
// that a record takes does not grow with its mentions, which can take a hundred times its text.
const maxHeld = 1 << 14

// worker tags one batch after another. It reuses its memory.
type worker struct {
	extractor    PairExtractor // or nil
	definitions  definitionTagger
	records      []record
	sentences    []taggedSentence // not handed over yet
	mentions     []text.Mention   // of these sentences
	pairs        []shardPair      // not handed over yet; they share memory with the batch
	section      []text.Mention   // names in the current section, with offsets in it; without those of pairs
	sectionPairs []SynonymPair
}

// taggedSentence is a sentence with mentions. It shares memory with the worker.
type taggedSentence struct {
	record   int32 // number in the file
	pmid     string
	section  string
	index    int
	text     string
	mentions []text.Mention
}

// tag tags the records of b and adds them to its chunk. It sets w.records to them.
func (w *worker) tag(b *batch) {
	w.records = w.records[:0]
	for i, rec := range b.records {
		head := recordHead{PMID: rec.PMID, Version: int32(rec.Version), Year: int32(rec.Year), Record: b.numbers[i]}
		w.records = append(w.records, record{head, recordText(rec)})
		w.definitions.setRecord(rec)
		w.tagSection(b.to, titleSection, rec.Title, 0)
		for j, s := range rec.Sections {
			label := s.Label
			if label == "" {
				label = abstractSection
			}
			w.tagSection(b.to, label, s.Text, 1+j)
		}
	}
	w.handOver(b.to, w.records)
}

// handOver adds records, and the sentences and pairs since the last call, to a chunk.
func (w *worker) handOver(to *chunkBuilder, records []record) {
	to.add(records, w.sentences, w.pairs)
	clear(w.sentences) // otherwise they keep the texts alive
	clear(w.pairs)
	w.sentences, w.mentions, w.pairs = w.sentences[:0], w.mentions[:0], w.pairs[:0]
}

// tagSection splits and tags a section of the last record. number is 0 for the title.
func (w *worker) tagSection(to *chunkBuilder, label, body string, number int) {
	r := &w.records[len(w.records)-1]
	definitions := w.definitions.found[number]
	for _, span := range sentence.Split(body) {
		if len(w.mentions) >= maxHeld {
			w.extract(body, definitions)
			definitions = nil
			w.handOver(to, nil)
		}
		s := taggedSentence{record: r.Record, pmid: r.PMID, section: label, index: int(r.Sentences),
			text: span.Of(body)}
		r.Sentences++
		first := len(w.mentions)
		w.mentions = w.definitions.Tag(w.mentions, s.text, w.definitions.start[number]+span.Start)
		if s.mentions = w.mentions[first:]; len(s.mentions) == 0 {
			continue
		}
		for _, m := range s.mentions {
			if m.LongForm != "" {
				r.Defined++
				if len(m.Concepts) == 0 {
					r.NIL++
				}
				continue
			}
			m.Start, m.End = m.Start+span.Start, m.End+span.Start
			w.section = append(w.section, m)
		}
		r.Tagged++
		r.Mentions += int32(len(s.mentions))
		w.sentences = append(w.sentences, s)
	}
	w.extract(body, definitions)
}

// extract adds the pairs of a section of the last record that its definitions, and the names since the last call, make.
func (w *worker) extract(body string, definitions []abbrev.Definition) {
	names := w.section
	w.section = w.section[:0]
	if w.extractor == nil {
		return
	}
	r := &w.records[len(w.records)-1]
	w.sectionPairs = w.extractor.Extract(w.sectionPairs[:0], body, definitions, names)
	for _, p := range w.sectionPairs {
		w.pairs = append(w.pairs, shardPair{p.Kind, p.Left, p.Right, r.PMID, r.Record})
	}
}

// definitionTagger tags the sentences of one record after another, with the short forms
// that the record defines tagged by their definition.
type definitionTagger struct {
	*abbrev.Tagger
	found [][]abbrev.Definition // by section of the record, 0 for the title
	start []int                 // section -> position of its start in the record
}

// setRecord finds the definitions in the title and all sections of a record.
func (t *definitionTagger) setRecord(rec *pubmed.Record) {
	t.found, t.start = t.found[:0], t.start[:0]
	t.Reset()
	add := func(body string) {
		found := abbrev.Find(body)
		t.found, t.start = append(t.found, found), append(t.start, t.Define(body, found))
	}
	add(rec.Title)
	for i := range rec.Sections {
		add(rec.Sections[i].Text)
	}
}
