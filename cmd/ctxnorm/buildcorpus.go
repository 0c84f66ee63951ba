package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/internal/progress"
	"github.com/ctxnorm/ctxnorm/mine"
)

func (p *program) buildCorpusCommand() *cobra.Command {
	var (
		dict    dictionaryFlags
		exclude string
		options = corpus.Options{SentencesPerName: corpus.DefaultSentencesPerName, Seed: 1}
	)
	cmd := &cobra.Command{
		Use:   "build-corpus FILE…",
		Short: "Tag sentences of PubMed XML with the dictionary's names",
		Long: `Reads PubMed XML (.xml or .xml.gz), tags every sentence of titles and abstracts
with the names of the dictionary by longest match, and keeps up to --per-name
sentences for each name. It also collects what texts say means the same:
abbreviations with their long forms, and names "also known as" others. The result
is a folder with sentences.parquet, pairs.parquet and manifest.json. A run that
was stopped goes on from the files it had finished.`,
		Args:        atLeast(1, "files of PubMed XML"),
		Annotations: map[string]string{resumes: "true"},
		RunE: func(cmd *cobra.Command, args []string) error {
			if options.SentencesPerName < 1 {
				return fmt.Errorf("--per-name is %d, want at least 1", options.SentencesPerName)
			}
			if options.Workers < 0 {
				return fmt.Errorf("--workers is %d, want 0 (all cores) or more", options.Workers)
			}
			if err := checkCorpusTarget(options.Dir); err != nil {
				return err
			}
			d, err := dict.open(p)
			if err != nil {
				return err
			}
			tagger, cleaned, err := p.newTagger(d)
			if err != nil {
				return err
			}
			options.Inputs, options.Tagger, options.NameFilterReport, options.PairExtractor = args, tagger, cleaned, mine.PatternExtractor{}
			options.Dictionary, options.DictionaryPath = d, dict.path
			if exclude != "" {
				if options.Exclude, err = readLines(exclude); err != nil {
					return err
				}
			}
			collectSeldom()
			bar := p.bar("build-corpus", progress.Bytes)
			options.Progress = func(at corpus.Progress) {
				bar.set(at.Done, at.Total, fmt.Sprintf("%s, %d records, %d mentions", at.Stage, at.Records, at.Mentions))
			}
			manifest, err := corpus.Build(cmd.Context(), options)
			bar.finish()
			var broken *corpus.InputErrors
			if err != nil && !errors.As(err, &broken) {
				return err
			}
			p.sayCorpus(options.Dir, manifest)
			if broken != nil {
				return &someError{broken.Error()}
			}
			return nil
		},
	}
	flags := cmd.Flags()
	dict.register(flags)
	flags.StringVar(&options.Dir, "corpus", "corpus", "`folder` to write")
	flags.IntVar(&options.SentencesPerName, "per-name", options.SentencesPerName, "sentences kept for a name, at most")
	flags.Uint64Var(&options.Seed, "seed", options.Seed, "which sentences are kept")
	flags.StringVar(&exclude, "exclude-pmids", "", "`file` of PMIDs to leave out, one a line")
	flags.IntVar(&options.Workers, "workers", 0, "files and batches worked on at once (default: all cores)")
	return cmd
}

// collectSeldom lets garbage grow to twice the heap in use, unless the user has
// said otherwise: most of it is text that is dropped at once. Measured, a twelfth
// less processor time for 90 MB more memory. There is no limit to it, since one that
// a large dictionary alone is over would keep the collector running; GOMEMLIMIT sets
// one.
func collectSeldom() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200)
	}
}

// sayCorpus says what a corpus holds and what was left out of it.
func (p *program) sayCorpus(dir string, m *corpus.Manifest) {
	t, d := &m.Totals, &m.Dropped
	p.say("%s: %d sentences with %d mentions of %d names of %d concepts, from %d records",
		dir, t.Sampled, t.SampledMentions, t.Names, t.Concepts, t.Records)
	p.say("%s: %d pairs of names and abbreviations that texts say mean the same", dir, t.Pairs)
	p.say("%s: left out: %d sentences without a mention, %d of names that have enough; records: %d excluded, %d superseded, %d deleted",
		dir, d.Untagged, d.Unsampled, d.Excluded, d.Superseded, d.Deleted)
}

// readLines reads a set of lines, blank ones left out.
func readLines(path string) (map[string]bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := make(map[string]bool)
	scanner := bufio.NewScanner(f)
	for scanner.Scan() {
		if line := strings.TrimSpace(scanner.Text()); line != "" {
			lines[line] = true
		}
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return lines, nil
}
