package main

import (
	"errors"
	"fmt"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/internal/link"
	"github.com/ctxnorm/ctxnorm/internal/model"
	"github.com/ctxnorm/ctxnorm/memory"
)

func (p *program) inspectCommand() *cobra.Command {
	var dir string
	var asJSON bool
	return p.command(command{
		use: "inspect", short: "Print what a model was made from and what it holds",
		usual:    "model json",
		examples: "ctxnorm inspect --model model",
		flags:    [][]flag{{modelFlag(&dir), {"json", &asJSON, "", "print the whole manifest as JSON"}}},
		run: func(*cobra.Command, []string) error {
			m, err := model.ReadManifest(dir)
			if err != nil {
				return err
			}
			if asJSON {
				return p.printJSON(m)
			}
			return p.printRows(manifestRows(m, dir))
		},
	})
}

// manifestRows returns what a manifest says of a model in a folder.
func manifestRows(m *model.Manifest, dir string) [][]string {
	var rows [][]string
	row := func(what, format string, args ...any) {
		rows = append(rows, []string{what, fmt.Sprintf(format, args...)})
	}
	d := &m.Dictionary
	row("format", "%d", m.Format)
	row("dictionary", "%s, %s with %s (fraction %g, seed %d), hash %.12s", d.Source,
		english.Plural(d.Concepts, "concept", ""), english.Plural(d.Names, "name", ""), d.Fraction, d.Seed, d.Hash)
	row("corpus", "%s, %s", english.Plural(m.Corpus.Sentences, "sentence", ""),
		english.Plural(m.Corpus.Mentions, "mention", ""))
	if m.Encoder == nil {
		row("encoder", "none")
	} else {
		notHere := ""
		if !ctxnorm.RunsEncoder(model.EncoderPath(dir)) {
			notHere = " (this build of ctxnorm cannot run it)"
		}
		row("encoder", "from %s, vectors of %d, fingerprint %.12s%s", m.Encoder.Base, m.Encoder.Dim, m.Encoder.Fingerprint,
			notHere)
		row("index", "%s, %d of them corpus synonyms (%s), %s (%s), up to %d a concept",
			english.Plural(m.Index.Names, "name", ""), m.Index.Mined, m.Index.NameIndex,
			english.Plural(m.Index.Contexts, "context", ""), m.Index.ContextIndex, m.Index.PerConcept)
		if names, contexts := m.Index.NameTokens, m.Index.ContextTokens; names != nil && contexts != nil {
			row("vocabulary", "lacks %.2g %% of the tokens of names and %.2g %% of those of contexts ([UNK]); %d names of "+
				"nothing else have no vector", 100*names.UnknownShare(), 100*contexts.UnknownShare(), m.Index.Unread)
		}
	}
	if r := m.Recognizer; r != nil {
		row("recognizer", "%d words; the dictionary seems to name %.0f %% of the mentions in texts, for which the bias is %.2f",
			r.Words, 100*r.Completeness, r.Bias)
	}
	var size int64
	for _, file := range m.Files {
		size += file.Size
	}
	row("files", "%d, %.1f MB", len(m.Files), float64(size)/1e6)
	return rows
}

func (p *program) verifyCommand() *cobra.Command {
	var dir string
	return p.command(command{
		use: "verify", short: "Compare every file of a model with its manifest, and check its memory",
		usual: "model", examples: "ctxnorm verify --model model",
		flags: [][]flag{{modelFlag(&dir)}},
		run: func(*cobra.Command, []string) error {
			m, err := link.Verify(dir)
			if m == nil {
				return err
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
	})
}
