package lexical

import (
	"hash/crc32"
	"iter"
	"slices"

	"github.com/ctxnorm/ctxnorm/internal/artifact"
	"github.com/ctxnorm/ctxnorm/internal/normalize"
	"github.com/ctxnorm/ctxnorm/internal/safetensors"
	"github.com/ctxnorm/ctxnorm/kb"
)

// KeyIndex finds the names of a dictionary that have a key, such as a normal form. It has a hash of the key of each name,
// 8 bytes a name, and asks a name that it finds for its key again. It is safe for concurrent use.
type KeyIndex struct {
	dict   *kb.Dictionary
	keyOf  func(name string) string
	hashes []uint32 // ascending
	rows   []int32  // of [kb.Dictionary.NameAt], ascending where hashes are equal
}

// NewKeyIndex returns an index of the names by their keys. A name whose key is empty has none. keyOf is called
// concurrently.
func NewKeyIndex(d *kb.Dictionary, keyOf func(name string) string) *KeyIndex {
	all := make([]uint64, d.NameRows()) // hash and row, 0 for none
	onAllCores(len(all), func(row int) {
		if name, _ := d.NameAt(row); name != "" {
			if key := keyOf(name); key != "" {
				all[row] = uint64(hashOf(key))<<32 | uint64(row)
			}
		}
	})
	all = slices.DeleteFunc(all, func(pair uint64) bool { return pair == 0 })
	slices.Sort(all)
	x := &KeyIndex{d, keyOf, make([]uint32, len(all)), make([]int32, len(all))}
	for i, pair := range all {
		x.hashes[i], x.rows[i] = uint32(pair>>32), int32(uint32(pair))
	}
	return x
}

// NewExact returns an index of the names by their normal forms, see [normalize.Normal].
func NewExact(d *kb.Dictionary) *KeyIndex { return NewKeyIndex(d, normalize.Normal) }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// hashOf returns a number above 0.
func hashOf(key string) uint32 { return max(1, crc32.Checksum([]byte(key), castagnoli)) }

func (x *KeyIndex) fields() []safetensors.Field {
	return []safetensors.Field{{Name: "hashes", Data: &x.hashes}, {Name: "rows", Data: &x.rows}}
}

// Arrays returns the index as arrays to write, whose names begin with a prefix.
func (x *KeyIndex) Arrays(prefix string) []safetensors.Array {
	return safetensors.Arrays(prefix, x.fields())
}

// ViewKeyIndex returns the index that [KeyIndex.Arrays] wrote, of the same names and keys.
func ViewKeyIndex(f *safetensors.File, prefix string, d *kb.Dictionary, keyOf func(name string) string) (*KeyIndex, error) {
	x := &KeyIndex{dict: d, keyOf: keyOf}
	err := safetensors.ViewFields(f, prefix, x.fields())
	if err == nil && len(x.hashes) != len(x.rows) {
		err = artifact.Damaged(f.Path(), "%s: %d hashes of %d rows", prefix, len(x.hashes), len(x.rows))
	}
	return x, err
}

// Find yields the names that have a key, each with the position of its concept, in the order of concepts and of their
// names.
func (x *KeyIndex) Find(key string) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		hash := hashOf(key)
		for i, _ := slices.BinarySearch(x.hashes, hash); i < len(x.hashes) && x.hashes[i] == hash; i++ {
			name, concept := x.dict.NameAt(int(x.rows[i]))
			if x.keyOf(name) == key && !yield(name, concept) {
				return
			}
		}
	}
}

// Lookup returns the concepts that have a name with the key of the given one, in the order of their IDs, and nil if there
// are none.
func (x *KeyIndex) Lookup(name string) (ids []kb.ConceptID) {
	last := -1
	for _, concept := range x.Find(x.keyOf(name)) {
		if concept != last {
			ids = append(ids, x.dict.ID(concept))
			last = concept
		}
	}
	return ids
}
