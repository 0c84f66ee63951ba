package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/memory"
)

// The lists that inspect prints.
const (
	listSynonyms      = "synonyms"
	listAbbreviations = "abbreviations"
	listRecognizer    = "recognizer"
)

func (p *program) inspectCommand() *cobra.Command {
	var (
		dir    string
		list   string
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "inspect",
		Short: "Print what a model was made from and what it holds",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			m, err := model.ReadManifest(dir)
			if err != nil {
				return withHint(err, makeModel)
			}
			switch {
			case list == listSynonyms:
				return p.printSynonyms(dir, asJSON)
			case list == listAbbreviations:
				return p.printAbbreviations(dir, asJSON)
			case list == listRecognizer:
				return p.printRecognizer(dir, asJSON)
			case asJSON:
				return p.printJSON(m)
			}
			return p.printManifest(m, dir)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&dir, "model", "model", "model `folder`")
	registerChoice(flags, &list, "list", []string{listSynonyms, listAbbreviations, listRecognizer},
		"print what the corpus taught: synonyms (concept, synonym, number of records, source) or abbreviations "+
			"(short form, long form, number of records, share of the records), or the words that the recognizer goes by")
	flags.BoolVar(&asJSON, "json", false, "print the whole manifest, or the list, as JSON")
	return cmd
}

func (p *program) printManifest(m *model.Manifest, dir string) error {
	t := newTable(p.stdout)
	fmt.Fprintf(t, "format\t%d\n", m.Format)
	fmt.Fprintf(t, "dictionary\t%s, %s with %s (fraction %g, seed %d), hash %.12s\n",
		m.Dictionary.Source, english.Plural(m.Dictionary.Concepts, "concept", ""),
		english.Plural(m.Dictionary.Names, "name", ""), m.Dictionary.Fraction, m.Dictionary.Seed, m.Dictionary.Hash)
	fmt.Fprintf(t, "corpus\t%s, %s\n", english.Plural(m.Corpus.Sentences, "sentence", ""),
		english.Plural(m.Corpus.Mentions, "mention", ""))
	if m.Encoder == nil {
		fmt.Fprintf(t, "encoder\tnone\n")
	} else {
		notHere := ""
		if !ctxnorm.RunsEncoder(model.EncoderPath(dir)) {
			notHere = " (this build of ctxnorm cannot run it)"
		}
		fmt.Fprintf(t, "encoder\tfrom %s, vectors of %d, fingerprint %.12s%s\n",
			m.Encoder.Base, m.Encoder.Dim, m.Encoder.Fingerprint, notHere)
		fmt.Fprintf(t, "index\t%s, %d of them corpus synonyms (%s), %s (%s), up to %d a concept\n",
			english.Plural(m.Index.Names, "name", ""), m.Index.Mined, m.Index.NameIndex,
			english.Plural(m.Index.Contexts, "context", ""), m.Index.ContextIndex, m.Index.PerConcept)
		if names, contexts := m.Index.NameTokens, m.Index.ContextTokens; names != nil && contexts != nil {
			fmt.Fprintf(t, "vocabulary\tlacks %.2g %% of the tokens of names and %.2g %% of those of contexts "+
				"([UNK]); %d names of nothing else have no vector\n",
				100*names.UnknownShare(), 100*contexts.UnknownShare(), m.Index.Unread)
		}
	}
	if r := m.Recognizer; r != nil {
		fmt.Fprintf(t, "recognizer\t%d words; the dictionary seems to name %.0f %% of the mentions in texts, for "+
			"which the bias is %.2f\n",
			r.Words, 100*r.Completeness, r.Bias)
	}
	var size int64
	for _, file := range m.Files {
		size += file.Size
	}
	fmt.Fprintf(t, "files\t%d, %.1f MB\n", len(m.Files), float64(size)/1e6)
	return t.Flush()
}

func (p *program) printSynonyms(m string, asJSON bool) error {
	mined, err := model.ReadCorpusSynonyms(m)
	if err != nil {
		return err
	}
	if asJSON {
		return p.printJSON(mined)
	}
	t := newTable(p.stdout)
	for _, synonym := range mined {
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\n", synonym.Concept, synonym.Text, synonym.Count, synonym.Origin)
	}
	return t.Flush()
}

func (p *program) printAbbreviations(m string, asJSON bool) error {
	table, err := model.ReadCorpusAbbreviations(m)
	if err != nil {
		return err
	}
	if asJSON {
		return p.printJSON(table.Entries())
	}
	t := newTable(p.stdout)
	for _, s := range table.Entries() {
		for _, long := range s.Long {
			fmt.Fprintf(t, "%s\t%s\t%d\t%.2f\n", s.Short, long.Text, long.Count, long.Share)
		}
	}
	return t.Flush()
}

// printRecognizer prints what the recognizer learned of words.
func (p *program) printRecognizer(dir string, asJSON bool) error {
	m, err := model.Open(dir, nil) // without its encoder
	if err != nil {
		return hintModel(err, dir)
	}
	defer m.Close()
	recognizer, err := m.Recognizer()
	if err != nil {
		return err
	}
	const shown = 40
	learned := recognizer.Summary(shown)
	if asJSON {
		return p.printJSON(learned)
	}
	t := newTable(p.stdout)
	for _, list := range []struct {
		what  string
		words []string
	}{
		{"end mentions, and no name", learned.NewEnds}, {"are taken in by names", learned.Modifiers},
		{"stand before names, which do not take them in", learned.NotTaken}, {"are no mention alone", learned.Generic},
	} {
		fmt.Fprintf(t, "%s\t%s\n", list.what, strings.Join(list.words, " "))
	}
	return t.Flush()
}

func (p *program) verifyCommand() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Compare every file of a model with its manifest, and check its memory",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			m, err := link.Verify(dir)
			if m == nil {
				return withHint(err, makeModel)
			}
			log, lines, damage := memory.Check(memory.Dir(dir))
			if err != nil {
				return &partialError{errors.Join(err, damage).Error()}
			}
			fmt.Fprintf(p.stdout, "%s: %d files are as the manifest says\n", dir, len(m.Files))
			if damage != nil {
				return withHint(&partialError{damage.Error()}, memoryLogHint(log, lines))
			}
			if lines > 0 {
				fmt.Fprintf(p.stdout, "%s: as written: %s\n", log, english.Plural(lines, "line", ""))
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&dir, "model", "model", "model `folder`")
	return cmd
}
