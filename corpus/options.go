package corpus

import (
	"cmp"
	"errors"
	"sync"

	"github.com/ctxnorm/ctxnorm/files"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/pubmed"
	"github.com/ctxnorm/ctxnorm/text/formats"
)

// DefaultSentencesPerName is the default of Options.SentencesPerName.
const DefaultSentencesPerName = 50

// Options are the inputs and settings of [Build]. Dir, Inputs and Tagger are required.
type Options struct {
	Dir string // folder to write; a corpus there is replaced
	// files of PubMed XML or other documents, compressed or not, in any order; duplicates count once
	Inputs        []string
	Tagger        Tagger        // finds the mentions
	PairExtractor PairExtractor // extracts the pairs of pairs.parquet; nil for no pairs

	// for the inputs; the limits also hold for the deletions of an input, and for the PMIDs of all inputs
	formats.Options

	Dictionary       *kb.Dictionary // whose names Tagger finds; the manifest gets its hash and size
	DictionaryPath   string         // the manifest gets its base name
	NameFilterReport any            // names that Tagger ignores, with reasons, for the manifest as JSON; nil for none

	SentencesPerName int             // sentences kept per name; 0: DefaultSentencesPerName
	Seed             uint64          // seed of the sample
	Exclude          map[string]bool // PMIDs to leave out
	Workers          int             // number of goroutines that tag, and of input files read at the same time; 0 for GOMAXPROCS

	// Progress is called after every batch of records, never concurrently. It may be nil.
	Progress func(Progress)

	// Waiting is called when another process is writing Dir; Build then waits for it to finish. If Waiting is nil,
	// Build returns the error.
	Waiting func(*files.LockedError)
	// Remade is called with each damaged file of an earlier run, which Build then remakes. It is never called
	// concurrently and may be nil.
	Remade func(*files.DamagedError)

	// Tests set these:
	chunkRecords int                                       // maximum number of records in a chunk; 0: maxChunkRecords
	open         func(path string) (*pubmed.Reader, error) // nil: pubmed.Open
}

// maxWorkers is more cores than any machine has. Memory for workers is allocated before there is work for them.
const maxWorkers = 1 << 10

// Check returns a [*files.OptionError] if a setting is impossible. It reads no files.
func (o *Options) Check() error {
	return cmp.Or(
		files.CheckOption(o.Dir != "", "Dir", "", "a folder to write"),
		files.CheckOption(len(o.Inputs) > 0, "Inputs", o.Inputs, "at least one file"),
		files.CheckOption(o.SentencesPerName >= 0, "SentencesPerName", o.SentencesPerName, "0 (the default) or more"),
		files.CheckOption(o.Workers >= 0, "Workers", o.Workers, "0 (all cores) or more"),
	)
}

// validate checks the options and sets defaults.
func (o *Options) validate() error {
	if err := o.Check(); err != nil {
		return err
	}
	if o.Tagger == nil {
		return errors.New("no tagger")
	}
	if o.SentencesPerName == 0 {
		o.SentencesPerName = DefaultSentencesPerName
	}
	o.Limits = o.Limits.WithDefaults()
	o.Workers = min(parallel.Workers(o.Workers), maxWorkers)
	if o.chunkRecords == 0 {
		o.chunkRecords = maxChunkRecords
	}
	if o.open == nil {
		o.open = pubmed.Open
	}
	return nil
}

// Progress reports the progress of a build.
type Progress struct {
	Stage     string // "tagging" input files into shards, "sampling" from all shards, or "writing" the corpus
	Done      int64  // bytes of input files processed in this stage, as stored
	Total     int64  // bytes of all input files of this stage
	Records   int64  // records tagged so far, including those of an earlier run that was stopped
	Sentences int64  // sentences with a mention
	Mentions  int64
}

// progress sums up the work of readers and workers and reports it to the caller. It is safe for concurrent use.
type progress struct {
	mu     sync.Mutex
	report func(Progress) // may be nil
	state  Progress
}

// begin starts a stage with total bytes of input.
func (p *progress) begin(stage string, total int64) {
	p.update(func(state *Progress) { state.Stage, state.Done, state.Total = stage, 0, total })
}

// addBytes counts bytes of an input file.
func (p *progress) addBytes(n int64) {
	p.update(func(state *Progress) { state.Done += n })
}

// addTagged counts tagged records, and their sentences with a mention.
func (p *progress) addTagged(records, sentences, mentions int) {
	p.update(func(state *Progress) {
		state.Records += int64(records)
		state.Sentences += int64(sentences)
		state.Mentions += int64(mentions)
	})
}

func (p *progress) update(change func(*Progress)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.state)
	if p.report != nil {
		p.report(p.state)
	}
}
