package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/ctxnorm/ctxnorm/internal/shortforms"
	"github.com/ctxnorm/ctxnorm/pubmed"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

func (p *program) hideDefinitionsCommand() *cobra.Command {
	var (
		dict                  dictionaryFlags
		options               shortforms.Options
		output, heldOut, skip string
	)
	cmd := &cobra.Command{
		Use:   "hide-definitions FILE…",
		Short: "Make gold of ambiguous short forms by hiding their definitions",
		Long: `Reads PubMed XML (.xml or .xml.gz), and finds the short forms that its records
define in two senses or more: "atopic dermatitis (AD)", "Alzheimer disease (AD)". A
share of the records is held out. In these the definition is removed, and the long
form replaced by the short one, so that only the context tells the sense.

Writes gold for eval: the mentions of the short forms, with the concepts of their
senses. A sense is a concept if a long form is a name of it, in any spelling, and
outside the dictionary (NIL) if no name is similar; other long forms are left out.
At least two senses have two records each, and one is a concept.

--held-out is a file of the PMIDs held out, for build-corpus --exclude-pmids. The
sense of every mention has the number of other records that define it.`,
		Args: atLeast(1, "files of PubMed XML"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if output == "" || heldOut == "" {
				return withHint(errors.New("no files to write"), "name them with --output FILE and --held-out FILE")
			}
			if slices.Contains(args, "-") {
				return errors.New("hide-definitions reads no standard input; want files")
			}
			if output != "-" {
				if err := checkOutputFile("output", output); err != nil {
					return err
				}
			}
			if !(options.Share > 0 && options.Share < 1) { // NaN too
				return fmt.Errorf("--share is %g, want more than 0 and below 1", options.Share)
			}
			if options.PerSense < 0 {
				return fmt.Errorf("--mentions-per-sense is %d, want 0 (all) or more", options.PerSense)
			}
			collector, err := shortforms.NewCollector(options)
			if err != nil {
				return err
			}
			excluded := make(map[string]bool)
			if skip != "" {
				if excluded, err = p.readLines(skip); err != nil {
					return err
				}
			}
			d, err := dict.open(p)
			if err != nil {
				return err
			}
			malformed, err := p.collectDefinitions(cmd.Context(), collector, args, excluded)
			if err != nil {
				return err
			}
			gold, err := collector.Gold(d)
			if err != nil {
				return err
			}
			if len(gold.Documents) == 0 {
				return fmt.Errorf("no ambiguous short form in %d records, of which %d are held out",
					gold.Counts.Records, gold.Counts.HeldOut)
			}
			pmids := append(gold.HeldOut, slices.Sorted(maps.Keys(excluded))...)
			err = p.writeOutput("held-out", heldOut, func(w io.Writer) error {
				for _, pmid := range pmids {
					if _, err := fmt.Fprintln(w, pmid); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				return err
			}
			// Last, so that a folder with the gold also has the PMIDs.
			if err := p.writeOutput("output", output, func(w io.Writer) error {
				return formats.WriteJSONL(w, gold.Documents)
			}); err != nil {
				return err
			}
			p.logHidden(output, &gold.Counts)
			if malformed > 0 {
				return &partialError{fmt.Sprintf("%d malformed records were skipped", malformed)}
			}
			return nil
		},
	}
	flags := cmd.Flags()
	dict.register(flags)
	flags.Float64Var(&options.Share, "share", .2, "share of the records to hold out, more than 0 and below 1")
	flags.IntVar(&options.PerSense, "mentions-per-sense", 10,
		"largest number of mentions of a sense of a short form; 0 for all, as frequent as they are")
	flags.Uint64Var(&options.Seed, "seed", 1, "seed of the records held out and of the mentions")
	flags.StringVar(&output, "output", "", "JSONL `file` of gold to write, - for standard output (required)")
	flags.StringVar(&heldOut, "held-out", "", "`file` to write the PMIDs held out to, one a line, after those of "+
		"--exclude-pmids (required)")
	flags.StringVar(&skip, "exclude-pmids", "", "`file` of PMIDs to leave out, one a line")
	return cmd
}

// collectDefinitions collects the definitions in files of PubMed XML, without the excluded
// records and those that a file says are deleted. It logs malformed XML and returns how often
// there was some.
func (p *program) collectDefinitions(ctx context.Context, c *shortforms.Collector, files []string,
	excluded map[string]bool) (malformed int, err error) {
	const deletedSize = 16 // bytes in memory besides the PMID
	var deleted []string
	kept := int64(0) // bytes in memory of deleted
	for _, path := range files {
		in, err := pubmed.Open(path)
		if err != nil {
			return 0, err
		}
		in.SetLimits(p.limits)
		in.ReadAhead()
		for {
			rec, err := in.Next()
			var broken *pubmed.SyntaxError
			if errors.As(err, &broken) {
				if malformed++; malformed <= shownBadRecords {
					p.logError(err, "")
				}
				continue
			}
			if err == nil {
				err = ctx.Err()
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				in.Close()
				return 0, err
			}
			if !excluded[rec.PMID] {
				c.Add(rec)
			}
			if err := p.limits.CheckInMemory("records", c.Memory()+kept); err != nil {
				in.Close()
				return 0, fmt.Errorf("%s: %w", path, err)
			}
		}
		for _, pmid := range in.Deleted() {
			deleted = append(deleted, pmid)
			kept += deletedSize + int64(len(pmid))
		}
		if err := in.Close(); err != nil {
			return 0, err
		}
	}
	for _, pmid := range deleted {
		c.Remove(pmid)
	}
	return malformed, nil
}

// logHidden prints what the gold has and what was left out of it.
func (p *program) logHidden(path string, n *shortforms.Counts) {
	p.logf("%s: %d mentions of %d short forms in %d senses, %d outside the dictionary, %d of a sense that only "+
		"held-out records define",
		path, n.Mentions, n.ShortForms, n.Senses, n.Outside, n.Unseen)
	p.logf("%s: %d of %d records are held out; left out: %d mentions over the limit per sense, %d definitions by a "+
		"long form that is like a name (%d long forms), %d by a long form of one record",
		path, n.HeldOut, n.Records, n.OverLimit, n.Unsure, n.UnsureSenses, n.Rare)
	p.logf("%s: left out: %d records with two senses of a short form, %d whose definition could not be hidden, %d "+
		"definitions without a mention",
		path, n.Contradictory, n.StillDefined, n.NotMentioned)
}
