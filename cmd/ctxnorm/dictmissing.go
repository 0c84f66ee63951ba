package main

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/text/formats"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// missingWording is a phrase that a recognizer found in texts and that was linked to no concept.
type missingWording struct {
	Wording   string  `json:"wording"`           // the most frequent spelling
	Documents int     `json:"documents"`         // number of documents with the phrase
	Mentions  int     `json:"mentions"`          // in these documents
	Score     float64 `json:"recognition_score"` // mean over the mentions
	// the most probable concept, although its probability was too low; null if there is none
	Nearest  *linked.Candidate `json:"nearest"`
	Document string            `json:"document"` // the first one with the phrase
	Sentence string            `json:"sentence"` // of that document
}

// missingCounts accumulates the mentions of one phrase.
type missingCounts struct {
	missingWording
	forms   map[string]int // counts by spelling
	last    string         // the document counted last
	example *ctxnorm.Document
}

// missingSearch is a run of dict missing.
type missingSearch struct {
	p            *program
	documents    documentFlags
	source       modelFlags
	limit, least int // largest number of phrases, and smallest number of documents for each
	asJSON       bool
}

func (p *program) dictMissingCommand() *cobra.Command {
	s := missingSearch{p: p}
	return p.command(command{
		use:   "missing [FILE or FOLDER]…",
		short: "Print phrases of texts that a dictionary lacks",
		long: `Finds the mentions in texts as link --recognize does, and prints the phrases that are
linked to no concept, by number of documents: candidates for the dictionary. Phrases
that differ only in case, number or British spelling count as one. nearest is the most
probable concept, which may be broader, or may lack the phrase as a name.`,
		args:     cobra.ArbitraryArgs,
		usual:    "model limit min-documents json",
		examples: "ctxnorm dict missing --min-documents 3 pubmed/ > missing.tsv",
		flags: [][]flag{s.documents.flags(), encoderFlags(&s.source.encoder), {
			{"model", &s.source.dir, "default=model", "model `folder` with a recognizer"},
			{"limit", &s.limit, "min=0 default=100", "largest number of phrases to print, 0 for all"},
			{"min-documents", &s.least, "min=1 default=1", "leave out phrases that occur in fewer documents"},
			{name: "strict", value: &s.documents.strict},
			{"json", &s.asJSON, "", "print a JSON list instead of tab-separated values"},
		}},
		run: s.run,
	})
}

func (s *missingSearch) run(cmd *cobra.Command, args []string) error {
	if err := s.documents.check(s.p, cmd, args); err != nil {
		return err
	}
	options := ctxnorm.LinkOptions{Recognize: true}
	ctx := cmd.Context()
	m, err := s.source.open(s.p, cmd)
	if err != nil {
		return err
	}
	counted := make(map[string]*missingCounts)
	err = s.p.eachBatch(ctx, &s.documents, m, options, 64, func(records []*formats.Record) error {
		docs, err := m.LinkRecords(ctx, records, options)
		if err != nil {
			return err
		}
		for _, doc := range docs {
			countMissing(counted, doc)
		}
		return nil
	})
	if err != nil {
		return err
	}
	missing, err := listMissing(ctx, m, counted, s.least, s.limit)
	if err != nil {
		return err
	}
	if s.asJSON {
		return s.p.printJSON(missing)
	}
	return s.p.printMissing(missing)
}

// countMissing counts the mentions in a document that were recognized and are NIL.
func countMissing(counted map[string]*missingCounts, doc *linked.Document) {
	var queries []ctxnorm.Query // for all mentions, made at the first new phrase
	for i := range doc.Mentions {
		m := &doc.Mentions[i]
		if m.Source != linked.SourceRecognized || len(m.Candidates) > 0 {
			continue
		}
		key := canonical(m.Text)
		c := counted[key]
		if c == nil {
			c = &missingCounts{forms: make(map[string]int)}
			counted[key] = c
			if queries == nil {
				found := &ctxnorm.Document{ID: doc.ID, Text: doc.Text}
				for i := range doc.Mentions {
					found.Mentions = append(found.Mentions, ctxnorm.Mention{Span: doc.Mentions[i].Span})
				}
				queries = link.Queries(found)
			}
			mention, sentence := queries[i].Mention, queries[i].Sentence
			mention.Start, mention.End = mention.Start-sentence.Start, mention.End-sentence.Start
			c.example = &ctxnorm.Document{ID: doc.ID, Text: strings.Clone(sentence.Of(doc.Text)),
				Mentions: []ctxnorm.Mention{mention}}
			c.Document, c.Sentence = doc.ID, strings.Join(strings.Fields(c.example.Text), " ")
		}
		if c.Documents == 0 || c.last != doc.ID {
			c.Documents++
			c.last = doc.ID
		}
		c.Mentions++
		c.Score += m.RecognitionScore
		c.forms[strings.Join(strings.Fields(m.Text), " ")]++
	}
}

// listMissing returns the phrases that occur in at least this many documents, sorted by the number of documents, with
// their nearest concepts.
func listMissing(ctx context.Context, m *ctxnorm.Model, counted map[string]*missingCounts,
	least, limit int) ([]missingWording, error) {
	var list []*missingCounts
	for _, c := range counted {
		if c.Documents < least {
			continue
		}
		c.Score = linked.Rounded(c.Score / float64(c.Mentions))
		c.Wording = slices.MinFunc(slices.Collect(maps.Keys(c.forms)), func(a, b string) int {
			return cmp.Or(c.forms[b]-c.forms[a], cmp.Compare(a, b))
		})
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b *missingCounts) int {
		return cmp.Or(b.Documents-a.Documents, b.Mentions-a.Mentions, cmp.Compare(b.Score, a.Score),
			cmp.Compare(a.Wording, b.Wording))
	})
	if limit > 0 {
		list = list[:min(len(list), limit)]
	}
	examples := make([]*ctxnorm.Document, len(list))
	for i, c := range list {
		examples[i] = c.example
	}
	nearest, err := m.Link(ctx, examples, ctxnorm.LinkOptions{MinProbability: ctxnorm.AlwaysAnswer, TopK: 1})
	if err != nil {
		return nil, err
	}
	missing := make([]missingWording, len(list))
	for i, c := range list {
		missing[i] = c.missingWording
		if best := nearest[i].Mentions[0].Candidates; len(best) > 0 {
			missing[i].Nearest = &best[0]
		}
	}
	return missing, nil
}

// printMissing prints the phrases as tab-separated values.
func (p *program) printMissing(missing []missingWording) error {
	rows := [][]string{{"documents", "mentions", "wording", "recognition_score", "nearest_id", "nearest_name",
		"probability", "document", "sentence"}}
	for _, m := range missing {
		row := []string{strconv.Itoa(m.Documents), strconv.Itoa(m.Mentions), m.Wording, decimals(m.Score), "", "", "",
			m.Document, m.Sentence}
		if n := m.Nearest; n != nil {
			row[4], row[5], row[6] = string(n.Concept), n.Name, decimals(n.Probability)
		}
		rows = append(rows, row)
	}
	return p.printTSV(rows)
}

// decimals formats a number with two decimals.
func decimals(x float64) string { return strconv.FormatFloat(math.Round(x*100)/100, 'f', 2, 64) }
