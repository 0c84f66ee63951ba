package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/matcher"
)

// printTSV prints rows of tab-separated values.
func (p *program) printTSV(rows [][]string) error {
	w := csv.NewWriter(p.stdout)
	w.Comma = '\t'
	return w.WriteAll(rows)
}

// dictCheck is the output of dict check.
type dictCheck struct {
	*ctxnorm.DictionaryReport
	Unnamed       int                   `json:"concepts_without_name"`
	Unmarked      int                   `json:"concepts_without_preferred_name"`
	Typed         int                   `json:"concepts_with_type"`
	Edges         int                   `json:"edges"` // from a concept to a broader one in the dictionary
	Tagging       *matcher.FilterReport `json:"tagging"`
	Ambiguous     []namedConcepts       `json:"ambiguous_names"`
	OrdinaryWords []namedConcepts       `json:"ordinary_words"`
}

// namedConcepts is a name in normal form, with the concepts it belongs to.
type namedConcepts struct {
	Name     string              `json:"name"`
	Concepts []ctxnorm.ConceptID `json:"ids"`
	Mentions int                 `json:"mentions"` // in the sentences of the corpus
}

func (p *program) dictCheckCommand() *cobra.Command {
	var (
		dict   dictionaryFlags
		dir    string
		limit  int
		asJSON bool
	)
	return p.command(command{
		use:   "check FILE…",
		short: "Print how dictionary files are read",
		long: `Prints how dictionary files are read: the format, the columns that are used or ignored,
the concepts and names, what is left out and why, names of several concepts, and names
that are ordinary words. With --corpus it counts how often these names occur in the
sentences of a corpus.`,
		args:  wantArgs(cobra.MinimumNArgs(1)),
		usual: "corpus limit json",
		examples: `ctxnorm dict check names.xlsx
ctxnorm dict check --corpus corpus --dict-columns id=Code,synonyms=Other names.csv`,
		flags: [][]flag{dict.readFlags(""), dict.filterFlags(), {
			{name: "strict", value: &dict.options.Strict},
			{"corpus", &dir, "", "corpus `folder` to count names in"},
			{"limit", &limit, "min=0 default=20", "largest number of names to print in a list, 0 for all"},
			{"json", &asJSON, "", "print everything as JSON"},
		}},
		run: func(cmd *cobra.Command, args []string) error {
			if dir != "" { // fail before reading the dictionary, which may take a while
				if _, err := corpus.Open(dir); err != nil {
					return err
				}
			}
			dict.paths = args
			d, err := dict.open(cmd.Context(), p)
			if err != nil {
				return err
			}
			observer, _ := p.observer()
			tagger, filtered, err := ctxnorm.NewTagger(cmd.Context(), d, observer)
			if err != nil {
				return err
			}
			check := newDictCheck(d, dict.report, tagger, filtered)
			if dir != "" {
				if err := check.countMentions(cmd.Context(), dir, tagger); err != nil {
					return err
				}
			}
			if asJSON {
				return p.printJSON(check)
			}
			p.printCheck(check, limit, dir != "")
			return nil
		},
	})
}

func newDictCheck(d *ctxnorm.Dictionary, report *ctxnorm.DictionaryReport, tagger *matcher.Tagger,
	filtered *matcher.FilterReport) *dictCheck {
	check := &dictCheck{DictionaryReport: report, Tagging: filtered, Ambiguous: []namedConcepts{},
		OrdinaryWords: []namedConcepts{}}
	for _, concept := range d.All() {
		switch {
		case len(concept.Names()) == 0:
			check.Unnamed++
		case concept.Name == "":
			check.Unmarked++
		}
		if len(concept.Types) > 0 {
			check.Typed++
		}
		check.Edges += len(kb.ConceptPositions(d, concept.Parents))
	}
	for name, concepts := range tagger.All() {
		named := namedConcepts{Name: name, Concepts: concepts}
		if len(concepts) > 1 {
			check.Ambiguous = append(check.Ambiguous, named)
		}
		if matcher.OrdinaryWord(name) {
			check.OrdinaryWords = append(check.OrdinaryWords, named)
		}
	}
	return check
}

// countMentions counts the mentions of each name in the sentences of a corpus, and sorts the lists by these counts,
// largest first.
func (c *dictCheck) countMentions(ctx context.Context, dir string, tagger *matcher.Tagger) error {
	opened, err := corpus.Open(dir)
	if err != nil {
		return err
	}
	counts := make(map[string]int)
	var mentions []ctxnorm.Mention
	for sentence, err := range opened.Sentences(ctx) {
		if err != nil {
			return err
		}
		mentions = tagger.Tag(mentions[:0], sentence.Text)
		for _, m := range mentions {
			counts[m.Name]++
		}
	}
	for _, list := range [][]namedConcepts{c.Ambiguous, c.OrdinaryWords} {
		for i := range list {
			list[i].Mentions = counts[list[i].Name]
		}
		slices.SortStableFunc(list, func(a, b namedConcepts) int { return cmp.Compare(b.Mentions, a.Mentions) })
	}
	return nil
}

// printCheck prints the results that were not logged.
func (p *program) printCheck(c *dictCheck, limit int, counted bool) {
	fmt.Fprintf(p.stdout, "%s with %s: %s without a name, %d without a preferred name, %d with a type, %s to broader "+
		"concepts\n", plural(c.Concepts, "concept"), plural(c.Names, "name"), plural(c.Unnamed, "concept"), c.Unmarked, c.Typed,
		plural(c.Edges, "edge"))
	list := func(which string, names []namedConcepts) {
		fmt.Fprintf(p.stdout, "%s %s\n", plural(len(names), "name"), which)
		for i, n := range names {
			if i == limit && limit > 0 {
				fmt.Fprintf(p.stdout, "  … %d more\n", len(names)-limit)
				break
			}
			ids := strings.Join(stringsOf(n.Concepts), " ")
			if counted {
				fmt.Fprintf(p.stdout, "  %q: %s, %s\n", n.Name, plural(n.Mentions, "mention"), ids)
			} else {
				fmt.Fprintf(p.stdout, "  %q: %s\n", n.Name, ids)
			}
		}
	}
	list("of several concepts", c.Ambiguous)
	list("that are ordinary words", c.OrdinaryWords)
}
