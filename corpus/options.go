package corpus

import (
	"errors"
	"fmt"
	"os"
	"runtime"

	"ctxnorm"
)

// DefaultPerName is how many sentences are kept for a name.
const DefaultPerName = 50

// Options say what [Build] makes. Dir, Inputs and Tagger are required.
type Options struct {
	Dir    string   // the folder to write; made if need be, an older corpus in it is replaced
	Inputs []string // PubMed XML files, gzip or plain, in any order; one given twice counts once
	Tagger Tagger
	Miner  Miner // finds the pairs of pairs.parquet; nil for a corpus without

	Dictionary     *ctxnorm.Dictionary // whose names Tagger finds; identified in the manifest
	DictionaryPath string              // its base name goes into the manifest
	Clean          any                 // why Tagger leaves out names; goes into the manifest as JSON

	PerName int             // sentences kept for a name; 0 is DefaultPerName
	Seed    uint64          // of the sample
	Exclude map[string]bool // PMIDs to leave out
	Workers int             // 0 is the number of cores

	// Progress is told how far the build is, after every batch of records and
	// never by two goroutines at once. It may be nil.
	Progress func(Progress)

	pieceRecords int // of a piece of a part, at most; mostInPiece but in tests
}

// Progress is how far a build is.
type Progress struct {
	Stage     Stage
	Done      int64 // bytes of the input files, as they are on disk
	Total     int64
	Records   int64 // so far, in this and an earlier run that was stopped
	Sentences int64 // with a mention
	Mentions  int64
}

// Stage is what a build does.
type Stage string

// The stages, in order. Repairing, and Drawing once more, come only where a name
// lost more sentences to superseded records than it had to spare.
const (
	Reading   Stage = "reading"
	Drawing   Stage = "drawing"
	Repairing Stage = "repairing"
	Writing   Stage = "writing"
)

// complete checks the options and fills in what was left to the default.
func (o *Options) complete() error {
	switch {
	case o.Dir == "":
		return errors.New("no folder to write the corpus to")
	case len(o.Inputs) == 0:
		return errors.New("no input files")
	case o.Tagger == nil:
		return errors.New("no tagger")
	case o.PerName < 0:
		return fmt.Errorf("%d sentences a name", o.PerName)
	case o.Workers < 0:
		return fmt.Errorf("%d workers", o.Workers)
	}
	for _, path := range o.Inputs {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		if info.IsDir() {
			return fmt.Errorf("%s: is a folder", path)
		}
	}
	if o.PerName == 0 {
		o.PerName = DefaultPerName
	}
	if o.Workers == 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.pieceRecords == 0 {
		o.pieceRecords = mostInPiece
	}
	return nil
}
