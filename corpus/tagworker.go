package corpus

import (
	"context"
	"strings"

	"github.com/ctxnorm/ctxnorm/internal/abbrev"
	"github.com/ctxnorm/ctxnorm/internal/sentence"
	"github.com/ctxnorm/ctxnorm/pubmed"
	"github.com/ctxnorm/ctxnorm/text"
)

// batchBytes is the amount of text in a batch: large enough that sending it to a worker costs nothing, small enough
// that a single file keeps all cores busy.
const batchBytes = 256 << 10

// batch is a number of records of one file on their way to a worker.
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

// work tags batches until the channel is closed. Once ctx is done, it discards them.
func (p *pipeline) work(ctx context.Context, batches <-chan batch) {
	w := worker{extractor: p.PairExtractor, definitions: definitionTagger{Tagger: abbrev.NewTagger(p.Tagger)}}
	for b := range batches {
		if ctx.Err() == nil {
			w.tag(&b)
			sentences, mentions := 0, 0
			for i := range w.records {
				sentences, mentions = sentences+int(w.records[i].Tagged), mentions+int(w.records[i].Mentions)
			}
			p.progress.addTagged(len(w.records), sentences, mentions)
		}
		b.to.pending.Done()
	}
}

// maxHeld is the number of mentions at which a worker hands over its results, even within a record. So the memory for a
// record does not grow with its mentions, which can take a hundred times as much as its text.
const maxHeld = 1 << 14

// worker tags one batch after another. It reuses its memory.
type worker struct {
	extractor    PairExtractor // or nil
	definitions  definitionTagger
	records      []record
	rows         []shardRow     // sentences with mentions that are not handed over yet
	held         int            // number of mentions in rows
	pairs        []shardPair    // not handed over yet
	mentions     []text.Mention // of the current sentence
	section      []text.Mention // names in the current section, with offsets in it, that extract has not seen yet
	sectionPairs []SynonymPair
}

// tag tags the records of b and adds them to its chunk. It sets w.records to these records.
func (w *worker) tag(b *batch) {
	w.records = w.records[:0]
	for i, rec := range b.records {
		pmid := strings.Clone(rec.PMID) // it may share memory with the whole document
		head := recordHead{PMID: pmid, Version: int32(rec.Version), Year: int32(rec.Year), Record: b.numbers[i]}
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
	to.add(records, w.rows, w.pairs)
	clear(w.rows) // otherwise they would keep the texts alive
	clear(w.pairs)
	w.rows, w.held, w.pairs = w.rows[:0], 0, w.pairs[:0]
}

// tagSection splits and tags a section of the last record. number is 0 for the title.
func (w *worker) tagSection(to *chunkBuilder, label, body string, number int) {
	r := &w.records[len(w.records)-1]
	label = strings.Clone(label)
	definitions := w.definitions.found[number]
	for _, span := range sentence.Split(body) {
		if w.held >= maxHeld {
			w.extract(body, definitions)
			definitions = nil
			w.handOver(to, nil)
		}
		index := int(r.Sentences)
		r.Sentences++
		w.mentions = w.definitions.Tag(w.mentions[:0], span.Of(body), w.definitions.start[number]+span.Start)
		if len(w.mentions) == 0 {
			continue
		}
		for _, m := range w.mentions {
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
		r.Mentions += int32(len(w.mentions))
		w.held += len(w.mentions)
		w.rows = append(w.rows, shardRow{newRow(r.PMID, label, index, span.Of(body), w.mentions), r.Record})
	}
	w.extract(body, definitions)
}

// extract adds the pairs that the definitions, and the names since the last call, form in a section of the last record.
func (w *worker) extract(body string, definitions []abbrev.Definition) {
	names := w.section
	w.section = w.section[:0]
	if w.extractor == nil {
		return
	}
	r := &w.records[len(w.records)-1]
	w.sectionPairs = w.extractor.Extract(w.sectionPairs[:0], body, definitions, names)
	for _, p := range w.sectionPairs {
		w.pairs = append(w.pairs, shardPair{SynonymPair{p.Kind, strings.Clone(p.Left), strings.Clone(p.Right)}, r.PMID, r.Record})
	}
}

// definitionTagger tags the sentences of one record after another. It tags short forms that the record defines by their
// definition.
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
