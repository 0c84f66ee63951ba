package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctxnorm/ctxnorm/internal/shortforms"
	"github.com/ctxnorm/ctxnorm/pubmed"
	"github.com/ctxnorm/ctxnorm/text"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// hideFlags are the flags of hide-definitions.
type hideFlags struct {
	dict    dictionaryFlags
	options shortforms.Options
	output  string
	heldOut string
	exclude string
}

func (p *program) hideDefinitionsCommand() *cobra.Command {
	var f hideFlags
	cmd := &cobra.Command{
		Use:   "hide-definitions FILE…",
		Short: "Make gold of ambiguous short forms by hiding their definitions",
		Long: `Reads PubMed XML, compressed or not, and finds the short forms that its records
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
			if err := f.check(args); err != nil {
				return err
			}
			return f.run(cmd.Context(), p, args)
		},
	}
	f.register(cmd.Flags())
	return cmd
}

func (f *hideFlags) register(flags *pflag.FlagSet) {
	o := &f.options
	f.dict.register(flags)
	flags.Float64Var(&o.Share, "share", .2, "share of the records to hold out, more than 0 and below 1")
	flags.IntVar(&o.PerSense, "mentions-per-sense", 10,
		"largest number of mentions of a sense of a short form; 0 for all, as frequent as they are")
	flags.Uint64Var(&o.Seed, "seed", 1, "seed of the records held out and of the mentions")
	flags.StringVar(&f.output, "output", "", "JSONL `file` of gold to write, - for standard output (required)")
	flags.StringVar(&f.heldOut, "held-out", "", "`file` to write the PMIDs held out to, one a line, after those of "+
		"--exclude-pmids (required)")
	flags.StringVar(&f.exclude, "exclude-pmids", "", "`file` of PMIDs to leave out, one a line")
}

// check refuses flags and files that are wrong.
func (f *hideFlags) check(args []string) error {
	if f.output == "" || f.heldOut == "" {
		return withHint(errors.New("no files to write"), "name them with --output FILE and --held-out FILE")
	}
	if slices.Contains(args, "-") {
		return errors.New("hide-definitions reads no standard input; want files")
	}
	if f.output != "-" {
		if err := checkOutputFile("output", f.output); err != nil {
			return err
		}
	}
	if !(f.options.Share > 0 && f.options.Share < 1) { // NaN too
		return fmt.Errorf("--share is %g, want more than 0 and below 1", f.options.Share)
	}
	if f.options.PerSense < 0 {
		return fmt.Errorf("--mentions-per-sense is %d, want 0 (all) or more", f.options.PerSense)
	}
	return nil
}

// run makes gold of the definitions in files, and writes it and the records held out.
func (f *hideFlags) run(ctx context.Context, p *program, files []string) error {
	collector, err := shortforms.NewCollector(f.options)
	if err != nil {
		return err
	}
	excluded := make(map[string]bool)
	if f.exclude != "" {
		if excluded, err = p.readLines(f.exclude); err != nil {
			return err
		}
	}
	dict, err := f.dict.open(p)
	if err != nil {
		return err
	}
	malformed, err := p.collectDefinitions(ctx, collector, files, excluded)
	if err != nil {
		return err
	}
	gold, err := collector.Gold(dict)
	if err != nil {
		return err
	}
	if len(gold.Documents) == 0 {
		return fmt.Errorf("no ambiguous short form in %s, %d of them held out",
			english.Plural(gold.Counts.Records, "record", ""), gold.Counts.HeldOut)
	}
	pmids := append(gold.HeldOut, slices.Sorted(maps.Keys(excluded))...)
	if err := f.write(p, gold.Documents, pmids); err != nil {
		return err
	}
	p.logHidden(f.output, &gold.Counts)
	if malformed > 0 {
		return malformedError(malformed)
	}
	return nil
}

// write writes the PMIDs held out, and then the gold, so that a folder with the gold also has the PMIDs.
func (f *hideFlags) write(p *program, gold []*text.Document, pmids []string) error {
	err := p.writeOutput("held-out", f.heldOut, func(w io.Writer) error {
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
	return p.writeOutput("output", f.output, func(w io.Writer) error { return formats.WriteJSONL(w, gold) })
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
		err := p.eachPubMedRecord(ctx, path, &malformed, func(rec *pubmed.Record) error {
			if !excluded[rec.PMID] {
				c.Add(rec)
			}
			return p.limits.CheckInMemory("records", c.Memory()+kept)
		}, func(pmid string) {
			deleted = append(deleted, pmid)
			kept += deletedSize + int64(len(pmid))
		})
		if err != nil {
			return 0, err
		}
	}
	for _, pmid := range deleted {
		c.Remove(pmid)
	}
	return malformed, nil
}

// eachPubMedRecord passes the records of a file of PubMed XML to add, and then the PMIDs of those that it says are
// deleted to remove. Malformed XML is logged and counted.
func (p *program) eachPubMedRecord(ctx context.Context, path string, malformed *int, add func(*pubmed.Record) error,
	remove func(pmid string)) (err error) {
	in, err := pubmed.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	in.SetLimits(p.limits)
	in.ReadAhead()
	for {
		rec, err := in.Next()
		_, isMalformed := errors.AsType[*pubmed.SyntaxError](err)
		switch {
		case isMalformed:
			if *malformed++; *malformed <= shownBadRecords {
				p.logError(err, "")
			}
			continue
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, io.EOF):
			for _, pmid := range in.Deleted() {
				remove(pmid)
			}
			return nil
		case err != nil:
			return err
		}
		if err := add(rec); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
}

// logHidden prints what the gold has and what was left out of it.
func (p *program) logHidden(path string, n *shortforms.Counts) {
	p.logf("%s: %s of %s in %s, %d outside the dictionary, %d of a sense that only held-out records define", path,
		english.Plural(n.Mentions, "mention", ""), english.Plural(n.ShortForms, "short form", ""),
		english.Plural(n.Senses, "sense", ""), n.Outside, n.Unseen)
	p.logf("%s: %d of %d records are held out; left out: %d mentions over the limit per sense, %d definitions by a "+
		"long form that is like a name (%d long forms), %d by a long form of one record",
		path, n.HeldOut, n.Records, n.OverLimit, n.Unsure, n.UnsureSenses, n.Rare)
	p.logf("%s: left out: %d records with two senses of a short form, %d whose definition could not be hidden, %d "+
		"definitions without a mention",
		path, n.Contradictory, n.StillDefined, n.NotMentioned)
}
