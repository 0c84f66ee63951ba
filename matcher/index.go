package matcher

import (
	"encoding/binary"
	"iter"
	"slices"
	"strings"
	"unicode"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/language"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/kb"
)

// index holds the names of a tagger, in the arrays of its file. Names are numbered in the order of their normal forms,
// and keys, which find names, in their own order.
type index struct {
	words  []uint64            // hashes of the words of all keys, see [pieces], ascending; a word's number is its index
	keys   transducer          // maps each key, see [index.encode], to its number
	named  safetensors.Lists   // the names of each key
	forms  safetensors.Strings // normal forms of the names
	values []uint32            // by name: onlyAsIs, the case rule and the number of the concepts

	casedNames    []uint32            // for each cased form, its name, ascending; see name.cased
	cased         safetensors.Strings // the cased forms
	casedConcepts []uint32            // and the numbers of their concepts

	concepts safetensors.Strings // ids, ascending
	several  safetensors.Lists   // lists of several concepts; list n has the number n + concepts.Len()

	initials    []uint64 // hashes of the initials of names, ascending
	notVariants []uint64 // hashes of normal forms that are not a variant of a name, ascending
	language    []byte   // its name, if the dictionary is in one language, see [normalize.LanguageOf]
	of          *language.Language

	content []byte // SHA-256 of the names, the filter, the concepts and the case rules
}

// place is the position in the transducer after a part of a key.
type place struct {
	state int
	rank  int // number of keys before the first one that continues from there
}

// after returns the place after more of a key. Its state is noState if no key continues that way.
func (x *index) after(p place, more string) place {
	for i := 0; i < len(more) && p.state != noState; i++ {
		next, output := x.keys.next(p.state, more[i])
		p = place{next, p.rank + output}
	}
	return p
}

// start returns the place where all keys begin.
func (x *index) start() place { return place{state: x.keys.root()} }

// encode returns a key, or a part of one, as the numbers of its words in four bytes each, little-endian. known is false
// if a word occurs in no key.
func (x *index) encode(words iter.Seq[string]) (key string, known bool) {
	var numbers []byte
	for word := range words {
		at, found := slices.BinarySearch(x.words, hashOf(word))
		if !found {
			return "", false
		}
		numbers = binary.LittleEndian.AppendUint32(numbers, uint32(at))
	}
	return string(numbers), true
}

// Parts of index.values.
const (
	onlyAsIs   = 1 << 31 // the name is only found in its normal form
	ruleShift  = 29
	maxConcept = 1<<ruleShift - 1
)

// fields lists the tensors of a file.
func (x *index) fields() []safetensors.Field {
	return []safetensors.Field{
		{Name: "words", Data: &x.words}, {Name: "keys", Data: (*[]byte)(&x.keys)}, {Name: "named", Data: &x.named}, {Name: "forms", Data: &x.forms},
		{Name: "values", Data: &x.values}, {Name: "cased_names", Data: &x.casedNames}, {Name: "cased", Data: &x.cased},
		{Name: "cased_concepts", Data: &x.casedConcepts},
		{Name: "concepts", Data: &x.concepts}, {Name: "several", Data: &x.several},
		{Name: "initials", Data: &x.initials},
		{Name: "not_variants", Data: &x.notVariants}, {Name: "language", Data: &x.language}, {Name: "content", Data: &x.content},
	}
}

// view maps the index. It does not check the contents of the arrays, only their lengths where the search relies on
// them.
func (x *index) view(f *safetensors.File) error {
	if err := safetensors.ViewFields(f, "", x.fields()); err != nil {
		return err
	}
	named := func(l *language.Language) bool { return l.Name == string(x.language) }
	if i := slices.IndexFunc(language.Languages, named); i >= 0 {
		x.of = language.Languages[i]
	}
	if !x.keys.fits(x.named.Len()) || len(x.values) != x.forms.Len() {
		return artifact.Damaged(f.Path(), "has names of %d keys, and others, or %d names and %d values of them", x.named.Len(),
			x.forms.Len(), len(x.values))
	}
	if len(x.casedNames) != x.cased.Len() || len(x.casedConcepts) != x.cased.Len() {
		return artifact.Damaged(f.Path(), "has %d forms of %d names", x.cased.Len(), len(x.casedNames))
	}
	return nil
}

// has reports whether a sorted list contains a hash.
func has(ascending []uint64, hash uint64) bool {
	_, found := slices.BinarySearch(ascending, hash)
	return found
}

// rule returns the case rule of a name.
func (x *index) rule(name int32) caseRule { return caseRule(x.values[name] >> ruleShift & 3) }

// conceptsOf returns the sorted concepts for a number, as a copy.
func (x *index) conceptsOf(number uint32) []kb.ConceptID {
	list := x.listOf(number)
	ids := make([]kb.ConceptID, len(list))
	for i, concept := range list {
		ids[i] = kb.ConceptID(x.concepts.At(int(concept)))
	}
	return ids
}

// listOf returns the concepts for a number, ascending.
func (x *index) listOf(number uint32) []int32 {
	if n := uint32(x.concepts.Len()); number >= n {
		return x.several.At(int32(number - n))
	}
	return []int32{int32(number)}
}

// choose selects a name for a span of raw with the normal form form among the names of some keys. It returns the name
// and the number of its concepts as written there. A name with this normal form is preferred to variants. Variants must
// all have the same concepts, because it is unknown which of them the text means.
func (x *index) choose(keys []match, raw string, form []byte) (name int32, concepts uint32, ok bool) {
	for _, key := range keys {
		for _, n := range x.named.At(int32(key.key)) {
			if string(x.forms.Bytes(int(n))) == string(form) {
				concepts, ok = x.allows(n, raw, normalize.Cased)
				return n, concepts, ok
			}
		}
	}
	for _, key := range keys {
		if key.isOrder && ok {
			break // by its own order, whose keys come first
		}
		for _, n := range x.named.At(int32(key.key)) {
			if x.values[n]&onlyAsIs != 0 || len(form) < minWord && x.rule(n) != exactCase {
				continue
			}
			switch other, allowed := x.allows(n, raw, capitalsOf); {
			case !allowed:
			case !ok:
				name, concepts, ok = n, other, true
			case !slices.Equal(x.listOf(concepts), x.listOf(other)):
				return 0, 0, false
			}
		}
	}
	return name, concepts, ok && !has(x.notVariants, hashOf(form))
}

// allows reports whether the case of raw fits a name, comparing both by caseOf, and returns the number of the name's
// concepts in that case.
func (x *index) allows(name int32, raw string, caseOf func(string) string) (concepts uint32, ok bool) {
	concepts = x.values[name] & maxConcept
	switch rule := x.rule(name); rule {
	case anyCase:
		return concepts, true
	case capitals:
		return concepts, normalize.AllCapitals(raw)
	default:
		form := caseOf(raw)
		for i, _ := slices.BinarySearch(x.casedNames, uint32(name)); i < len(x.casedNames) && x.casedNames[i] == uint32(name); i++ {
			if caseOf(x.cased.At(i)) == form {
				return x.casedConcepts[i], true
			}
		}
		isNumbered := strings.ContainsAny(raw, "0123456789") && strings.ContainsFunc(raw, unicode.IsUpper)
		return concepts, rule == ownCase || isNumbered
	}
}

// capitalsOf returns the capitals in a form.
func capitalsOf(form string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return r
		}
		return -1
	}, form)
}

// hashOf returns the hash of a text. Hashes are part of the file format. The index assumes that two texts never have
// the same hash, which happens by chance once in 2^64.
func hashOf[T string | []byte](text T) uint64 {
	hash := uint64(0xe7037ed1a0b428db)
	for i := range len(text) {
		hash = (hash ^ uint64(text[i])) * 0xa0761d6478bd642f
		hash ^= hash >> 32
	}
	return hash
}
