package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/assertion"
	"github.com/ctxnorm/ctxnorm/link"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/formats"
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
	LongForm string `json:"long_form,omitempty"` // by which the record defines the mention
	assertion.Status
	IDs []ctxnorm.ConceptID `json:"ids"`
}

func (p *program) tagCommand() *cobra.Command {
	var (
		dict  dictionaryFlags
		input string
	)
	cmd := &cobra.Command{
		Use:   "tag",
		Short: "Find the dictionary's names in texts",
		Long: `Finds the dictionary's names in each line of the input, as build-corpus does:
leftmost and longest, at word boundaries, without the names that would match
ordinary words. Prints one line of JSON a document.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, err := dict.open(p)
			if err != nil {
				return err
			}
			observer, _ := p.observer()
			tagger, _, err := ctxnorm.NewTagger(d, observer)
			if err != nil {
				return err
			}
			out := bufio.NewWriter(p.stdout)
			defer out.Flush()
			encoder := json.NewEncoder(out)
			encoder.SetEscapeHTML(false)
			return p.eachDocument(input, dict.options.Strict, func(doc *ctxnorm.Document) error {
				return encoder.Encode(newTagRecord(link.TagDocument(doc, tagger)))
			})
		},
	}
	flags := cmd.Flags()
	dict.register(flags)
	flags.StringVar(&input, "input", "-", "`file` of texts, one a line, or of JSON objects with a \"text\"; - for standard input")
	return cmd
}

func newTagRecord(doc *ctxnorm.Document) tagRecord {
	offsets, statuses := text.NewOffsets(doc.Text), assertion.Classify(doc)
	record := tagRecord{ID: doc.ID, Text: doc.Text, Mentions: make([]tagMention, len(doc.Mentions))}
	for i, m := range doc.Mentions {
		concepts := m.Concepts
		if concepts == nil {
			concepts = []ctxnorm.ConceptID{} // a list in JSON, not null
		}
		record.Mentions[i] = tagMention{offsets.CodePoint(m.Start), offsets.CodePoint(m.End), m.Of(doc.Text), m.Name, m.LongForm, statuses[i], concepts}
	}
	return record
}

// eachDocument passes every document of the input to do. Malformed records are reported,
// counted and skipped; with strict the first of them ends the run.
func (p *program) eachDocument(input string, strict bool, do func(*ctxnorm.Document) error) error {
	reader, err := p.openDocuments(input)
	if err != nil {
		return err
	}
	defer reader.Close()
	bad := badRecords{program: p, strict: strict}
	for {
		doc, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return bad.result()
		}
		if err != nil {
			if err := bad.pass(err); err != nil {
				return err
			}
			continue
		}
		if err := do(doc); err != nil {
			return err
		}
	}
}

// openDocuments opens a file of documents, or standard input for "-".
func (p *program) openDocuments(input string) (*formats.Reader, error) {
	if input == "-" {
		return formats.NewReader(p.stdin, "standard input", formats.Options{}), nil
	}
	return formats.Open(input, formats.Options{})
}

// badRecords skips malformed records, and counts them.
type badRecords struct {
	program *program
	strict  bool
	count   int
}

// shownBadRecords is the number of malformed records that are reported one by one.
const shownBadRecords = 20

// pass reports a malformed record and returns nil. It returns any other error, and with
// strict every error.
func (b *badRecords) pass(err error) error {
	var bad *formats.RecordError
	if !errors.As(err, &bad) || b.strict {
		return err
	}
	if b.count++; b.count <= shownBadRecords {
		b.program.logf("%v", err)
	}
	return nil
}

func (b *badRecords) result() error {
	if b.count == 0 {
		return nil
	}
	return &partialError{fmt.Sprintf("%d malformed records were skipped", b.count)}
}
