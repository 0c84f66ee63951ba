package link

import (
	"ctxnorm"
	"ctxnorm/mine"
)

// Reader makes mention resolvers that share the indexes of one dictionary. For a model,
// use [NewMentionResolver].
type Reader struct {
	names         *DictionaryIndexes
	abbreviations *mine.AbbreviationTable // nil for none
}

// NewReader returns a factory of resolvers for mentions of the concepts of dict.
func NewReader(dict *ctxnorm.Dictionary, abbreviations *mine.AbbreviationTable) *Reader {
	return &Reader{newDictionaryIndexes(dict), abbreviations}
}

// Reading returns a resolver that links with linker. See [NewMentionResolver] for the
// components.
func (r *Reader) Reading(linker ctxnorm.Linker, components Parts) *Reading {
	return newResolver(linker, r.names, r.abbreviations, components)
}

// Parts returns [ComponentsOf] the model.
func (m *Model) Parts() Parts { return ComponentsOf(m) }
