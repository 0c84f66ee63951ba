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
	PairExtractor PairExtractor // extracts the pairs of pairs.parquet; nil: no pairs

	Format formats.Format // of the inputs; empty: recognized by their content
	// Columns are those of inputs that are tables, and Encoding is that of all, see [formats.Options].
	Columns  map[string]string
	Encoding string

	Dictionary       *kb.Dictionary // whose names Tagger finds; its hash and size go into the manifest
	DictionaryPath   string         // its base name goes into the manifest
	NameFilterReport any            // which names Tagger ignores, and why; goes into the manifest as JSON; nil: nothing

	SentencesPerName int             // sentences kept per name; 0: DefaultSentencesPerName
	Seed             uint64          // seed of the sample
	Exclude          map[string]bool // PMIDs to leave out
	// of the memory for a record, the deletions of an input, and the PMIDs of all inputs; a field of 0: its default
	Limits  files.Limits
	Workers int // goroutines that tag, and input files read at the same time; 0: GOMAXPROCS

	// Progress is called after every batch of records, never concurrently. It may be nil.
	Progress func(Progress)

	// Waiting is called when another process is writing Dir; Build then waits for it to end.
	// If it is nil, Build returns the error.
	Waiting func(*files.LockedError)
	// Remade is called with what is damaged of an earlier run's work, which is made again.
	// It is never called concurrently, and may be nil.
	Remade func(*files.DamagedError)

	// Tests set these:
	chunkRecords int                                       // maximum of records in a chunk; 0: maxChunkRecords
	open         func(path string) (*pubmed.Reader, error) // nil: pubmed.Open
}

// maxWorkers is more than any machine has cores; the memory for workers is taken before there is work for them.
const maxWorkers = 1 << 10

// Check returns a [*files.OptionError] for a setting that is impossible. It reads nothing.
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
	o.Workers = min(parallel.Workers(o.Workers), maxWorkers)
	if o.chunkRecords == 0 {
		o.chunkRecords = maxChunkRecords
	}
	if o.open == nil {
		o.open = pubmed.Open
	}
	return nil
}

// Progress reports how far a build is.
type Progress struct {
	Stage     string // tagging of input files into shards, sampling from all shards, and then writing of the corpus
	Done      int64  // bytes of input files processed in this stage, compressed if they are
	Total     int64  // bytes of all input files of this stage
	Records   int64  // records tagged so far, including those of an earlier run that was stopped
	Sentences int64  // sentences with a mention
	Mentions  int64
}

// progress sums up what readers and workers did and reports it to the caller. It is safe for concurrent use.
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
