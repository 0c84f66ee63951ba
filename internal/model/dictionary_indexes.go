package model

import (
	"context"
	"slices"
	"sync"

	"github.com/ctxnorm/ctxnorm/internal/lexical"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/kb"
)

// DictionaryIndexes holds indexes of the names of one dictionary as strings. Each is read from the mapped file of a
// model or built on first use, and is shared by everything that looks names up: the exact and the lexical linker, the
// splitter of composite mentions and the abbreviations of the corpus. It is safe for concurrent use.
//
// NB: candidates may be generated from another set of names, with corpus synonyms or without held-out names. That set
// has its own lexical index: see [ExemplarIndex.Index].
type DictionaryIndexes struct {
	// Dictionary is the dictionary that is indexed.
	Dictionary *kb.Dictionary

	Exact   func() *lexical.KeyIndex // by normal form
	Lexical func() *lexical.Index    // by words and character n-grams

	leftOut func() [][]string // names by concept that count in the weights of the lexical index without being in it
}

// NewDictionaryIndexes returns the indexes of dict. Each is built when it is first used.
func NewDictionaryIndexes(dict *kb.Dictionary) *DictionaryIndexes {
	return newDictionaryIndexes(context.Background(), dict, func() [][]string { return nil })
}

// Genera is [lexical.Index.Genera].
func (x *DictionaryIndexes) Genera(abbreviation, epithet string) []string {
	return x.Lexical().Genera(abbreviation, epithet)
}

// namesWithout returns the names of dict that part lacks, grouped by concept.
func namesWithout(dict, part *kb.Dictionary) [][]string {
	var missing [][]string
	for i := range dict.Len() {
		var kept []string
		if same, known := part.Index(dict.ID(i)); known {
			kept = part.Names(same)
		}
		names := slices.DeleteFunc(dict.Names(i), func(name string) bool { return slices.Contains(kept, name) })
		if len(names) > 0 {
			missing = append(missing, names)
		}
	}
	return missing
}

// newDictionaryIndexes returns indexes whose building stops when ctx is done. They must not be used after that.
func newDictionaryIndexes(ctx context.Context, dict *kb.Dictionary, leftOut func() [][]string) *DictionaryIndexes {
	return &DictionaryIndexes{
		Dictionary: dict, leftOut: leftOut,
		Exact: sync.OnceValue(func() *lexical.KeyIndex { return lexical.NewKeyIndex(ctx, dict, normalize.Normal) }),
		Lexical: sync.OnceValue(func() *lexical.Index {
			x, _ := lexical.NewIndex(ctx, dict.ID, dict.Len(), dict.Names, leftOut()) // fails only if ctx has ended
			return x
		}),
	}
}

// unread returns the indexes of a dictionary with empty fields that the caller reads from a file.
func unread(dict *kb.Dictionary) *DictionaryIndexes {
	x, exact, index := NewDictionaryIndexes(dict), lexical.UnreadKeyIndex(dict, normalize.Normal), lexical.UnreadIndex(dict.ID)
	x.Exact, x.Lexical = func() *lexical.KeyIndex { return exact }, func() *lexical.Index { return index }
	return x
}

// Fields returns the fields of the indexes that are stored in a file.
func (x *DictionaryIndexes) Fields() []safetensors.Field {
	return []safetensors.Field{{Name: "exact.", Data: x.Exact()}, {Name: "lexical/", Data: x.Lexical()}}
}
