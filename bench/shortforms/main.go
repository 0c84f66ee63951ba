// Command shortforms makes gold of ambiguous short forms by hiding their definitions in PubMed XML, as
// docs/evaluation.md says. It also writes the PMIDs of the records held out, which build-corpus is to leave out.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/bench/harness"
	"github.com/ctxnorm/ctxnorm/pubmed"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// options are the flags.
type options struct {
	Dict     string  `flag:"dict" usage:"dictionary file"`
	IDs      string  `flag:"ids" usage:"file of concepts with all their ids"`
	Exclude  string  `flag:"exclude-pmids" usage:"file of PMIDs to leave out, one a line"`
	Share    float64 `flag:"share" default:".2" usage:"share of the records to hold out, sampled by PMID, more than 0 and below 1"`
	PerSense int     `flag:"mentions-per-sense" default:"10" usage:"largest number of mentions of a sense of a short form, 0 for all"`
	Seed     int     `flag:"seed" default:"1" usage:"seed of the samples of records, mentions and occurrences"`
	Output   string  `flag:"output" usage:"JSONL file of gold to write"`
	HeldOut  string  `flag:"held-out" usage:"file to write the PMIDs held out to, and those of -exclude-pmids"`
}

func main() {
	var o options
	harness.Main("shortforms", &o, func(_ context.Context, paths []string) (int, error) { return 0, run(o, paths) })
}

func run(o options, paths []string) error {
	if !(o.Share > 0 && o.Share < 1) || o.PerSense < 0 || o.Output == "" || o.HeldOut == "" || len(paths) == 0 {
		return errors.New("want -share above 0 and below 1, -mentions-per-sense 0 or more, -output, -held-out, and files of PubMed XML")
	}
	excluded := make(map[string]bool)
	var heldOut []string
	if o.Exclude != "" {
		lines, err := os.ReadFile(o.Exclude)
		if err != nil {
			return err
		}
		heldOut = strings.Fields(string(lines))
		for _, pmid := range heldOut {
			excluded[pmid] = true
		}
	}
	dict, _, err := ctxnorm.ReadDictionary(o.Dict, ctxnorm.DictionaryOptions{IDs: o.IDs})
	if err != nil {
		return err
	}
	c := &collector{options: o, records: make(map[string]*record)}
	if err := c.collect(paths, excluded); err != nil {
		return err
	}
	gold := c.gold(dict)
	fmt.Fprintf(os.Stderr, "shortforms: %v\n", gold.counts)
	if len(gold.documents) == 0 {
		return errors.New("no ambiguous short form")
	}
	heldOut = append(gold.heldOut, heldOut...)
	if err := os.WriteFile(o.HeldOut, []byte(strings.Join(heldOut, "\n")+"\n"), 0o666); err != nil {
		return err
	}
	f, err := os.Create(o.Output)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	return errors.Join(formats.WriteJSONL(w, gold.documents), w.Flush(), f.Close())
}

// collect collects the definitions in files of PubMed XML, without the excluded records and those that a file deletes.
func (c *collector) collect(paths []string, excluded map[string]bool) error {
	var deleted []string
	for _, path := range paths {
		in, err := pubmed.Open(path)
		if err != nil {
			return err
		}
		for err == nil {
			var rec *pubmed.Record
			if rec, err = in.Next(); err == nil && !excluded[rec.PMID] {
				c.add(rec)
			}
		}
		deleted = append(deleted, in.Deleted()...)
		if err := errors.Join(err, in.Close()); !errors.Is(err, io.EOF) {
			return err
		}
	}
	for _, pmid := range deleted {
		delete(c.records, pmid)
	}
	return nil
}
