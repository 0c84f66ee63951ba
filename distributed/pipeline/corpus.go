package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/ctxnorm/ctxnorm"
	"github.com/ctxnorm/ctxnorm/corpus"
)

// Corpus says what a corpus is built from. Paths are absolute, and those of every worker. Workers get it as
// JSON.
type Corpus struct {
	Dir          string   // the folder of the corpus
	Inputs       []string // all input files
	Dictionaries []string // files, whose concepts are joined by id
	IDs, Parents string   // files, see [ctxnorm.DictionaryOptions]; empty: none

	SentencesPerName int // the largest number of sentences kept for a name; 0: the default
	Seed             uint64
	Workers          int // batches that a worker processes at once; 0: one per core
}

// Options reads the dictionary and returns the options with which [ctxnorm.BuildCorpus] builds the corpus.
func (c *Corpus) Options() (ctxnorm.BuildCorpusOptions, error) {
	dict, _, err := ctxnorm.ReadDictionaries(c.Dictionaries,
		ctxnorm.DictionaryOptions{IDs: c.IDs, Parents: c.Parents})
	if err != nil {
		return ctxnorm.BuildCorpusOptions{}, err
	}
	names := make([]string, len(c.Dictionaries))
	for i, path := range c.Dictionaries {
		names[i] = filepath.Base(path)
	}
	return ctxnorm.BuildCorpusOptions{Options: corpus.Options{
		Dir: c.Dir, Inputs: c.Inputs, Dictionary: dict, DictionaryPath: strings.Join(names, ", "),
		SentencesPerName: c.SentencesPerName, Seed: c.Seed, Workers: c.Workers,
	}}, nil
}

// BuildShards builds the shards of input files, given their paths, which are some of c.Inputs. It returns the
// paths. The counters files, records, mentions and malformed of the namespace ctxnorm count what was read; a shard that
// was complete already counts, too. When the pipeline has ended, [ctxnorm.BuildCorpus] with the options of c joins the
// shards.
func BuildShards(s beam.Scope, c Corpus, paths beam.PCollection) beam.PCollection {
	s = s.Scope("ctxnorm.BuildShards")
	return beam.ParDo(s, &buildShardFn{c}, beam.Reshuffle(s, paths))
}

// buildShardFn builds the shard of an input file.
type buildShardFn struct{ Corpus Corpus }

var (
	filesCounter     = beam.NewCounter("ctxnorm", "files")
	recordsCounter   = beam.NewCounter("ctxnorm", "records")
	mentionsCounter  = beam.NewCounter("ctxnorm", "mentions")
	malformedCounter = beam.NewCounter("ctxnorm", "malformed")
)

// builders are the builders of a worker by the JSON of their Corpus: dictionary and tagger are made once.
var builders sync.Map // string -> func() (*ctxnorm.ShardBuilder, error)

// builder returns the builder of the worker, and makes it the first time.
func (f *buildShardFn) builder() (*ctxnorm.ShardBuilder, error) {
	key, err := json.Marshal(f.Corpus)
	if err != nil {
		return nil, err
	}
	once, _ := builders.LoadOrStore(string(key), sync.OnceValues(func() (*ctxnorm.ShardBuilder, error) {
		options, err := f.Corpus.Options()
		if err != nil {
			return nil, err
		}
		return ctxnorm.NewShardBuilder(options)
	}))
	return once.(func() (*ctxnorm.ShardBuilder, error))()
}

// Setup makes the builder, so that an error of the dictionary is told once and not for every file.
func (f *buildShardFn) Setup(context.Context) error {
	_, err := f.builder()
	return err
}

// ProcessElement builds the shard of the file at path. Malformed records are logged and left out, as one process
// does.
func (f *buildShardFn) ProcessElement(ctx context.Context, path string, emit func(string)) error {
	builder, err := f.builder()
	if err != nil {
		return err
	}
	inputs, err := builder.Build(ctx, []string{path})
	var broken *ctxnorm.InputErrors
	switch {
	case errors.As(err, &broken):
		log.Warn(ctx, broken.Error())
		malformedCounter.Inc(ctx, 1)
	case err != nil:
		return fmt.Errorf("%s: %w", path, err)
	}
	count(ctx, inputs)
	emit(path)
	return nil
}

func count(ctx context.Context, inputs []corpus.Input) {
	for i := range inputs {
		filesCounter.Inc(ctx, 1)
		recordsCounter.Inc(ctx, int64(inputs[i].Records))
		mentionsCounter.Inc(ctx, int64(inputs[i].Mentions))
	}
}

func init() {
	register.DoFn3x1[context.Context, string, func(string), error](&buildShardFn{})
	register.DoFn3x1[context.Context, int, func(int), error](&linkFn{})
	register.Emitter1[string]()
	register.Emitter1[int]()
}
