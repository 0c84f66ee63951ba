package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

func (p *program) corpusShowCommand() *cobra.Command {
	var (
		dir, concept, name string
		limit              int
		asJSON             bool
	)
	return p.command(command{
		use: "show", short: "Print sentences with their mentions marked",
		usual: "corpus concept name limit", examples: "ctxnorm corpus show --name hypertension --limit 5",
		flags: [][]flag{{
			{name: "corpus", value: &dir},
			{"concept", &concept, "", "only sentences with a mention of this concept `id`"},
			{"name", &name, "", "only sentences with this dictionary `name`, in lower case (see corpus stats)"},
			{"limit", &limit, "min=0 default=20", "largest number of sentences to print, 0 for all"},
			{"json", &asJSON, "", "print one line of JSON a sentence"},
		}},
		run: func(cmd *cobra.Command, _ []string) error {
			c, err := corpus.Open(dir)
			if err != nil {
				return err
			}
			out := bufio.NewWriter(p.stdout)
			defer out.Flush()
			encoder := json.NewEncoder(out)
			encoder.SetEscapeHTML(false)
			shown := 0
			for sentence, err := range c.Sentences(cmd.Context()) {
				if err != nil {
					return err
				}
				if !holds(sentence, concept, name) {
					continue
				}
				if asJSON {
					err = encoder.Encode(newTagRecord(&sentence.Document))
				} else {
					_, err = fmt.Fprintf(out, "%s\t%s\t%d\t%s\n", sentence.ID, sentence.Section, sentence.Index,
						marked(&sentence.Document))
				}
				if err != nil {
					return err
				}
				if shown++; shown == limit {
					break
				}
			}
			if shown == 0 {
				return withHint(&partialError{fmt.Sprintf("%s: no sentence has the concept %q and the name %q", dir, concept, name)},
					"names are in lower case; --json prints sentences with the ids and names of their mentions")
			}
			return nil
		},
	})
}

// marked returns the text of a document with "[ENT] … [/ENT]" around its mentions.
func marked(doc *text.Document) string {
	var b strings.Builder
	end := 0
	for _, m := range doc.Mentions {
		if m.Start < end { // inside the previous mention
			continue
		}
		b.WriteString(doc.Text[end:m.Start])
		b.WriteString("[ENT] ")
		b.WriteString(m.Of(doc.Text))
		b.WriteString(" [/ENT]")
		end = m.End
	}
	b.WriteString(doc.Text[end:])
	return b.String()
}

// holds reports whether a sentence has a mention of the concept with the name. An empty string matches any.
func holds(s *corpus.Sentence, concept, name string) bool {
	return slices.ContainsFunc(s.Mentions, func(m text.Mention) bool {
		return (name == "" || m.Name == name) && (concept == "" || slices.Contains(m.Concepts, kb.ConceptID(concept)))
	})
}

func (p *program) corpusStatsCommand() *cobra.Command {
	var dir string
	var asJSON bool
	return p.command(command{
		use: "stats", short: "Count sentences, mentions, names and concepts",
		usual: "corpus", examples: "ctxnorm corpus stats --json",
		flags: [][]flag{{{name: "corpus", value: &dir}, {"json", &asJSON, "", "print the counts as JSON"}}},
		run: func(cmd *cobra.Command, _ []string) error {
			c, err := corpus.Open(dir)
			if err != nil {
				return err
			}
			stats, err := c.Stats(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				return p.printJSON(stats)
			}
			return p.printStats(stats)
		},
	})
}

func (p *program) printStats(s *corpus.Stats) error {
	t := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(count int, what string) { fmt.Fprintf(t, "%d\t  %s\n", count, what) }
	row(s.Records, "records")
	row(s.Sentences, "sentences")
	row(s.Mentions, "mentions")
	row(s.Ambiguous, "of them of a name of several concepts")
	row(s.Defined, "of them short forms tagged by their definition")
	row(s.NIL, "of these outside the dictionary")
	row(s.Names, "names")
	row(s.Concepts, "concepts")
	for _, step := range s.ConceptsWith {
		row(step.Concepts, "concepts with at least "+plural(step.MinMentions, "mention"))
	}
	for _, name := range s.TopNames {
		row(name.Mentions, fmt.Sprintf("mentions of %q", name.Name))
	}
	return t.Flush()
}

func (p *program) corpusMergeCommand() *cobra.Command {
	var dir string
	var wait bool
	return p.command(command{
		use: "merge FOLDER…", short: "Merge corpora of different files into the corpus of one run over all of them",
		args: wantArgs(cobra.MinimumNArgs(2)), usual: "corpus",
		examples: "ctxnorm corpus merge --corpus all corpus-2024 corpus-2025",
		flags:    [][]flag{{{"corpus", &dir, "out=folder default=corpus", "corpus `folder` to write"}, {name: "wait", value: &wait}}},
		run: func(cmd *cobra.Command, args []string) error {
			manifest, err := corpus.Merge(cmd.Context(), dir, args, p.waiting(wait))
			if err != nil {
				return err
			}
			p.logCorpus(dir, manifest)
			return nil
		},
	})
}

// printJSON prints a value as indented JSON.
func (p *program) printJSON(v any) error {
	encoder := json.NewEncoder(p.stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}
