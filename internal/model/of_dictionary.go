package model

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/matcher"
)

// OfDictionary returns a model in memory that has a dictionary and nothing else: no folder, no encoder, no contexts and
// no calibration. Its manifest records source.
func OfDictionary(dict *kb.Dictionary, source string) *Model {
	names := newNames(dict, nil)
	m := &Model{
		Manifest: manifestOfDictionary(names.Len(), DictionaryInfo{
			Source: source, Fraction: 1, Hash: dict.Hash(), Concepts: dict.Len(), Names: dict.CountNames(),
		}),
		Dictionary: dict, Names: names, Calibration: new(Calibration),
		dictionaryIndexes: NewDictionaryIndexes(dict), tagger: lazyTagger(dict, dict, nil),
	}
	m.deriveSenses()
	return m
}

func manifestOfDictionary(names int, info DictionaryInfo) *Manifest {
	return &Manifest{Format: FormatVersion, Dictionary: info, Index: IndexInfo{Names: names}}
}

// OpenOfDictionary opens a folder that [Build] made of a dictionary alone, like a model of [OfDictionary], and returns
// the report in its manifest. The folder may then be replaced or removed. The caller must close the model.
func OpenOfDictionary(dir string) (*Model, json.RawMessage, error) {
	m, err := Open(dir, nil)
	if err != nil {
		return nil, nil, err
	}
	if _, err := m.Tagger(); err != nil { // the last file that is opened
		return nil, nil, errors.Join(err, m.Close())
	}
	info := m.Manifest.Dictionary
	report := info.Report
	info.Report, m.Dir = nil, ""
	m.Manifest = manifestOfDictionary(m.Names.Len(), info)
	return m, report, nil
}

// lazyTagger returns a function that builds the tagger of a dictionary's names, and of the labeled ones among synonyms,
// on the first call. It finds the names of base like a tagger of base alone, see [matcher.NewExtendedTagger].
func lazyTagger(dict, base *kb.Dictionary, synonyms []mine.Synonym) func() (*matcher.Tagger, error) {
	return sync.OnceValues(func() (*matcher.Tagger, error) {
		tagger, _, err := matcher.NewExtendedTagger(context.Background(), LookedFor(dict, synonyms), base,
			matcher.DefaultNameFilter())
		return tagger, err
	})
}
