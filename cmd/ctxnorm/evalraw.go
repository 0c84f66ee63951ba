package main

import (
	"context"
	"path/filepath"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/internal/report"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// withRecognizer is the name of what finds names and what the recognizer finds.
const withRecognizer = "names and recognizer"

// measureRaw measures how the mentions of the gold are found and linked in its raw texts: by the names of the
// dictionary, and by the recognizer too.
func (e *evaluation) measureRaw(ctx context.Context) error {
	p, f := e.program, e.flags
	about := e.newReport()
	raw := &eval.RawReport{
		Model: about.Model, Dictionary: about.Dictionary, Types: about.Types, Seed: about.Seed,
		Documents: len(e.gold.Documents), Mentions: about.Mentions,
	}
	for _, file := range e.gold.Files {
		raw.Gold = append(raw.Gold, filepath.Base(file))
	}
	options := f.options
	options.Tag = true
	finders := []string{withRecognizer, "names of the dictionary"}
	switch {
	case f.fromDictionary:
		finders = finders[1:]
	case e.model.Manifest.Recognizer == nil:
		p.warn("the model has no recognizer: only the names of the dictionary are found", "train it again from a corpus")
		finders = finders[1:]
	}
	for _, finder := range finders {
		options.Recognize = finder == withRecognizer
		found, err := p.linkRaw(ctx, e.linkers, e.gold.Documents, options)
		if err != nil {
			return err
		}
		raw.Results = append(raw.Results, eval.NewRawResult(finder, e.gold, found, e.ids, e.view, f.seed))
	}
	if len(raw.Results) == 2 {
		raw.Differences = eval.CompareRaw(&raw.Results[0], &raw.Results[1], f.seed)
	}
	options.Tag, options.Recognize = false, false
	marked, err := p.linkRaw(ctx, e.linkers, goldSpans(e.gold), options)
	if err != nil {
		return err
	}
	given := eval.NewRawResult("marked", e.gold, marked, e.ids, e.view, f.seed)
	raw.Marked = given.Score(eval.ExactWithConcept)
	switch {
	case f.json:
		return p.printJSON(raw)
	case f.full:
		return report.WriteRaw(p.stdout, about, raw, -1)
	}
	return report.WriteRaw(p.stdout, about, raw, 20)
}

// goldSpans returns the documents of the gold with the mentions that are evaluated, of the types that were asked for.
func goldSpans(gold *eval.Gold) []*text.Document {
	mentions := make(map[*text.Document][]text.Mention)
	for i := range gold.Mentions {
		q := &gold.Mentions[i].Query
		mentions[q.Document] = append(mentions[q.Document], q.Mention)
	}
	docs := make([]*text.Document, len(gold.Documents))
	for i, doc := range gold.Documents {
		docs[i] = &text.Document{ID: doc.ID, Text: doc.Text, Group: doc.Group, Mentions: mentions[doc]}
	}
	return docs
}

// linkRaw links documents as options say, with a progress bar.
func (p *program) linkRaw(ctx context.Context, m *ctxnorm.Model, documents []*text.Document,
	options ctxnorm.LinkOptions) ([]*linked.Document, error) {
	const together = 64
	bar := p.bar("eval", "documents")
	defer bar.Finish()
	var all []*linked.Document
	for start := 0; start < len(documents); start += together {
		part := documents[start:min(len(documents), start+together)]
		linked, err := m.Link(ctx, part, options)
		if err != nil {
			return nil, err
		}
		all = append(all, linked...)
		bar.Set(int64(len(all)), int64(len(documents)), "")
	}
	return all, nil
}
