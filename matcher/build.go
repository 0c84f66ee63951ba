package matcher

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash"
	"maps"
	"slices"

	"github.com/blevesearch/vellum"

	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/parallel"
)

// name is a name to look for.
type name struct {
	form     string // normal
	concepts uint32 // their number, see index.keys
	rule     caseRule
	digraphs string // see normalize.DigraphForm
	// For exactCase and ownCase: the name's forms with case, sorted.
	cased []casedForm
}

// casedForm is a form with case, and the number of the concepts that have it.
type casedForm struct {
	form     string
	concepts uint32
}

// builder makes an index.
type builder struct {
	index
	names      []name
	fst        *vellum.Builder
	sum        hash.Hash
	normalizer normalize.Normalizer
	buffer     []byte
	firstWords map[uint64]string // by their hashes
	pairs      []uint64          // hashes of the first two words
	wordSet    map[uint64]bool   // hashes
	initialSet map[uint64]bool   // hashes
}

// conceptsNumber returns the number of concepts that ascend. Equal ones that follow each other have the same.
func (b *builder) conceptsNumber(concepts []int32) uint32 {
	if len(concepts) == 1 {
		return uint32(concepts[0])
	}
	last := int32(b.several.Len() - 1)
	if last < 0 || !slices.Equal(b.several.At(last), concepts) {
		b.several.Append(concepts...)
		last++
	}
	return uint32(b.concepts.Len()) + uint32(last)
}

// build makes the index of the names and of their variants. Both are sorted.
func (b *builder) build(ctx context.Context, filter NameFilter, variants []variant) error {
	settings, err := json.Marshal(filter)
	if err != nil {
		return err
	}
	var transducer bytes.Buffer
	// A larger registry saves a tenth of the transducer, and takes as much time again: it does not fit into the cache.
	options := &vellum.BuilderOpts{Encoder: 1, RegistryTableSize: 1000, RegistryMRUSize: 2}
	if b.fst, err = vellum.New(&transducer, options); err != nil {
		return err
	}
	b.sum = sha256.New()
	b.sum.Write(settings)
	b.firstWords, b.wordSet, b.initialSet = make(map[uint64]string), make(map[uint64]bool), make(map[uint64]bool)
	keyOf := make([]uint32, len(b.names))
	for i := 0; ; i++ {
		for len(variants) > 0 && (i == len(b.names) || variants[0].form < b.names[i].form) {
			if variants, err = b.addVariant(variants); err != nil {
				return err
			}
		}
		if i == len(b.names) {
			break
		}
		keyOf[i] = uint32(len(b.keys))
		if err := cmp.Or(parallel.Step(ctx, i, len(b.names)), b.addName(&b.names[i])); err != nil {
			return err
		}
	}
	if err := b.fst.Close(); err != nil {
		return err
	}
	if transducer.Len() > stateMask {
		return fmt.Errorf("the names take %d bytes, more than 2 GB", transducer.Len())
	}
	for i, name := range b.variants {
		b.variants[i] = keyOf[name]
	}
	b.transducer = bytes.Clone(transducer.Bytes())
	b.first = newFirstWords(b.firstWords, b.pairs, b.transducer)
	b.words = slices.Sorted(maps.Keys(b.wordSet))
	b.initials = slices.Sorted(maps.Keys(b.initialSet))
	b.content = b.sum.Sum(nil)
	return nil
}

// addKey adds a key to the transducer, its words, and its forms with case, if it has any. See index.keys for the value.
func (b *builder) addKey(form string, value uint32, cased ...casedForm) error {
	key := uint32(len(b.keys))
	b.buffer = append(b.buffer[:0], form...)
	if err := b.fst.Insert(b.buffer, uint64(key)); err != nil {
		return fmt.Errorf("name %q: %w", form, err)
	}
	b.keys = append(b.keys, value)
	for _, c := range cased {
		b.casedKeys, b.casedConcepts = append(b.casedKeys, key), append(b.casedConcepts, c.concepts)
		b.cased.Append(c.form)
	}
	b.normalizer.Normalize(form)
	first := uint64(0)
	for i, token := range b.normalizer.Tokens() {
		word := bare(b.buffer, &token)
		hash := hashOf(word)
		b.wordSet[hash] = true
		if i == 0 {
			first = hash
			b.firstWords[hash] = form[:len(word)]
		} else if pair := pairHash(first, hash); i == 1 && (len(b.pairs) == 0 || b.pairs[len(b.pairs)-1] != pair) {
			b.pairs = append(b.pairs, pair)
		}
	}
	return nil
}

func (b *builder) addName(n *name) error {
	if err := b.addKey(n.form, uint32(n.rule)<<ruleShift|n.concepts, n.cased...); err != nil {
		return err
	}
	b.buffer = append(append(b.buffer[:0], n.form...), '\n', byte(n.rule))
	for _, cased := range append(slices.Clip(n.cased), casedForm{"", n.concepts}) {
		b.buffer = append(append(b.buffer, cased.form...), '\n')
		for _, concept := range b.listOf(cased.concepts) {
			b.buffer = append(append(b.buffer, '\n'), b.concepts.Bytes(int(concept))...)
		}
	}
	b.sum.Write(append(b.buffer, 0))
	for _, initials := range initialsOf(n.form) {
		b.initialSet[hashOf(initials)] = true
	}
	return nil
}

// addVariant adds the first of variants and those of the same form, and returns the others.
func (b *builder) addVariant(variants []variant) (others []variant, err error) {
	v, number := &variants[0], uint32(len(b.variants))
	var cased []casedForm
	for len(variants) > 0 && variants[0].form == v.form {
		if variants[0].cased.form != "" {
			cased = append(cased, variants[0].cased)
		}
		variants = variants[1:]
	}
	b.variants = append(b.variants, v.name)
	if v.hyphen|v.gap != 0 {
		b.joints = append(b.joints, uint64(number)<<jointShift|uint64(v.hyphen)<<gapShift|uint64(v.gap))
	}
	return variants, b.addKey(v.form, isVariant|number, cased...)
}
