package model

import (
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/mine"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/matcher"
)

// OfDictionary returns a model in memory that has a dictionary and nothing else: no folder, no
// encoder, no contexts and no calibration. source is recorded in its manifest.
func OfDictionary(dict *kb.Dictionary, source string) (*Model, error) {
	names, err := newNames(dict, nil)
	if err != nil {
		return nil, err
	}
	m := &Model{
		Manifest: &Manifest{
			Format: FormatVersion,
			Dictionary: DictionaryInfo{
				Source: source, Fraction: 1, Hash: dict.Hash(), Concepts: dict.Len(), Names: dict.CountNames(),
			},
			Index: IndexInfo{Names: names.Len()},
		},
		Dictionary: dict, Names: names, Calibration: new(Calibration),
		Abbreviations:     mine.NewAbbreviationTable(nil),
		dictionaryIndexes: NewDictionaryIndexes(dict), tagger: lazyTagger(dict, dict),
	}
	m.deriveSenses()
	return m, nil
}

// lazyTagger returns a function that makes the tagger of a dictionary's names on its first call. Those of base are
// found as by a tagger of base, see [matcher.NewExtendedTagger].
func lazyTagger(dict, base *kb.Dictionary) func() (*matcher.Tagger, error) {
	return sync.OnceValues(func() (*matcher.Tagger, error) {
		tagger, _, err := matcher.NewExtendedTagger(dict, base, matcher.DefaultNameFilter())
		return tagger, err
	})
}
