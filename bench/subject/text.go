package main

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/ctxnorm/ctxnorm/bench/harness"
	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/kb/kbfile"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/pubmed"
	"github.com/ctxnorm/ctxnorm/text"
)

// citation holds the text of a PubMed record, a row of texts.jsonl.
type citation struct {
	PMID     string `json:"pmid"`
	Title    string `json:"title"`
	Abstract string `json:"abstract"`
}

// readXML is the job of peer_xml.py: it reads files to a list of citations,
// decompression included, one file per thread. Writing them is not measured.
func readXML(o *options) {
	citations := make([][]citation, len(o.Files))
	var unpacked atomic.Int64
	l := line{"files": len(o.Files)}
	seconds := l.measure("", func() {
		harness.Check(parallel.ForErr(context.Background(), len(o.Files), 0, func(i int) error {
			return harness.Try(func() {
				reader := harness.EachRecord(o.Files[i], func(r *pubmed.Record) {
					citations[i] = append(citations[i], citation{r.PMID, r.Title, r.Abstract()})
				})
				unpacked.Add(reader.InputOffset())
			})
		}))
	})
	all := slices.Concat(citations...)
	text, withAbstract := 0, 0
	for i := range all {
		text += len(all[i].Title) + len(all[i].Abstract)
		if all[i].Abstract != "" {
			withAbstract++
		}
	}
	l["records"], l["with_abstract"], l["xml_bytes"], l["text_bytes"] = len(all), withAbstract, unpacked.Load(), text
	l["xml_mb_per_s"] = float64(unpacked.Load()) / 1e6 / seconds
	l.print()
	if o.Out != "" {
		harness.Check(artifact.WriteJSONLines(o.Out, all))
	}
}

// tag is the job of peer_tag.py: the mentions of every text, by a tagger that looks for every name in any case.
func tag(o *options) {
	citations := harness.Get(artifact.ReadJSONLines[citation](o.Text))
	texts := make([]string, len(citations))
	size := 0
	for i, c := range citations {
		texts[i] = c.Title + "\n" + c.Abstract
		size += len(texts[i])
	}
	l := line{"docs": len(texts), "text_bytes": size}
	var tagger *matcher.Tagger
	var dict *kb.Dictionary
	l.measure("build_", func() { tagger, dict = newTagger(o.Dict) })
	l["names"] = len(distinctNames(dict))
	found := make([][]text.Mention, len(texts))
	seconds := l.measure("", func() {
		harness.Check(parallel.For(context.Background(), len(texts), 0, func(i int) { found[i] = tagger.Tag(nil, texts[i]) }))
	})
	l["mentions"], l["mb_per_s"] = len(slices.Concat(found...)), float64(size)/1e6/seconds
	l.print()
}

// newTagger returns a tagger of all names of a dictionary file, which has no bad rows.
func newTagger(path string) (*matcher.Tagger, *kb.Dictionary) {
	dict, _, err := kbfile.Read(path, kbfile.Options{Strict: true})
	harness.Check(err)
	tagger, _, err := matcher.NewTagger(dict, matcher.NameFilter{})
	harness.Check(err)
	return tagger, dict
}
