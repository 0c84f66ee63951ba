// Command shortforms makes gold of ambiguous short forms by hiding their definitions in PubMed XML, as
// docs/evaluation.md says. It also writes the PMIDs of the records held out, which build-corpus is to leave out.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/bench/harness"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/pubmed"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

func main() {
	c := &collector{records: make(map[string]*record)}
	harness.Main("shortforms", c, func(context.Context) error { return c.run() })
}

func (c *collector) run() error {
	if !(c.Share > 0 && c.Share < 1) || c.PerSense < 0 || len(c.Paths) == 0 {
		return errors.New("want -share above 0 and below 1, -mentions-per-sense 0 or more, and files of PubMed XML")
	}
	excluded := make(map[string]bool)
	var heldOut []string
	if c.Exclude != "" {
		lines, err := os.ReadFile(c.Exclude)
		if err != nil {
			return err
		}
		heldOut = strings.Fields(string(lines))
		for _, pmid := range heldOut {
			excluded[pmid] = true
		}
	}
	dict, _, err := ctxnorm.ReadDictionary(c.Dict, ctxnorm.DictionaryOptions{IDs: c.IDs})
	if err != nil {
		return err
	}
	if err := c.collect(excluded); err != nil {
		return err
	}
	gold := c.gold(dict)
	fmt.Fprintf(os.Stderr, "shortforms: %v\n", gold.counts)
	if len(gold.documents) == 0 {
		return errors.New("no ambiguous short form")
	}
	heldOut = append(gold.heldOut, heldOut...)
	if err := os.WriteFile(c.HeldOut, []byte(strings.Join(heldOut, "\n")+"\n"), 0o666); err != nil {
		return err
	}
	return artifact.Write(c.Output, func(w io.Writer) error { return formats.WriteJSONL(w, gold.documents) })
}

// collect collects the definitions in the files, without the excluded records and those that a file deletes.
func (c *collector) collect(excluded map[string]bool) error {
	var deleted []string
	for _, path := range c.Paths {
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
