// Command shortforms makes gold of ambiguous short forms by hiding their definitions in PubMed XML, as
// docs/evaluation.md says. It also writes the PMIDs of the records held out, which build-corpus is to leave out.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/bench/harness"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

func main() {
	c := &collector{records: make(map[string]*record)}
	harness.Main("shortforms", c, func(context.Context) { c.run() })
}

func (c *collector) run() {
	harness.Require(c.Share > 0 && c.Share < 1 && c.PerSense >= 0 && len(c.Paths) > 0,
		"want -share above 0 and below 1, -mentions-per-sense 0 or more, and files of PubMed XML")
	var excluded []string
	if c.Exclude != "" {
		excluded = strings.Fields(string(harness.Get(os.ReadFile(c.Exclude))))
	}
	dict, _, err := ctxnorm.ReadDictionary(c.Dict, ctxnorm.DictionaryOptions{IDs: c.IDs})
	harness.Check(err)
	c.collect(excluded)
	gold := c.gold(dict)
	fmt.Fprintf(os.Stderr, "shortforms: %v\n", gold.counts)
	harness.Require(len(gold.documents) > 0, "no ambiguous short form")
	heldOut := append(gold.heldOut, excluded...)
	harness.Check(os.WriteFile(c.HeldOut, []byte(strings.Join(heldOut, "\n")+"\n"), 0o666))
	harness.Check(artifact.Write(c.Output, func(w io.Writer) error { return formats.WriteJSONL(w, gold.documents) }))
}

// collect collects the definitions in the files, without the excluded records and those that a file deletes.
func (c *collector) collect(excluded []string) {
	unwanted := slices.Clone(excluded)
	for _, path := range c.Paths {
		unwanted = append(unwanted, harness.EachRecord(path, c.add).Deleted()...)
	}
	for _, pmid := range unwanted {
		delete(c.records, pmid)
	}
}
