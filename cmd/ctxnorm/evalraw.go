package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/eval"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// withRecognizer is the name of what finds names and what the recognizer finds.
const withRecognizer = "names and recognizer"

// measureRaw measures how the mentions of the gold are found and linked in its raw texts: by the names of the
// dictionary, and by the recognizer too.
func (e *evaluation) measureRaw(ctx context.Context) error {
	p, f := e.program, e.flags
	report := &eval.RawReport{
		Model: f.name(), Dictionary: e.model.Manifest.Dictionary.Hash, Types: e.gold.Types, Seed: f.seed,
		Documents: len(e.gold.Documents), Mentions: len(e.gold.Mentions),
	}
	for _, file := range e.gold.Files {
		report.Gold = append(report.Gold, filepath.Base(file))
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
		report.Results = append(report.Results, eval.NewRawResult(finder, e.gold, found, e.ids, e.view, f.seed))
	}
	if len(report.Results) == 2 {
		report.Differences = eval.CompareRaw(&report.Results[0], &report.Results[1], f.seed)
	}
	options.Tag, options.Recognize = false, false
	marked, err := p.linkRaw(ctx, e.linkers, goldSpans(e.gold), options)
	if err != nil {
		return err
	}
	given := eval.NewRawResult("marked", e.gold, marked, e.ids, e.view, f.seed)
	report.Marked = given.Score(eval.ExactWithConcept)
	switch {
	case f.json:
		return p.printJSON(report)
	case f.full:
		return writeRaw(p.stdout, report, -1)
	}
	return writeRaw(p.stdout, report, 20)
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

// writeRaw writes the report as text, with at most so many texts of each list; -1 for all.
func writeRaw(to io.Writer, r *eval.RawReport, shown int) error {
	w := bufio.NewWriter(to)
	fmt.Fprintf(w, "%s on %s: %s, %s; dictionary %.12s, seed %d\n", r.Model, strings.Join(r.Gold, ", "),
		english.Plural(r.Documents, "document", ""), english.Plural(r.Mentions, "mention", ""), r.Dictionary, r.Seed)
	fmt.Fprintf(w, "95 %% intervals over documents\n")
	for i := range r.Results {
		result := &r.Results[i]
		if err := writeScores(w, result.Finder, result.Scores); err != nil {
			return err
		}
		for _, list := range []struct {
			name    string
			metrics []eval.Metric
		}{{"recall of exact spans", result.RecallBy}, {"precision of exact spans", result.PrecisionBy}} {
			fmt.Fprintf(w, "  %s:", list.name)
			for _, m := range list.metrics {
				fmt.Fprintf(w, " %s %s (%s);", m.Name, eval.Decimals(m.Value), m.Fraction())
			}
			fmt.Fprintln(w)
		}
		for _, list := range []struct {
			name  string
			texts []eval.TextCount
		}{{"missed", result.Missed}, {"found, and not annotated", result.Wrong},
			{"found, and linked otherwise or to nothing", result.WrongConcept}} {
			fmt.Fprintf(w, "  %s:", list.name)
			for i, t := range list.texts {
				if i == shown {
					fmt.Fprintf(w, " and %d others (--full)", len(list.texts)-shown)
					break
				}
				fmt.Fprintf(w, " %s %d;", t.Text, t.Count)
			}
			fmt.Fprintln(w)
		}
	}
	fmt.Fprintln(w)
	for _, d := range r.Differences {
		fmt.Fprintf(w, "%s less %s: %s F1 %s\n", r.Results[0].Finder, r.Results[1].Finder, d.Name, d.F1)
	}
	if err := writeScores(w, "the annotators' spans", []eval.FoundScore{r.Marked}); err != nil {
		return err
	}
	return w.Flush()
}

// writeScores writes a table of the scores of what found the mentions.
func writeScores(w io.Writer, finder string, scores []eval.FoundScore) error {
	fmt.Fprintf(w, "\n%s\n", finder)
	table := newTable(w)
	fmt.Fprintln(table, "  \tprecision\trecall\tF1")
	for _, s := range scores {
		fmt.Fprintf(table, "  %s\t%s (%s)\t%s (%s)\t%s\n", s.Name, eval.Decimals(s.Precision.Value),
			s.Precision.Fraction(),
			eval.Decimals(s.Recall.Value), s.Recall.Fraction(), s.F1)
	}
	return table.Flush()
}
