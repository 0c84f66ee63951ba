package matcher

import (
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/kb"
	"github.com/ctxnorm/ctxnorm/text"
)

// index is what a tagger knows of names, as the arrays that its file holds. A key is a name or a variant of one; its
// number is its rank among all keys, which ascend.
type index struct {
	transducer transducer
	// by key: the case rule and the number of its concepts, or isVariant and the number of the variant
	keys     []uint32
	variants []uint32 // the name of each, by its key
	// joints are the variants that have hyphens or gaps, see [normalize.Variant]: the variant, the hyphen and the gap
	joints []uint64

	casedKeys     []uint32            // a key for each of its forms with case, ascending, see name.cased
	cased         safetensors.Strings // these forms: normal forms with case
	casedConcepts []uint32            // and the numbers of their concepts

	concepts safetensors.Strings // ids, ascending
	several  safetensors.Lists   // of concepts; the list n has the number n + concepts.Len()

	first    firstWords
	words    []uint64 // hashes of the words of all keys, ascending
	initials []uint64 // hashes of the initials of names, ascending

	content []byte // the SHA-256 of the names, the filter, the concepts and the case rules
}

// Parts of index.keys.
const (
	isVariant  = 1 << 31
	ruleShift  = 29
	maxConcept = 1<<ruleShift - 1
)

// Parts of index.joints.
const (
	jointShift = 32
	gapShift   = 16
	maxJoint   = 1<<16 - 1
)

// fields lists the tensors of a file.
func (x *index) fields() []safetensors.Field {
	return []safetensors.Field{
		{Name: "transducer", Data: (*[]byte)(&x.transducer)}, {Name: "keys", Data: &x.keys}, {Name: "variants", Data: &x.variants},
		{Name: "joints", Data: &x.joints}, {Name: "cased_keys", Data: &x.casedKeys}, {Name: "cased", Data: &x.cased},
		{Name: "cased_concepts", Data: &x.casedConcepts},
		{Name: "concepts", Data: &x.concepts}, {Name: "several", Data: &x.several},
		{Name: "first_filter", Data: (*[]uint64)(&x.first.filter)}, {Name: "first_pairs", Data: (*[]uint64)(&x.first.pairs)},
		{Name: "first_table", Data: &x.first.table}, {Name: "words", Data: &x.words}, {Name: "initials", Data: &x.initials},
		{Name: "content", Data: &x.content},
	}
}

// view maps the index. What the arrays hold is not checked, only their lengths where the search relies on them.
func (x *index) view(f *safetensors.File) error {
	if err := safetensors.ViewFields(f, "", x.fields()); err != nil {
		return err
	}
	if !x.transducer.fits(len(x.keys)) {
		return artifact.Damaged(f.Path(), "has no transducer of %d keys", len(x.keys))
	}
	if len(x.casedKeys) != x.cased.Len() || len(x.casedConcepts) != x.cased.Len() || bits.OnesCount(uint(len(x.first.filter))) != 1 ||
		bits.OnesCount(uint(len(x.first.pairs))) != 1 || len(x.first.table) < slotSize {
		return artifact.Damaged(f.Path(), "has %d forms of %d keys, and %d, %d and %d numbers of first words", x.cased.Len(), len(x.casedKeys),
			len(x.first.filter), len(x.first.pairs), len(x.first.table))
	}
	return nil
}

// has reports whether a hash is among those of a list.
func has(ascending []uint64, hash uint64) bool {
	_, found := slices.BinarySearch(ascending, hash)
	return found
}

// rule returns the case rule of a name.
func (x *index) rule(name uint32) caseRule { return caseRule(x.keys[name] >> ruleShift) }

// conceptsOf returns a copy of the concepts of a number, sorted.
func (x *index) conceptsOf(number uint32) []kb.ConceptID {
	list := x.listOf(number)
	ids := make([]kb.ConceptID, len(list))
	for i, concept := range list {
		ids[i] = kb.ConceptID(x.concepts.At(int(concept)))
	}
	return ids
}

// listOf returns the concepts of a number, ascending.
func (x *index) listOf(number uint32) []int32 {
	if n := uint32(x.concepts.Len()); number >= n {
		return x.several.At(int32(number - n))
	}
	return []int32{int32(number)}
}

// allows reports whether a key may be tagged at a span of raw, whose words are tokens, and returns the name that the key
// stands for, and the number of its concepts as it is written there.
func (x *index) allows(key uint32, raw string, at text.Span, tokens []normalize.Token) (name, concepts uint32, ok bool) {
	name = key
	if variant := x.keys[key]; variant&isVariant != 0 {
		variant &^= isVariant
		if name = x.variants[variant]; !x.isJoined(variant, raw, tokens) {
			return name, 0, false
		}
	}
	concepts = x.keys[name] & maxConcept
	switch rule := x.rule(name); rule {
	case anyCase:
		return name, concepts, true
	case capitals:
		return name, concepts, normalize.AllCapitals(at.Of(raw))
	default:
		if written, ok := x.asWritten(key, raw, at); ok {
			return name, written, true
		}
		return name, concepts, rule == ownCase
	}
}

// isJoined reports whether the words of a variant are joined in raw as the variant asks for.
func (x *index) isJoined(variant uint32, raw string, tokens []normalize.Token) bool {
	i, _ := slices.BinarySearch(x.joints, uint64(variant)<<jointShift)
	if i == len(x.joints) || x.joints[i]>>jointShift != uint64(variant) {
		return true
	}
	if hyphen := x.joints[i] >> gapShift & maxJoint; hyphen > 0 {
		before, _ := utf8.DecodeLastRuneInString(raw[:tokens[hyphen].Raw.Start])
		if unicode.IsSpace(before) {
			return false
		}
	}
	gap := x.joints[i] & maxJoint
	return gap == 0 || !strings.ContainsFunc(raw[tokens[gap-1].Raw.End:tokens[gap].Raw.Start],
		func(r rune) bool { return !isJoiner(r) })
}

// asWritten returns the number of the concepts that write a key as it is written at a span of raw.
func (x *index) asWritten(key uint32, raw string, at text.Span) (concepts uint32, ok bool) {
	form := normalize.Cased(at.Of(raw))
	for i, _ := slices.BinarySearch(x.casedKeys, key); i < len(x.casedKeys) && x.casedKeys[i] == key; i++ {
		if string(x.cased.Bytes(i)) == form {
			return x.casedConcepts[i], true
		}
	}
	return 0, false
}
