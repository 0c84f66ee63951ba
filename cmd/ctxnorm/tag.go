package main

import (
	"bufio"
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/assertion"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/formats"
	"github.com/ctxnorm/ctxnorm/text/linked"
)

// tagRecord is a line of the output of tag. Offsets are code points.
type tagRecord struct {
	ID       string       `json:"id"`
	Text     string       `json:"text"`
	Mentions []tagMention `json:"mentions"`
}

type tagMention struct {
	Start    int    `json:"start"`
	End      int    `json:"end"`
	Text     string `json:"text"`
	Name     string `json:"name"`
	LongForm string `json:"long_form,omitempty"` // the record defines the mention by it
	linked.Assertion
	IDs []ctxnorm.ConceptID `json:"ids"`
}

func (p *program) tagCommand() *cobra.Command {
	var f linkFlags // only those of link for finding mentions; the source is a dictionary
	return p.command(command{
		use:   "tag [FILE or FOLDER]…",
		short: "Find the dictionary's names in texts",
		long: `Finds the dictionary's names in the documents of the input, as build-corpus does:
leftmost and longest, at word boundaries, except names that would match ordinary
words. Prints one line of JSON per document.`,
		args:     cobra.ArbitraryArgs,
		usual:    "input dict input-format columns assertion",
		examples: "ctxnorm tag --dict names.tsv notes.txt\nctxnorm tag --dict MRCONSO.RRF --types T047 pubmed/",
		flags: [][]flag{f.source.dict.flags(), f.documents.flags(), {
			{name: "no-cache", value: &f.source.dict.noCache},
			{name: "case", value: &f.linker.options.Case},
			{name: "assertion", value: &f.linker.options.Assertion},
		}},
		run: func(cmd *cobra.Command, args []string) error { return f.tag(cmd, p, args) },
	})
}

// tag prints the mentions of each document.
func (f *linkFlags) tag(cmd *cobra.Command, p *program, args []string) error {
	if err := f.documents.check(p, cmd, args); err != nil {
		return err
	}
	m, err := f.source.open(p, cmd)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(p.stdout)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	f.documents.strict = f.source.dict.options.Strict
	var languages languageCheck
	defer languages.warn(p)
	return p.eachRecord(&f.documents, func(record *formats.Record) error {
		doc, err := m.Find(record.Document, f.linker.options)
		if err == nil {
			err = p.checkFound(&f.documents, doc)
		}
		if err != nil {
			return err
		}
		tagged := newTagRecord(doc)
		if f.linker.options.Assertion {
			languages.add(doc.Text)
			uniform, _ := link.Uniform(doc, nil)
			for i, says := range assertion.Classify(uniform) {
				tagged.Mentions[i].Assertion = says
			}
		}
		if err := encoder.Encode(tagged); err != nil {
			return err
		}
		return out.Flush() // a program at the other end of a pipe may wait for it
	})
}

func newTagRecord(doc *ctxnorm.Document) tagRecord {
	offsets := text.NewOffsets(doc.Text)
	record := tagRecord{ID: doc.ID, Text: doc.Text, Mentions: make([]tagMention, len(doc.Mentions))}
	for i, m := range doc.Mentions {
		concepts := m.Concepts
		if concepts == nil {
			concepts = []ctxnorm.ConceptID{} // an empty list in JSON, not null
		}
		at := offsets.CodePoints(m.Span)
		record.Mentions[i] = tagMention{
			Start: at.Start, End: at.End, Text: m.Of(doc.Text),
			Name: m.Name, LongForm: m.LongForm, IDs: concepts,
		}
	}
	return record
}
