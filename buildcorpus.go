package ctxnorm

import (
	"cmp"
	"context"
	"fmt"

	"github.com/dustin/go-humanize/english"

	"github.com/ctxnorm/ctxnorm/corpus"
	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/matcher"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// BuildCorpus labels the sentences of PubMed records, or of other documents, with the names of a dictionary by longest
// match, and writes a sample of them as a corpus folder. It also collects the abbreviations and synonyms that the texts
// define. It ignores annotations of the documents. Before writing anything, it detects the formats of all files; a file
// of unknown format is a [*formats.UnknownError].
//
// The options Dir, Inputs, which may include folders, and Dictionary are required. If Tagger and PairExtractor are nil,
// BuildCorpus sets them. If Progress and Remade are nil, it sets them to functions that report to the observer.
//
// When BuildCorpus is called again with the same options, it resumes a build that was interrupted by ctx or a crash. If
// some input files are broken, the corpus of the other records is complete and the error is an [*InputErrors].
//
// An existing corpus in the folder stays unchanged until it is replaced in one step at the end. BuildCorpus rejects a
// folder with foreign files with a [*ForeignError], and a folder that another process is writing with a [*LockedError],
// unless Waiting is set.
func BuildCorpus(ctx context.Context, o corpus.Options, observer Observer) (*corpus.Manifest, error) {
	if err := complete(ctx, &o, observer); err != nil {
		return nil, err
	}
	return corpus.Build(ctx, o)
}

// BuildShards builds the shards of some input files of the corpus that [BuildCorpus] builds with these options, and
// returns what was read from each file. It skips shards that are already complete. Any number of processes may build
// shards of different files, on any machines that share the folder. After all of them have ended, BuildCorpus with the
// same options joins the shards; the corpus is byte for byte the same as that of a single process. The errors are those
// of BuildCorpus. BuildShards may be called concurrently, preferably with a shared Tagger, see [NewTagger], and a
// shared Observer.
func BuildShards(ctx context.Context, o corpus.Options, files []string, observer Observer) ([]corpus.Input, error) {
	if err := complete(ctx, &o, observer); err != nil {
		return nil, err
	}
	return corpus.BuildShards(ctx, o, files)
}

// complete checks the options, and sets those left empty.
func complete(ctx context.Context, c *corpus.Options, observer Observer) error {
	err := cmp.Or(c.Check(), files.CheckOption(c.Dictionary != nil, "Dictionary", nil, "a dictionary"), corpus.CheckTarget(c.Dir))
	if err == nil {
		c.Inputs, err = formats.Expand(c.Inputs, nil)
	}
	if err == nil && c.Tagger == nil {
		c.Tagger, c.NameFilterReport, err = NewTagger(ctx, c.Dictionary, observer)
	}
	if err != nil {
		return err
	}
	if c.PairExtractor == nil {
		c.PairExtractor = mine.PatternExtractor{}
	}
	if c.Progress == nil {
		c.Progress = func(p corpus.Progress) {
			observer.progress(Progress{
				Task: "build-corpus", Unit: "bytes", Done: p.Done, Total: p.Total,
				Note: fmt.Sprintf("%s, %s, %s", p.Stage, english.Plural(int(p.Records), "record", ""),
					english.Plural(int(p.Mentions), "mention", "")),
			})
		}
	}
	if c.Remade == nil {
		c.Remade = func(damaged *DamagedError) {
			observer.error(fmt.Errorf("%w; the input file is read again", damaged))
		}
	}
	return nil
}

// NewTagger returns the longest-match tagger that [BuildCorpus] uses for a dictionary's names, and a report of the
// names that it does not look for. It also logs these names to o. It returns early if ctx ends.
func NewTagger(ctx context.Context, dict *Dictionary, o Observer) (*matcher.Tagger, *matcher.FilterReport, error) {
	tagger, r, err := matcher.NewExtendedTagger(ctx, dict, dict, matcher.DefaultNameFilter())
	if err != nil {
		return nil, nil, err
	}
	o.logFilter(r)
	return tagger, r, nil
}

// logFilter logs the names that a tagger does not look for.
func (o *Observer) logFilter(r *matcher.FilterReport) {
	o.logf("%d of %d names are looked for in text, %d of them in capitals only", r.Kept, r.Names, r.Capitals)
	if r.Capitals > 0 {
		o.logf("  in capitals only: %q", r.InCapitals)
	}
	for _, dropped := range r.Dropped {
		if dropped.Count > 0 {
			o.logf("  not looked for: %d, %s: %q", dropped.Count, dropped.Reason, dropped.Examples)
		}
	}
}
